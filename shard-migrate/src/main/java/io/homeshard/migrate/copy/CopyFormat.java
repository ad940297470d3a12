package io.homeshard.migrate.copy;

/** The form in which COPY sends the rows of a table. */
enum CopyFormat {
    /** What the types' send and receive functions make of values. */
    BINARY("binary"),
    /** What their output and input functions make of them, under pinned settings. */
    TEXT("text");

    private final String option;

    CopyFormat(String option) {
        this.option = option;
    }

    /** The value of COPY's option FORMAT. */
    String option() {
        return option;
    }
}
