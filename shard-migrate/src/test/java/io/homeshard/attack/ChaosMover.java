package io.homeshard.attack;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.directory.MoveTicket;
import io.homeshard.guard.MoverToken;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The way of a mover through the steps, with a pause wherever a process may be stopped or die. */
final class ChaosMover {
    private static final Duration LOCK = Duration.ofMillis(10);
    private static final TableName ROWS = new TableName("app", "rows");
    private static final int TRIES = 12;
    private final Chaos chaos;
    private final Coroutine self;
    private final WriteGuard guard;
    private MoveRecord move;
    private MovePhase phase;

    /** A step was refused, or the mover is not wanted any more. */
    private static final class Stopped extends Exception {
        private static final long serialVersionUID = 1;

        Stopped(String why) {
            super(why);
        }
    }

    /** Work on a shard. */
    @FunctionalInterface
    private interface Step {
        String run(Connection connection) throws SQLException;
    }

    @SuppressWarnings("NullAway.Init")
    ChaosMover(Chaos chaos, Coroutine self) {
        this.chaos = chaos;
        this.self = self;
        this.guard = chaos.lab.guard;
    }

    void move(ShardId target) {
        UUID id = UUID.randomUUID();
        StepResult planned = chaos.lab.journal.plan(id, chaos.tenant, target, id.toString(), AttackLab.LEASE);
        chaos.note("plan " + target + " " + planned);
        if (planned.ok()) {
            self.pause();
            Optional<MoveRecord> planning = chaos.lab.journal.find(id);
            if (planning.isPresent()) { // else the directory has lost it
                have(planning);
                forward();
            }
        }
    }

    void recover(UUID id, boolean onward) {
        Optional<MoveRecord> taken =
                chaos.lab.journal.takeOver(id, UUID.randomUUID().toString(), AttackLab.LEASE, true);
        chaos.note(
                "take over " + taken.map(m -> m.phase() + " epoch " + m.epoch()).orElse("nothing"));
        if (taken.isEmpty() || taken.get().phase().finished()) {
            return;
        }
        have(taken);
        self.pause();
        try {
            if (phase == MovePhase.FLIPPED || phase == MovePhase.ACTIVATED) {
                fence(move.source());
                fence(move.target());
                aftermath();
                return;
            }
            fence(move.source());
            if (sourceMoved()) {
                redo();
                return;
            }
            if (onward && phase.beforeFlip()) {
                fence(move.target());
                forward();
                return;
            }
            must(chaos.lab.journal.abort(ticket(), "chaos"));
            phase = MovePhase.ABORTING;
            undo();
        } catch (Stopped e) {
            chaos.note("gave up: " + e);
        }
    }

    void clean(UUID id) {
        Optional<MoveRecord> taken =
                chaos.lab.journal.takeOver(id, UUID.randomUUID().toString(), AttackLab.LEASE, true);
        if (taken.isEmpty()) {
            return;
        }
        have(taken);
        chaos.note("clean " + move.source() + " epoch " + move.epoch());
        self.pause();
        try {
            fence(move.source());
            Placement home = chaos.lab.directory.find(chaos.tenant).orElseThrow();
            self.pause();
            Optional<Ownership> there = chaos.lab.ownership(home.shard(), chaos.tenant);
            boolean elsewhere = !home.shard().equals(move.source())
                    && there.filter(row -> (row.state() == OwnershipState.OWNED || row.state() == OwnershipState.FROZEN)
                                    && row.generation() > move.generation())
                            .isPresent();
            self.pause();
            if (!elsewhere || !sourceMoved()) {
                return;
            }
            if (phase == MovePhase.RETAINED) {
                advance(MovePhase.CLEANING);
            }
            sweep(move.source());
            advance(MovePhase.DONE);
        } catch (Stopped e) {
            chaos.note("not cleaned: " + e);
        }
    }

    private void have(Optional<MoveRecord> record) {
        this.move = record.orElseThrow();
        this.phase = move.phase();
    }

    private void forward() {
        try {
            copyAndFlip();
        } catch (Stopped e) {
            chaos.note(e.toString());
            if (!phase.beforeFlip()) {
                return;
            }
            try {
                must(chaos.lab.journal.abort(ticket(), "chaos"));
                phase = MovePhase.ABORTING;
                self.pause();
                undo();
            } catch (Stopped lost) {
                chaos.note("lost: " + lost);
            }
            return;
        }
        try {
            aftermath();
        } catch (Stopped e) {
            chaos.note("unsettled: " + e);
        }
    }

    private void copyAndFlip() throws Stopped {
        if (phase == MovePhase.PLANNED) {
            advance(MovePhase.RESERVED);
        }
        step("reserve", move.target(), c -> guard.reserve(c, token(), next()).toString());
        if (phase == MovePhase.RESERVED) {
            advance(MovePhase.FREEZING);
        }
        step(
                "freeze",
                move.source(),
                c -> guard.freeze(c, token(), move.generation(), LOCK).toString());
        if (phase == MovePhase.FREEZING) {
            advance(MovePhase.FROZEN);
        }
        if (phase != MovePhase.COPYING) {
            advance(MovePhase.COPYING);
        }
        sweep(move.target());
        List<String> rows = rows(move.source());
        self.pause();
        step("copy", move.target(), c -> {
            guard.enterMover(c, token());
            for (String row : rows) {
                Jdbc.run(
                        c,
                        "INSERT INTO app.rows SELECT ?, split_part(r, '=', 1)::int, split_part(r, '=', 2)::int"
                                + " FROM (SELECT CAST(? AS text)) x(r)",
                        chaos.tenant.value(),
                        row);
            }
            return "done";
        });
        List<String> here = rows(move.source());
        self.pause();
        if (!here.equals(rows(move.target()))) {
            throw new Stopped("rows differ");
        }
        self.pause();
        step("mark", move.target(), c -> guard.markVerified(c, token(), next()).toString());
        advance(MovePhase.VERIFIED);
        self.pause();
        must(chaos.lab.journal.flip(ticket()));
        phase = MovePhase.FLIPPED;
        chaos.note("flipped to " + move.target());
        self.pause();
    }

    private void aftermath() throws Stopped {
        if (phase == MovePhase.FLIPPED) {
            step(
                    "moved",
                    move.source(),
                    c -> guard.markMoved(c, token(), move.generation(), move.target())
                            .toString());
            step(
                    "activate",
                    move.target(),
                    c -> guard.activate(c, token(), next()).toString());
            advance(MovePhase.ACTIVATED);
        }
        if (phase == MovePhase.ACTIVATED) {
            advance(MovePhase.RETAINED);
        }
    }

    private void redo() throws Stopped {
        fence(move.target());
        Optional<Ownership> row = chaos.lab.ownership(move.target(), chaos.tenant);
        if (row.isPresent() && row.get().state() == OwnershipState.INCOMING) {
            if (!rows(move.source()).equals(rows(move.target()))) {
                throw new Stopped("rows differ at redo");
            }
            step(
                    "mark",
                    move.target(),
                    c -> guard.markVerified(c, token(), next()).toString());
        }
        must(chaos.lab.journal.redoFlip(ticket(), "{}"));
        chaos.note("redone flip");
        phase = MovePhase.FLIPPED;
        self.pause();
        aftermath();
    }

    private void undo() throws Stopped {
        fence(move.source());
        step(
                "unfreeze",
                move.source(),
                c -> guard.unfreeze(c, token(), move.generation()).toString());
        fence(move.target());
        if (held()) {
            sweep(move.target());
        }
        try {
            step(
                    "release",
                    move.target(),
                    c -> guard.release(c, token(), next()).toString());
        } catch (Stopped e) {
            if (held()) {
                throw e;
            }
        }
        advance(MovePhase.ABORTED);
    }

    private boolean held() {
        return chaos.lab
                .ownership(move.target(), chaos.tenant)
                .filter(row -> row.state() == OwnershipState.INCOMING
                        && move.id().equals(row.move())
                        && row.generation() == next())
                .isPresent();
    }

    private boolean sourceMoved() {
        return chaos.lab
                .ownership(move.source(), chaos.tenant)
                .filter(row -> row.state() == OwnershipState.MOVED
                        && row.generation() == move.generation()
                        && move.id().equals(row.move()))
                .isPresent();
    }

    private void fence(ShardId shard) throws Stopped {
        step("fence", shard, c -> guard.takeOver(c, token()).toString());
    }

    private void sweep(ShardId shard) throws Stopped {
        step("sweep", shard, c -> {
            guard.sweep(c, token(), ROWS, 1000);
            return "done";
        });
    }

    private List<String> rows(ShardId shard) {
        return chaos.lab.query(
                shard, "SELECT id || '=' || val FROM app.rows WHERE tenant_id = ? ORDER BY id", chaos.tenant.value());
    }

    private void advance(MovePhase to) throws Stopped {
        self.pause();
        must(chaos.lab.journal.advance(ticket(), phase, to, "{}", AttackLab.LEASE));
        phase = to;
        self.pause();
    }

    private static void must(StepResult result) throws Stopped {
        if (!result.ok()) {
            throw new Stopped(result.toString());
        }
    }

    /** One step on a shard; the process may die before it, while it is under way, or before it hears of its end. */
    private void step(String what, ShardId shard, Step step) throws Stopped {
        for (int i = 0; i < TRIES; i++) {
            try {
                String answer = once(what, shard, step);
                chaos.note(what + " on " + shard + " by " + move.epoch() + " " + answer);
                if (answer.startsWith("refused")) {
                    throw new Stopped(what + " on " + shard + " by " + move.epoch() + " " + answer);
                }
                return;
            } catch (SQLException e) {
                if (!SqlStates.LOCK_TIMEOUT.equals(e.getSQLState()) && !"40P01".equals(e.getSQLState())) {
                    throw new Stopped(what + " on " + shard + " by " + move.epoch() + " " + e.getSQLState());
                }
            }
            self.pause();
        }
        throw new Stopped(what + " on " + shard + ": no patience left");
    }

    private String once(String what, ShardId shard, Step step) throws SQLException {
        try {
            self.pause();
        } catch (Coroutine.Killed e) {
            if (chaos.random.nextBoolean()) {
                chaos.ghosts.add(() -> late(what, shard, step));
            }
            throw e;
        }
        Connection connection = chaos.connect(shard);
        boolean left = false;
        try {
            connection.setAutoCommit(false);
            String answer = step.run(connection);
            self.pause();
            connection.commit();
            return answer;
        } catch (Coroutine.Killed e) {
            left = true;
            boolean commits = chaos.random.nextBoolean();
            chaos.ghosts.add(() -> end(what + " on " + shard + " by " + move.epoch(), connection, commits));
            throw e;
        } finally {
            if (!left) {
                connection.close();
            }
        }
    }

    private void late(String what, ShardId shard, Step step) {
        String who = "late " + what + " on " + shard + " by " + move.epoch();
        try (Connection connection = chaos.connect(shard)) {
            connection.setAutoCommit(false);
            String answer = step.run(connection);
            connection.commit();
            chaos.note(who + " " + answer);
        } catch (SQLException e) {
            chaos.note(who + " " + e.getSQLState());
        }
    }

    private void end(String who, Connection connection, boolean commits) {
        try (connection) {
            if (commits) {
                connection.commit();
                chaos.note("late commit of " + who);
            } else {
                connection.rollback();
            }
        } catch (SQLException e) {
            chaos.note("late end of " + who + " " + e.getSQLState());
        }
    }

    private long next() {
        return move.generation() + 1;
    }

    private MoveTicket ticket() {
        return new MoveTicket(move.id(), move.epoch(), move.attempt());
    }

    private MoverToken token() {
        return new MoverToken(chaos.tenant, move.id(), move.epoch(), move.attempt());
    }
}
