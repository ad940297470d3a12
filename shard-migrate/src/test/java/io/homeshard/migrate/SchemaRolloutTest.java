package io.homeshard.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.homeshard.Homeshard;
import io.homeshard.guard.ShardIdentity;
import io.homeshard.migrate.schema.RolloutException;
import io.homeshard.migrate.schema.RolloutReport;
import io.homeshard.migrate.schema.ShardRollout;
import io.homeshard.migrate.schema.ShardRollout.State;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardCredentials;
import io.homeshard.model.ShardId;
import io.homeshard.model.ShardIdentityException;
import io.homeshard.model.ShardStatus;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.Database;
import io.homeshard.test.TestCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SchemaRolloutTest {
    private static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
    private static final String[] SCRIPTS = {"classpath:db/rollout"};
    private static final String[] MORE = {"classpath:db/rollout", "classpath:db/rollout_more"};
    private static final String[] BROKEN = {"classpath:db/rollout", "classpath:db/rollout_broken"};

    private TestCluster cluster;
    private Homeshard homeshard;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(3);
        homeshard = open(cluster);
    }

    @AfterEach
    void stop() {
        homeshard.close();
        cluster.close();
    }

    private static Homeshard open(TestCluster cluster) {
        return open(cluster, TABLES);
    }

    private static Homeshard open(TestCluster cluster, TenantSchema tables) {
        Database any = cluster.directory();
        return Homeshard.builder()
                .directory(any.dataSource())
                .credentials(shard -> new ShardCredentials(any.user(), any.password()))
                .tables(tables)
                .listen(false)
                .build();
    }

    @Test
    void declaredTableThatDoesNotExistKeepsAShardOutOfService() {
        rollout(SCRIPTS).migrateDirectory();
        register(0);
        TenantSchema slip = TenantSchema.tenantColumn("tenant_id")
                .inSchemas("app")
                .ignore("app.adit")
                .build();
        try (Homeshard other = open(cluster, slip)) {
            SchemaRollout wrong = SchemaRollout.of(other, flyway -> flyway.locations(SCRIPTS));
            assertThatThrownBy(wrong::migrate)
                    .isInstanceOf(RolloutException.class)
                    .cause()
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContaining("tables=[app.adit]");
        }
        assertThat(statuses()).containsOnly(ShardStatus.OFFLINE);
    }

    @Test
    void locationThatDoesNotExistKeepsAShardOutOfServiceUnlessItMayBeAbsent() {
        rollout(SCRIPTS).migrateDirectory();
        register(0);
        String[] mistyped = {"classpath:db/rolout"};
        assertThatThrownBy(rollout(mistyped)::migrate)
                .isInstanceOf(RolloutException.class)
                .rootCause()
                .hasMessageContaining("db/rolout");
        assertThat(statuses()).containsOnly(ShardStatus.OFFLINE);

        SchemaRollout lenient = SchemaRollout.of(
                homeshard,
                flyway -> flyway.locations("classpath:db/rollout", "classpath:db/rolout")
                        .failOnMissingLocations(false));
        lenient.migrate();
        assertThat(statuses()).containsOnly(ShardStatus.ACTIVE);
    }

    private SchemaRollout rollout(String... locations) {
        return SchemaRollout.of(homeshard, flyway -> flyway.locations(locations));
    }

    private void register(int... shards) {
        for (int index : shards) {
            homeshard.parts().admin().addShard(shard("s" + index, cluster.shard(index)));
        }
    }

    private static Shard shard(String name, Database database) {
        return new Shard(ShardId.of(name), 0, database.jdbcUrl(), null, 100, ShardStatus.OFFLINE, false, 1);
    }

    private void migrateAllOf(int... shards) {
        rollout(SCRIPTS).migrateDirectory();
        register(shards);
        rollout(SCRIPTS).migrate();
    }

    @Test
    void firstRunMakesShardsCompleteAndPutsThemIntoService() throws SQLException {
        rollout(SCRIPTS).migrateDirectory();
        register(0, 1, 2);
        assertThat(statuses()).containsOnly(ShardStatus.OFFLINE);

        RolloutReport report = rollout(SCRIPTS).migrate();

        assertThat(report.shards())
                .extracting(ShardRollout::shard, ShardRollout::state, ShardRollout::before, ShardRollout::after)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(ShardId.of("s0"), State.CHANGED, null, "2"),
                        org.assertj.core.groups.Tuple.tuple(ShardId.of("s1"), State.CHANGED, null, "2"),
                        org.assertj.core.groups.Tuple.tuple(ShardId.of("s2"), State.CHANGED, null, "2"));
        assertThat(statuses()).containsOnly(ShardStatus.ACTIVE);
        for (int index = 0; index < 3; index++) {
            try (Connection shard = cluster.shard(index).connect()) {
                assertThat(homeshard.parts().guard().unguarded(shard)).isEmpty();
                assertThat(homeshard.parts().guard().identity(shard))
                        .contains(new ShardIdentity(
                                homeshard.parts().admin().identity().id(), ShardId.of("s" + index), 1));
                assertThatThrownBy(() -> TwoShards.run(shard, "INSERT INTO app.note(tenant_id) VALUES ('nobody')"))
                        .extracting(e -> ((SQLException) e).getSQLState())
                        .isEqualTo("HS001");
                assertThat(TwoShards.query(
                                shard,
                                "SELECT indisvalid FROM pg_index" + " WHERE indexrelid = 'app.note_body'::regclass"))
                        .containsExactly("t");
            }
        }
    }

    @Test
    void secondRunChangesNothing() throws SQLException {
        migrateAllOf(0, 1, 2);
        List<String> before = histories();

        rollout(SCRIPTS).migrateDirectory();
        RolloutReport again = rollout(SCRIPTS).migrate();

        assertThat(again.count(State.UNCHANGED)).isEqualTo(3);
        assertThat(again.shards())
                .allSatisfy(shard -> assertThat(shard.before()).isEqualTo("2"));
        assertThat(histories()).isEqualTo(before);
    }

    @Test
    void newShardAndNewScriptComeLater() throws SQLException {
        migrateAllOf(0);
        homeshard.parts().admin().setStatus(ShardId.of("s0"), ShardStatus.DRAINING);
        register(1);

        RolloutReport report = rollout(MORE).migrate();

        assertThat(report.shards())
                .extracting(ShardRollout::state, ShardRollout::before, ShardRollout::after)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(State.CHANGED, "2", "3"),
                        org.assertj.core.groups.Tuple.tuple(State.CHANGED, null, "3"));
        assertThat(statuses())
                .as("what an operator has set stays")
                .containsExactly(ShardStatus.DRAINING, ShardStatus.ACTIVE);
        try (Connection shard = cluster.shard(0).connect()) {
            assertThat(homeshard.parts().guard().unguarded(shard)).isEmpty();
            assertThat(TwoShards.query(
                            shard,
                            "SELECT count(*) FROM pg_trigger WHERE tgrelid = 'app.tag'::regclass"
                                    + " AND tgname LIKE 'zz_homeshard%'"))
                    .containsExactly("4");
        }
    }

    @Test
    void failureStopsThereAndTheNextRunGoesOn() throws SQLException {
        migrateAllOf(0, 1, 2);
        // only s1 has no row, on which the broken script fails
        for (int index : new int[] {0, 2}) {
            try (Connection shard = cluster.shard(index).connect()) {
                TwoShards.run(
                        shard,
                        "INSERT INTO homeshard.ownership(tenant_id, generation, state)"
                                + " VALUES ('t', 1, 'owned'); INSERT INTO app.note(tenant_id) VALUES ('t')");
            }
        }
        RolloutException failure = catchThrowableOfType(
                RolloutException.class, () -> rollout(BROKEN).migrate());
        assertThat(failure)
                .hasMessageContaining("shard s1 - schema was not rolled out")
                .hasMessageContaining("done=1");
        assertThat(failure.shard()).isEqualTo(ShardId.of("s1"));
        assertThat(failure.report().shards())
                .extracting(ShardRollout::state)
                .containsExactly(State.CHANGED, State.FAILED, State.NOT_REACHED);
        assertThat(failure.report().shards().get(1).cause()).isSameAs(failure.getCause());

        try (Connection shard = cluster.shard(1).connect()) {
            TwoShards.run(
                    shard,
                    "INSERT INTO homeshard.ownership(tenant_id, generation, state)"
                            + " VALUES ('u', 1, 'owned'); INSERT INTO app.note(tenant_id) VALUES ('u')");
        }
        assertThat(rollout(BROKEN).migrate().shards())
                .extracting(ShardRollout::state)
                .containsExactly(State.UNCHANGED, State.CHANGED, State.CHANGED);
    }

    @Test
    void addressOfAnotherShardIsRefusedBeforeAnythingIsChanged() throws SQLException {
        migrateAllOf(0);
        try (TestCluster other = TestCluster.start(0);
                Homeshard stranger = open(other)) {
            SchemaRollout foreign = SchemaRollout.of(stranger, flyway -> flyway.locations(MORE));
            foreign.migrateDirectory();
            stranger.parts().admin().addShard(shard("s0", cluster.shard(0)));
            List<String> before = histories();
            assertThatThrownBy(foreign::migrate)
                    .isInstanceOf(RolloutException.class)
                    .cause()
                    .isInstanceOf(ShardIdentityException.class)
                    .hasMessageContaining("another directory");
            assertThat(histories()).isEqualTo(before);
        }
    }

    @Test
    void databaseWithUnknownRowsIsNotTaken() throws SQLException {
        rollout(SCRIPTS).migrateDirectory();
        register(0);
        try (Connection shard = cluster.shard(0).connect()) {
            TwoShards.run(
                    shard,
                    "CREATE SCHEMA app; CREATE TABLE app.old(tenant_id text);" + " INSERT INTO app.old VALUES ('t')");
            assertThatThrownBy(rollout(SCRIPTS)::migrate)
                    .cause()
                    .isInstanceOf(ShardIdentityException.class)
                    .hasMessageContaining("rows in table app.old");
            assertThat(TwoShards.query(shard, "SELECT 1 FROM pg_namespace WHERE nspname = 'homeshard'"))
                    .isEmpty();
        }
    }

    @Test
    void schemaOfANewerLibraryIsLeftAlone() throws SQLException {
        rollout(SCRIPTS).migrateDirectory();
        try (Connection directory = cluster.directory().connect()) {
            TwoShards.run(
                    directory,
                    "CREATE OR REPLACE FUNCTION homeshard.schema_number() RETURNS int LANGUAGE sql"
                            + " IMMUTABLE AS 'SELECT 99'");
            assertThatThrownBy(rollout(SCRIPTS)::migrateDirectory)
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContaining("schema=99");
            assertThat(TwoShards.query(directory, "SELECT homeshard.schema_number()"))
                    .containsExactly("99");
        }
    }

    @Test
    void librarysOwnSchemaIsNotTheApplications() {
        rollout(SCRIPTS).migrateDirectory();
        register(0);
        SchemaRollout wrong =
                SchemaRollout.of(homeshard, flyway -> flyway.locations(SCRIPTS).schemas("homeshard"));
        assertThatThrownBy(wrong::migrate).rootCause().hasMessageContaining("must not manage schema homeshard");
    }

    @Test
    void instancesMayRunItAtOnce() throws Exception {
        rollout(SCRIPTS).migrateDirectory();
        register(0, 1);
        List<CompletableFuture<RolloutReport>> running = Stream.generate(() ->
                        CompletableFuture.supplyAsync(() -> rollout(SCRIPTS).migrate()))
                .limit(3)
                .toList();
        for (CompletableFuture<RolloutReport> run : running) {
            assertThat(run.get(100, TimeUnit.SECONDS).shards())
                    .allSatisfy(shard -> assertThat(shard.after()).isEqualTo("2"));
        }
        assertThat(statuses()).containsOnly(ShardStatus.ACTIVE);
    }

    private List<ShardStatus> statuses() {
        return homeshard.parts().directory().shards().stream()
                .map(Shard::status)
                .toList();
    }

    /** All that Flyway and the guard have written down, with the times at which they did. */
    private List<String> histories() throws SQLException {
        List<String> all = new ArrayList<>();
        for (Database database : cluster.shards()) {
            try (Connection shard = database.connect()) {
                if (!TwoShards.query(shard, "SELECT 1 FROM pg_namespace WHERE nspname = 'homeshard'")
                        .isEmpty()) {
                    all.addAll(TwoShards.query(shard, "SELECT h::text FROM homeshard.schema_history h ORDER BY 1"));
                    all.addAll(TwoShards.query(shard, "SELECT h::text FROM public.flyway_schema_history h ORDER BY 1"));
                    all.addAll(TwoShards.query(shard, "SELECT oid || tgname FROM pg_trigger ORDER BY 1"));
                    all.addAll(TwoShards.query(
                            shard,
                            "SELECT oid || proname FROM pg_proc WHERE pronamespace ="
                                    + " 'homeshard'::regnamespace ORDER BY 1"));
                }
            }
        }
        return all;
    }
}
