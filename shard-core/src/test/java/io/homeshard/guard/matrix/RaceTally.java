package io.homeshard.guard.matrix;

/**
 * How much a race had in it; a race in which nothing met proves nothing.
 *
 * @param freezes freezes that were done
 * @param moves how many of them ended with the tenant away, and back later
 * @param acknowledged transactions that the writers were told had committed
 * @param refused transactions that were refused
 * @param busy attempts to freeze that met a writer
 */
record RaceTally(long freezes, long moves, long acknowledged, long refused, long busy) {
    static RaceTally none() {
        return new RaceTally(0, 0, 0, 0, 0);
    }

    RaceTally plusFreeze(boolean move) {
        return new RaceTally(freezes + 1, moves + (move ? 1 : 0), acknowledged, refused, busy);
    }

    RaceTally plusBusy() {
        return new RaceTally(freezes, moves, acknowledged, refused, busy + 1);
    }

    RaceTally withTransactions(long nowAcknowledged, long nowRefused) {
        return new RaceTally(freezes, moves, nowAcknowledged, nowRefused, busy);
    }

    @Override
    public String toString() {
        return "freezes=" + freezes + " moves=" + moves + " acknowledged=" + acknowledged + " refused=" + refused
                + " freeze_busy=" + busy;
    }
}
