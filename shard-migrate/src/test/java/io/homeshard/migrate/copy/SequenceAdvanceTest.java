package io.homeshard.migrate.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.migrate.TwoShards;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SequenceAdvanceTest {
    private static final String TABLES = """
            CREATE SEQUENCE app.inv_no_seq;
            CREATE SEQUENCE app.ticket;
            CREATE TABLE app.s(tenant_id text, id serial, PRIMARY KEY (id));
            CREATE TABLE app.i(tenant_id text, id int GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (id));
            CREATE TABLE app.f(tenant_id text, id bigint DEFAULT nextval('app.inv_no_seq'), PRIMARY KEY (id));
            CREATE TABLE app.none(tenant_id text, id serial, PRIMARY KEY (id));
            """;
    private static final String ROWS = """
            INSERT INTO app.s(tenant_id) SELECT 't' FROM generate_series(1, 40);
            INSERT INTO app.i(tenant_id) SELECT 't' FROM generate_series(1, 41);
            INSERT INTO app.f(tenant_id) SELECT 't' FROM generate_series(1, 42);
            SELECT nextval('app.ticket') FROM generate_series(1, 43);
            """;

    @Test
    void d2EmptyTargetGoesOnWhereTheSourceStands() throws SQLException {
        try (TwoShards shards = TwoShards.inApp(TABLES)) {
            TwoShards.run(shards.source(), ROWS);
            shards.move("t");
            Connection target = shards.target();
            assertThat(TwoShards.query(target, "INSERT INTO app.s VALUES ('t') RETURNING id"))
                    .containsExactly("41");
            assertThat(TwoShards.query(target, "INSERT INTO app.i VALUES ('t') RETURNING id"))
                    .containsExactly("42");
            assertThat(TwoShards.query(target, "INSERT INTO app.f VALUES ('t') RETURNING id"))
                    .containsExactly("43");
            assertThat(TwoShards.query(target, "SELECT nextval('app.ticket')")).containsExactly("44");
            assertThat(TwoShards.query(target, "INSERT INTO app.none VALUES ('t') RETURNING id"))
                    .as("nothing was ever taken: not set to 0, not moved")
                    .containsExactly("1");
        }
    }

    @Test
    void d2BusyTargetNeverGoesBackAndPassesWhatCame() throws SQLException {
        try (TwoShards shards = TwoShards.inApp(TABLES)) {
            TwoShards.run(shards.source(), ROWS);
            // given by hand on the target, above its own sequence; and a sequence that stands beyond the source's
            TwoShards.run(
                    shards.target(),
                    "INSERT INTO app.s(tenant_id, id) VALUES ('other', 500);"
                            + "SELECT setval('app.i_id_seq', 900); SELECT setval('app.ticket', 7)");
            List<AdvancedSequence> changed =
                    SequenceAdvance.advance(shards.target(), shards.catalog(), shards.source());
            assertThat(changed)
                    .extracting(c -> c.sequence().name(), AdvancedSequence::before, AdvancedSequence::after)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("inv_no_seq", 1L, 43L),
                            org.assertj.core.groups.Tuple.tuple("s_id_seq", 1L, 501L),
                            org.assertj.core.groups.Tuple.tuple("ticket", 8L, 44L));
            assertThat(TwoShards.query(shards.target(), "SELECT nextval('app.i_id_seq')"))
                    .containsExactly("901");
            assertThat(SequenceAdvance.advance(shards.target(), shards.catalog(), shards.source()))
                    .as("a second time there is nothing to do")
                    .isEmpty();
        }
    }

    @Test
    void d2StepDirectionAndEndOfTheTargetsSequenceAreKept() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE SEQUENCE app.down INCREMENT BY -1;
                CREATE SEQUENCE app.stride INCREMENT BY 10 START 3;
                CREATE SEQUENCE app.tiny MAXVALUE 5;
                """)) {
            TwoShards.run(shards.source(), """
                    SELECT nextval('app.down') FROM generate_series(1, 9);
                    ALTER SEQUENCE app.stride RESTART 4; SELECT nextval('app.stride') FROM generate_series(1, 3);
                    SELECT nextval('app.tiny') FROM generate_series(1, 5);
                    """);
            SequenceAdvance.advance(shards.target(), shards.catalog(), shards.source());
            Connection target = shards.target();
            assertThat(TwoShards.query(target, "SELECT nextval('app.down')")).containsExactly("-10");
            assertThat(TwoShards.query(target, "SELECT nextval('app.stride')"))
                    .as("beyond 34, and still one of 3, 13, 23, ...")
                    .containsExactly("43");
            assertThatThrownBy(() -> TwoShards.query(target, "SELECT nextval('app.tiny')"))
                    .hasMessageContaining("reached maximum value");
        }
    }

    @Test
    void alterSequenceHoldsNextvalOffAndSetvalDoesNot() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("CREATE SEQUENCE app.q");
                Connection other = shards.otherTarget()) {
            TwoShards.run(other, "SET lock_timeout = '200ms'");
            shards.target().setAutoCommit(false);
            TwoShards.run(shards.target(), "SELECT setval('app.q', 50)");
            assertThat(TwoShards.query(other, "SELECT nextval('app.q')")).containsExactly("51");
            TwoShards.run(shards.target(), "ALTER SEQUENCE app.q INCREMENT BY 1");
            assertThatThrownBy(() -> TwoShards.query(other, "SELECT nextval('app.q')"))
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("55P03");
            shards.target().commit();
            assertThat(TwoShards.query(other, "SELECT nextval('app.q')")).containsExactly("52");
        }
    }

    @Test
    void openTransactionThatUsesTheSequenceIsWaitedFor() throws Exception {
        try (TwoShards shards = TwoShards.inApp("CREATE SEQUENCE app.q");
                Connection other = shards.otherTarget();
                Connection watch = shards.otherTarget()) {
            TwoShards.run(shards.source(), "SELECT setval('app.q', 70)");
            other.setAutoCommit(false);
            TwoShards.run(other, "SELECT nextval('app.q')");
            CompletableFuture<List<AdvancedSequence>> advance = CompletableFuture.supplyAsync(() -> {
                try {
                    return SequenceAdvance.advance(shards.target(), shards.catalog(), shards.source());
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await(
                    watch,
                    "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'ShareRowExclusiveLock'"
                            + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())");
            assertThat(advance).isNotDone();
            other.commit();
            assertThat(advance.get(30, TimeUnit.SECONDS)).hasSize(1);
            assertThat(TwoShards.query(other, "SELECT nextval('app.q')")).containsExactly("71");
        }
    }

    @Test
    void valuesTakenMeanwhileAreNeverHandedOutAgain() throws Exception {
        try (TwoShards shards = TwoShards.inApp("CREATE SEQUENCE app.q");
                Connection other = shards.otherTarget()) {
            AtomicBoolean stop = new AtomicBoolean();
            CountDownLatch started = new CountDownLatch(1);
            CompletableFuture<Integer> taker = CompletableFuture.supplyAsync(() -> {
                Set<String> seen = new HashSet<>();
                while (!stop.get()) {
                    List<String> value = take(other);
                    assertThat(seen.addAll(value))
                            .as("%s was handed out twice", value)
                            .isTrue();
                    started.countDown();
                }
                return seen.size();
            });
            assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
            long bound = 0;
            for (int round = 1; round <= 20; round++) {
                // just ahead of the target, where reading first and setting later would go wrong
                bound = Long.parseLong(TwoShards.query(shards.target(), "SELECT last_value FROM app.q")
                                .get(0))
                        + 20;
                TwoShards.run(shards.source(), "SELECT setval('app.q', " + bound + ")");
                SequenceAdvance.advance(shards.target(), shards.catalog(), shards.source());
            }
            stop.set(true);
            assertThat(taker.get(30, TimeUnit.SECONDS)).isPositive();
            assertThat(Long.parseLong(take(other).get(0))).isGreaterThan(bound);
        }
    }

    private static List<String> take(Connection connection) {
        try {
            return TwoShards.query(connection, "SELECT nextval('app.q')");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(Connection connection, String count) throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (TwoShards.query(connection, count).get(0).equals("0")) {
            assertThat(System.nanoTime() - deadline).as("nobody waits").isNegative();
            Thread.onSpinWait();
        }
    }
}
