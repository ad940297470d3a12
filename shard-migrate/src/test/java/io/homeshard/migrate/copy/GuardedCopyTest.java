package io.homeshard.migrate.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.guard.MoverToken;
import io.homeshard.guard.WriteGuard;
import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.migrate.schema.OwnSchema;
import io.homeshard.migrate.verify.TenantDigest;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Copies and sweeps on shards whose tables are guarded, with the steps that a move takes around them. */
class GuardedCopyTest {
    private static final Duration LOCK_TIMEOUT = Duration.ofMillis(500);
    private static final TenantSchema APP =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();

    private final WriteGuard guard = WriteGuard.create();

    @Test
    void d7d38WholeWayThereAndSweptAgain() throws SQLException {
        try (TwoShards shards = guarded(APP, """
                CREATE SCHEMA app;
                CREATE TABLE app.emp(id int PRIMARY KEY, tenant_id text, boss int REFERENCES app.emp);
                """)) {
            String tenant = "x'); drop table app.emp;--\uD83E\uDD84";
            own(shards.source(), tenant);
            try (PreparedStatement rows = shards.source()
                    .prepareStatement(
                            "INSERT INTO app.emp SELECT i, ?, least(i + 7, 10000) FROM generate_series(1, 10000) i")) {
                rows.setString(1, tenant);
                rows.executeUpdate();
            }
            roundTrip(shards, tenant, 10_000);
        }
    }

    @Test
    void d6d14ChildrenAreSweptBeforeParentsWhateverTheNames() throws SQLException {
        TenantSchema odd =
                TenantSchema.tenantColumn("tenant Id").inSchemas("My-App").build();
        try (TwoShards shards = guarded(odd, """
                CREATE SCHEMA "My-App";
                CREATE TABLE "My-App"."Z Acct"("tenant Id" text, "select" int, PRIMARY KEY ("tenant Id", "select"));
                CREATE TABLE "My-App"."Order"("user" text, "tenant Id" text, "a""b" int,
                  FOREIGN KEY ("tenant Id", "a""b") REFERENCES "My-App"."Z Acct");
                """)) {
            for (String tenant : List.of("o'brien", "other")) {
                own(shards.source(), tenant);
                String quoted = tenant.replace("'", "''");
                TwoShards.run(
                        shards.source(),
                        ("INSERT INTO \"My-App\".\"Z Acct\" VALUES ('%1$s', 1);"
                                        + "INSERT INTO \"My-App\".\"Order\" VALUES ('u', '%1$s', 1), ('v', '%1$s', 1)")
                                .formatted(quoted));
            }
            roundTrip(shards, "o'brien", 3);
        }
    }

    @Test
    void olderMoverCopiesNothing() throws SQLException {
        try (TwoShards shards = guarded(APP, "CREATE SCHEMA app; CREATE TABLE app.t(tenant_id text, v int)")) {
            own(shards.source(), "t");
            TwoShards.run(shards.source(), "INSERT INTO app.t VALUES ('t', 1)");
            MoverToken old = new MoverToken(TenantId.of("t"), UUID.randomUUID(), 10, 1);
            assertThat(guard.reserve(shards.target(), old, 2).ok()).isTrue();
            MoverToken next = new MoverToken(old.tenant(), old.move(), 11, 2);
            assertThat(guard.takeOver(shards.target(), next).ok()).isTrue();

            assertThatThrownBy(() -> copy(shards, old))
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("HS004");
            assertThat(TwoShards.query(shards.target(), "SELECT count(*) FROM app.t"))
                    .containsExactly("0");
            assertThat(copy(shards, next).rows()).isEqualTo(1);
        }
    }

    @Test
    void moverPutsNoOtherTenantsRowThere() throws SQLException {
        try (TwoShards shards = guarded(APP, "CREATE SCHEMA app; CREATE TABLE app.t(tenant_id text, v int)")) {
            // a trigger of the application's on the target makes another tenant's row out of what comes in
            TwoShards.run(
                    shards.target(),
                    "CREATE FUNCTION app.turn() RETURNS trigger LANGUAGE plpgsql AS"
                            + " 'BEGIN NEW.tenant_id := ''victim''; RETURN NEW; END';"
                            + " CREATE TRIGGER turn BEFORE INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION app.turn()");
            own(shards.source(), "t");
            own(shards.target(), "settled");
            TwoShards.run(shards.source(), "INSERT INTO app.t VALUES ('t', 1)");
            MoverToken token = new MoverToken(TenantId.of("t"), UUID.randomUUID(), 10, 1);
            guard.reserve(shards.target(), token, 2);
            assertThatThrownBy(() -> copy(shards, token))
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("HS001");
        }
    }

    /** Freeze, copy, compare, advance; then the attempt is given up and the target is as empty as before. */
    private void roundTrip(TwoShards shards, String tenant, long rows) throws SQLException {
        MoverToken token = new MoverToken(TenantId.of(tenant), UUID.randomUUID(), 1000, 1);
        TenantCatalog catalog = shards.catalog();
        assertThat(guard.freeze(shards.source(), token, 1, Duration.ofMillis(100))
                        .ok())
                .isTrue();
        assertThat(guard.reserve(shards.target(), token, 2).ok()).isTrue();
        assertThat(copy(shards, token).rows()).isEqualTo(rows);
        SequenceAdvance.advance(shards.target(), catalog, shards.source());
        assertThat(shards.compare(tenant).differences()).isEmpty();
        assertThat(sweep(shards.target(), catalog, token)).isEqualTo(rows);
        assertThat(TenantDigest.read(shards.target(), catalog, token.tenant()))
                .allSatisfy(digest -> assertThat(digest.rows()).isZero());
        assertThat(TenantDigest.read(shards.source(), catalog, token.tenant()).stream()
                        .mapToLong(digest -> digest.rows())
                        .sum())
                .isEqualTo(rows);
        assertThat(guard.release(shards.target(), token, 2).ok()).isTrue();
    }

    private long sweep(Connection shard, TenantCatalog catalog, MoverToken token) throws SQLException {
        long swept = 0;
        List<TenantTable> tables = catalog.tables();
        for (int i = tables.size() - 1; i >= 0; i--) {
            long batch;
            do {
                batch = guard.sweep(shard, token, tables.get(i).name(), 500);
                swept += batch;
            } while (batch >= 500);
        }
        return swept;
    }

    private CopyReport copy(TwoShards shards, MoverToken token) throws SQLException {
        CopyEnds ends = new CopyEnds(shards.source(), shards.target(), guard);
        return TenantCopy.create().copy(ends, shards.catalog(), token, CopyListener.NONE);
    }

    private TwoShards guarded(TenantSchema schema, String ddl) throws SQLException {
        TwoShards shards = TwoShards.with(schema, ddl);
        for (int index = 0; index < 2; index++) {
            OwnSchema.SHARD.migrate(shards.dataSource(index));
        }
        guard.install(shards.source(), schema, LOCK_TIMEOUT);
        guard.install(shards.target(), schema, LOCK_TIMEOUT);
        return shards;
    }

    private void own(Connection shard, String tenant) throws SQLException {
        MoverToken creation = new MoverToken(TenantId.of(tenant), UUID.randomUUID(), 1, 1);
        assertThat(guard.reserve(shard, creation, 1).ok()).isTrue();
        assertThat(guard.markVerified(shard, creation, 1).ok()).isTrue();
        assertThat(guard.activate(shard, creation, 1).ok()).isTrue();
    }
}
