package io.homeshard.model;

/** This Homeshard was closed and does nothing any more. The code that uses it outlives it. */
public final class HomeshardClosedException extends PermanentHomeshardException {
    private static final long serialVersionUID = 1L;

    /** Without anything to add. */
    public HomeshardClosedException() {
        super("homeshard - is closed", null);
    }
}
