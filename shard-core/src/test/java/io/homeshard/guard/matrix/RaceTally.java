package io.homeshard.guard.matrix;

/**
 * How much a race had in it; a race in which nothing met proves nothing.
 *
 * @param acknowledged transactions that the writers were told had committed
 * @param refused transactions that were refused
 * @param busy attempts to freeze that met a writer
 */
record RaceTally(long acknowledged, long refused, long busy) {
    static RaceTally none() {
        return new RaceTally(0, 0, 0);
    }

    RaceTally plus(long moreAcknowledged, long moreRefused) {
        return new RaceTally(acknowledged + moreAcknowledged, refused + moreRefused, busy);
    }

    RaceTally plusBusy() {
        return new RaceTally(acknowledged, refused, busy + 1);
    }

    @Override
    public String toString() {
        return "acknowledged=" + acknowledged + " refused=" + refused + " freeze_busy=" + busy;
    }
}
