package io.homeshard.guard.matrix;

/** What happens in a cell, and what must come of it. */
@FunctionalInterface
interface Course {
    /**
     * Plays the cell on a fresh scene, and tells the scene what it expects.
     *
     * @throws Exception when the cell itself broke, which judges nothing
     */
    void play(Scene scene) throws Exception;
}
