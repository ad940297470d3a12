package io.homeshard.architecture.illegal.rogue;

/** Lives in a package that has no row in the table. */
public final class Rogue {}
