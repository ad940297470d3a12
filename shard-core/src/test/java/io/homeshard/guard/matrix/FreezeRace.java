package io.homeshard.guard.matrix;

import io.homeshard.internal.jdbc.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Writers that share tenants and go on from round to round, against a mover that freezes one tenant in each round. One
 * thread plays the mover.
 */
final class FreezeRace implements AutoCloseable {
    private static final int WRITERS = 4;
    private static final int TENANTS = 3;
    private static final Duration TOO_LONG = Duration.ofSeconds(30);
    private static final String SEED = "INSERT INTO shop.%s (tenant_id, k, v) VALUES (?, 0, 0)";

    private final Stage stage;
    private final RaceMover mover;
    private final Random random;
    private final List<Subject> subjects = new ArrayList<>();
    private final List<RaceTenant> tenants = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private final List<RaceWriter> writers = new ArrayList<>();
    private final List<Future<?>> ends = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private RaceTally tally = RaceTally.none();

    FreezeRace(GuardedShop shop, String table, Random random) throws SQLException {
        this.stage = Stage.open(shop);
        this.mover = new RaceMover(stage, table);
        this.random = random;
        stage.observer().run("SELECT homeshard.grant_application('app')");
        for (int i = 0; i < TENANTS; i++) {
            Subject subject = Subject.fresh(TenantType.TEXT);
            stage.mover().own(subject);
            Jdbc.update(stage.writer().connection(), SEED.formatted(table), subject.name());
            subjects.add(subject.again());
            tenants.add(RaceTenant.of(subject));
        }
        for (int i = 1; i <= WRITERS; i++) {
            Connection connection = shop.connectAsApp();
            connections.add(connection);
            writers.add(new RaceWriter(connection, table, tenants, i, new Random(random.nextLong())));
        }
        writers.forEach(writer -> ends.add(threads.submit(writer)));
    }

    /**
     * Plays rounds until something is wrong.
     *
     * @return what was lost, doubled, resurrected or written in spite of the freeze; empty when all is well
     */
    List<String> play(int rounds) throws Exception {
        try {
            for (int round = 1; round <= rounds && violations.isEmpty(); round++) {
                round(random.nextInt(TENANTS));
            }
        } finally {
            writers.forEach(RaceWriter::stop);
            for (Future<?> end : ends) {
                end.get(TOO_LONG.toSeconds(), TimeUnit.SECONDS);
            }
        }
        for (Subject subject : subjects) {
            compare("at the end", subject);
        }
        writers.forEach(writer -> violations.addAll(writer.violations()));
        tally = tally.withTransactions(count(false), count(true));
        return violations;
    }

    /** What happened. */
    RaceTally tally() {
        return tally;
    }

    private long count(boolean refusals) {
        return writers.stream().mapToLong(writer -> writer.count(refusals)).sum();
    }

    private void round(int number) throws Exception {
        Subject subject = subjects.get(number);
        RaceWriter one = writers.get(random.nextInt(WRITERS));
        one.awaitEnded(one.begun() + random.nextInt(10));
        for (int busy = mover.freeze(subject, random); busy > 0; busy--) {
            tally = tally.plusBusy();
        }
        List<String> rows = mover.rows(subject);
        awaitNext(1);
        compare("while frozen", subject);
        expect("two snapshots of the frozen tenant are the same", subject, rows);
        boolean move = random.nextBoolean();
        tally = tally.plusFreeze(move);
        subjects.set(number, move ? moved(subject, rows) : mover.thaw(subject));
        tenants.get(number).generation().set(subjects.get(number).generation());
        awaitNext(random.nextInt(4));
    }

    /** Away and back again, with the rows or, as if they had been copied back already, without them. */
    private Subject moved(Subject subject, List<String> rows) throws Exception {
        mover.away(subject);
        boolean swept = random.nextInt(3) > 0;
        if (swept) {
            mover.sweep(subject);
        }
        awaitNext(1);
        List<String> left = swept ? List.of() : rows;
        expect("nothing happens while it is away", subject, left);
        return mover.back(subject, swept ? rows : List.of());
    }

    /** Waits until what the writers do now has ended, and that many attempts more. */
    private void awaitNext(int attempts) throws InterruptedException {
        for (RaceWriter writer : writers) {
            writer.awaitEnded(writer.begun() + attempts);
        }
    }

    private void expect(String what, Subject subject, List<String> rows) throws SQLException {
        if (!mover.rows(subject).equals(rows)) {
            violations.add("not so: " + what);
        }
    }

    private void compare(String when, Subject subject) throws SQLException {
        List<RaceState> states = writers.stream().map(RaceWriter::acknowledged).toList();
        List<String> expected = RaceState.ledger(states, subject.name());
        List<String> actual = mover.rows(subject);
        if (!actual.equals(expected)) {
            List<String> lost = new ArrayList<>(expected);
            actual.forEach(lost::remove);
            List<String> surplus = new ArrayList<>(actual);
            expected.forEach(surplus::remove);
            violations.add(when + " lost " + lost + ", doubled or resurrected " + surplus);
        }
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
