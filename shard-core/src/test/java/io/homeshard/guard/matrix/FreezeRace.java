package io.homeshard.guard.matrix;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Rounds of concurrent writers against a mover that freezes their tenant. One thread plays the mover. */
final class FreezeRace implements AutoCloseable {
    private static final int WRITERS = 3;
    private static final Duration TOO_LONG = Duration.ofSeconds(30);
    private static final String SEED = "INSERT INTO shop.ledger (tenant_id, k, v) VALUES (?, 0, 0)";
    private static final String ROWS = "SELECT k, v FROM shop.ledger WHERE tenant_id = ? ORDER BY k, v";

    private final Stage stage;
    private final List<Connection> connections = new ArrayList<>();
    private RaceTally tally = RaceTally.none();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);

    FreezeRace(GuardedShop shop) throws SQLException {
        this.stage = Stage.open(shop);
        for (int i = 0; i < WRITERS; i++) {
            connections.add(shop.connectAsApp());
        }
    }

    /**
     * Plays a round.
     *
     * @return what was lost, doubled, resurrected or written in spite of the freeze; empty when all is well
     */
    List<String> round(Random random) throws Exception {
        Subject subject = Subject.fresh(TenantType.TEXT);
        stage.mover().own(subject);
        Jdbc.update(stage.writer().connection(), SEED, subject.name());
        List<RaceWriter> writers = writers(subject, random);
        List<Future<?>> ends = new ArrayList<>();
        writers.forEach(writer -> ends.add(threads.submit(writer)));
        List<String> violations = new ArrayList<>();
        try {
            freezeAtRandomPoint(subject, writers, random, violations);
            if (random.nextBoolean()) {
                stage.mover().unfreeze(subject);
            } else {
                stage.mover().markMoved(subject);
            }
            awaitNext(writers, 1 + random.nextInt(4));
        } finally {
            stop(writers, ends);
        }
        compare("at the end", subject, writers, violations);
        for (RaceWriter writer : writers) {
            violations.addAll(writer.violations());
            tally = tally.plus(writer.count(false), writer.count(true));
        }
        return violations;
    }

    /** What happened so far. */
    RaceTally tally() {
        return tally;
    }

    private List<RaceWriter> writers(Subject subject, Random random) throws SQLException {
        List<RaceWriter> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Level level = Level.values()[random.nextInt(Level.values().length)];
            Connection connection = connections.get(i);
            connection.setAutoCommit(true);
            connection.setTransactionIsolation(
                    switch (level) {
                        case READ_COMMITTED -> Connection.TRANSACTION_READ_COMMITTED;
                        case REPEATABLE_READ -> Connection.TRANSACTION_REPEATABLE_READ;
                        case SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
                    });
            writers.add(new RaceWriter(connection, subject.name(), i + 1, new Random(random.nextLong())));
        }
        return writers;
    }

    private void freezeAtRandomPoint(Subject subject, List<RaceWriter> writers, Random random, List<String> violations)
            throws SQLException, InterruptedException {
        writers.get(random.nextInt(WRITERS)).awaitEnded(random.nextInt(15));
        Deadline deadline = Deadline.in(TOO_LONG);
        Duration lockTimeout = Duration.ofMillis(1 + random.nextInt(40));
        String answer = stage.mover().freeze(subject, lockTimeout);
        while (answer.equals(Mover.BUSY)) {
            tally = tally.plusBusy();
            deadline.check("tenant is never free");
            answer = stage.mover().freeze(subject, lockTimeout);
        }
        if (!answer.equals(Mover.DONE)) {
            throw new IllegalStateException("freeze " + answer);
        }
        List<String> first = rows(subject);
        awaitNext(writers, 1);
        compare("while frozen", subject, writers, violations);
        if (!first.equals(rows(subject))) {
            violations.add("two snapshots of the frozen tenant differ");
        }
    }

    /** Waits until what the writers do now has ended, and that many attempts more. */
    private static void awaitNext(List<RaceWriter> writers, int attempts) throws InterruptedException {
        for (RaceWriter writer : writers) {
            writer.awaitEnded(writer.begun() + attempts);
        }
    }

    private static void stop(List<RaceWriter> writers, List<Future<?>> ends)
            throws InterruptedException, ExecutionException, TimeoutException {
        writers.forEach(RaceWriter::stop);
        for (Future<?> end : ends) {
            end.get(TOO_LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void compare(String when, Subject subject, List<RaceWriter> writers, List<String> violations)
            throws SQLException {
        List<String> expected =
                RaceState.ledger(writers.stream().map(RaceWriter::acknowledged).toList());
        List<String> actual = rows(subject);
        if (!actual.equals(expected)) {
            List<String> lost = new ArrayList<>(expected);
            actual.forEach(lost::remove);
            List<String> surplus = new ArrayList<>(actual);
            expected.forEach(surplus::remove);
            violations.add(when + " lost " + lost + ", doubled or resurrected " + surplus);
        }
    }

    private List<String> rows(Subject subject) throws SQLException {
        return Jdbc.list(
                stage.observer().connection(), ROWS, row -> row.getLong(1) + "=" + row.getLong(2), subject.name());
    }

    @Override
    public void close() throws SQLException {
        threads.shutdownNow();
        for (Connection connection : connections) {
            connection.close();
        }
        stage.close();
    }
}
