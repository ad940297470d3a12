package io.homeshard.guard.matrix;

import static io.homeshard.internal.jdbc.SqlStates.FROZEN;
import static io.homeshard.internal.jdbc.SqlStates.NOT_OWNED;
import static io.homeshard.internal.jdbc.SqlStates.SERIALIZATION_FAILURE;

import java.util.List;
import java.util.stream.Stream;

/**
 * A transaction that is open before the freeze and commits at some point of the move.
 *
 * @param variant what it writes
 * @param point when it does
 */
record OpenTransaction(Variant variant, Point point) implements Course {
    private static final String SEED = "INSERT INTO shop.note_text (tenant_id) SELECT '{a}' FROM generate_series(1, 3)";
    private static final String COUNT = "SELECT count(*) FROM shop.note_text WHERE tenant_id = '{a}'";

    /** What the transaction writes. */
    enum Variant {
        INSERT("INSERT INTO shop.note_text (tenant_id) VALUES ('{a}')"),
        UPDATE("UPDATE shop.note_text SET v = 9 WHERE tenant_id = '{a}'"),
        DELETE("DELETE FROM shop.note_text WHERE tenant_id = '{a}'"),
        SELECT_FOR_UPDATE("UPDATE shop.note_text SET v = 9 WHERE tenant_id = '{a}'"),
        /** Begun before the freeze; waits at the gate in its midst. */
        LONG_STATEMENT(
                "INSERT INTO shop.note_text (tenant_id) SELECT '{a}' FROM (SELECT pg_advisory_xact_lock(1, 1)) gate");

        private final String sql;

        Variant(String sql) {
            this.sql = sql;
        }
    }

    /** How far the move is when the transaction goes on, in the order of the move. */
    enum Point {
        FROZEN,
        SNAPSHOT,
        COPIED,
        VERIFIED,
        FLIPPED
    }

    /** Each variant at each point at each level. */
    static List<Cell> cells() {
        return Stream.of(Level.values())
                .flatMap(level -> Stream.of(Variant.values())
                        .flatMap(variant -> Stream.of(Point.values())
                                .map(point -> new OpenTransaction(variant, point).cell(level))))
                .toList();
    }

    private Cell cell(Level level) {
        return new Cell(
                WriteKinds.INSERT, level, variant + " open before the freeze, goes on when " + point, this, false);
    }

    @Override
    public void play(Scene scene) throws Exception {
        scene.expect("seed", scene.attempt(SEED), Session.OK);
        scene.begin();
        scene.takeSnapshot();
        startWriting(scene);
        scene.expect("freeze", scene.freeze(), Mover.DONE);
        scene.rememberRows();
        moveTo(scene);
        String expected = point == Point.FLIPPED ? NOT_OWNED : FROZEN;
        scene.expect("write", finishWriting(scene), expected, SERIALIZATION_FAILURE);
        scene.attempt("COMMIT");
        scene.expectSameRows();
    }

    private void startWriting(Scene scene) throws Exception {
        if (variant == Variant.SELECT_FOR_UPDATE) {
            String select = "SELECT FROM shop.note_text WHERE tenant_id = '{a}' FOR UPDATE";
            scene.expect("select for update", scene.attempt(select), Session.OK);
        } else if (variant == Variant.LONG_STATEMENT) {
            scene.stage().observer().run("SELECT pg_advisory_lock(1, 1)");
            scene.send(() -> scene.attempt(variant.sql));
            scene.expect("statement is under way", scene.sentWaits());
        }
    }

    private String finishWriting(Scene scene) throws Exception {
        if (variant == Variant.LONG_STATEMENT) {
            scene.stage().observer().run("SELECT pg_advisory_unlock(1, 1)");
            return scene.sentOutcome();
        }
        return scene.attempt(variant.sql);
    }

    /** The source's part of a move, as far as the point. */
    private void moveTo(Scene scene) throws Exception {
        Session mover = scene.stage().mover().session();
        if (point.compareTo(Point.SNAPSHOT) >= 0) {
            mover.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            mover.value(scene.fill("SELECT count(*) FROM shop.child WHERE tenant_id = '{a}'"));
        }
        if (point.compareTo(Point.COPIED) >= 0) {
            scene.expect("rows copied", mover.value(scene.fill(COUNT)), "3");
            mover.run("COMMIT");
        }
        if (point.compareTo(Point.VERIFIED) >= 0) {
            scene.expect("rows compared", mover.value(scene.fill(COUNT)), "3");
        }
        if (point == Point.FLIPPED) {
            scene.stage().mover().markMoved(scene.tenant());
        }
    }
}
