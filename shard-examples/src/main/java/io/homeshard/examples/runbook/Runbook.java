package io.homeshard.examples.runbook;

import io.homeshard.Homeshard;
import io.homeshard.test.TestCluster;
import java.sql.SQLException;

/** Plays the night shift of an operator against real servers and prints what it sees, section by section. */
public final class Runbook {
    private static final int SHARDS = 3;

    private Runbook() {}

    /**
     * The night shift; with the address of a directory as arguments, the mover that will be killed in it.
     *
     * @param arguments none, or URL, user and password of a directory
     * @throws Exception when it cannot be played
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            DoomedMover.run(new Address(arguments[0], arguments[1], arguments[2]));
            return;
        }
        play(new Console(System.out));
    }

    /** Everything, in the order of docs/operations.md. */
    static void play(Console console) throws SQLException, InterruptedException {
        try (TestCluster cluster = TestCluster.start(SHARDS);
                Homeshard homeshard = Desk.connect(cluster)) {
            Desk.rollOut(homeshard, cluster);
            SingleMove move = SingleMove.open(homeshard, console);
            move.planAndRead();
            move.watchAndCancel();
            move.budget();
            move.execute();
            move.back();
            new LostMover(homeshard, console).killAndRecover(Address.of(cluster));
            move.cleanUp();
            new ShardDrain(homeshard, console).emptyAndRemove();
        }
        console.line("runbook: ok");
    }
}
