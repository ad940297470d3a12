package io.homeshard.guard.bench;

/**
 * How much is measured.
 *
 * @param rounds samples of CPU time of each cell
 * @param batch share of an operation's batch that makes a sample, in percent
 * @param wireRounds samples of WAL of each cell
 * @param repeats samples of throughput of each cell
 * @param sampleMillis length of such a sample
 * @param freezes how often a busy tenant is frozen
 * @param holds how often a transaction holds a tenant
 * @param holdMillis how long it does
 */
record Size(
        int rounds, int batch, int wireRounds, int repeats, int sampleMillis, int freezes, int holds, int holdMillis) {
    Size {
        if (rounds < 1 || batch < 1 || wireRounds < 1 || repeats < 1 || freezes < 1 || holds < 1) {
            throw new IllegalArgumentException("counts must be >= 1");
        }
    }

    /** For figures. */
    static Size full() {
        return new Size(30, 100, 5, 3, 500, 200, 5, 3000);
    }

    /** To see that everything works. */
    static Size tiny() {
        return new Size(1, 10, 3, 1, 50, 5, 1, 400);
    }

    /** For a first look, with twenty minutes' work cut to a few; few contenders make it shorter still. */
    static Size brief() {
        return new Size(5, 100, 3, 1, 200, 20, 1, 3000);
    }

    /** Of the system property {@code homeshard.bench.size}: {@code full}, {@code brief} or {@code tiny}. */
    static Size chosen() {
        String name = System.getProperty("homeshard.bench.size", "full");
        return switch (name) {
            case "full" -> full();
            case "brief" -> brief();
            case "tiny" -> tiny();
            default ->
                throw new IllegalArgumentException("homeshard.bench.size must be full, brief or tiny, was " + name);
        };
    }

    /** Operations in a sample. */
    int of(Operation operation) {
        return Math.max(1, operation.batch() * batch / 100);
    }
}
