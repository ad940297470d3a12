package io.homeshard.guard.pooler;

/**
 * How a pooler shares the server's sessions.
 *
 * @param mode {@code transaction} or {@code session}
 * @param size sessions of the server
 * @param reset whether a session is reset by DISCARD ALL between two transactions, not only between two clients
 */
record Pooling(String mode, int size, boolean reset) {

    /** Clients share sessions and what the others have set in them. */
    static Pooling transactions(int size) {
        return new Pooling("transaction", size, false);
    }

    /** A client keeps its session until it leaves; the session is reset then. */
    static Pooling sessions(int size) {
        return new Pooling("session", size, false);
    }

    Pooling withReset() {
        return new Pooling(mode, size, true);
    }
}
