package io.homeshard.guard.matrix;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** D43, at random, for long. */
@Tag("long")
class FreezeRaceLongTest {
    private static final int ROUNDS = Integer.getInteger("homeshard.test.rounds", 600);

    @ParameterizedTest
    @CsvSource({"ledger, 3", "bulk_ledger, 6", "part_ledger, 2"})
    void acknowledgedWritesAreInTheSnapshotAndNothingFollowsIt(String table, int share) throws Exception {
        FreezeRaceTest.playGuarded(table, ROUNDS / share);
    }
}
