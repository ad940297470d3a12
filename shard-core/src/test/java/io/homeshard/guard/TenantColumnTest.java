package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.NOTES;
import static io.homeshard.guard.GuardedShard.done;
import static io.homeshard.guard.GuardedShard.fails;
import static io.homeshard.guard.GuardedShard.mover;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Types of the tenant column: guarded, counted and swept alike. */
class TenantColumnTest {
    private static final TableName T = TableName.parse("public.t");

    private GuardedShard shard;

    @BeforeEach
    void start() {
        shard = GuardedShard.empty();
    }

    @AfterEach
    void stop() {
        shard.close();
    }

    private void insert(String tenant) throws SQLException {
        try (Connection connection = shard.connect()) {
            String type = GuardedShard.text(
                    connection,
                    "SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
                            + " WHERE attrelid = 't'::regclass AND attname = 'tenant_id'");
            Jdbc.update(connection, "INSERT INTO t (tenant_id) VALUES (CAST(CAST(? AS text) AS " + type + "))", tenant);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "text, acme, Acme",
        "varchar(12), acme, acme2",
        "char(8), acme, acme2",
        "uuid, 6fa459ea-ee8a-3ca4-894e-db77e160355e, 6fa459ea-ee8a-3ca4-894e-db77e160355f",
        "smallint, 7, 77",
        "integer, -7, 7",
        "bigint, 9223372036854775807, 7",
        "word, acme, acme2",
        "wordling, acme, acme2"
    })
    void aTypeIsGuardedAndSwept(String type, String mine, String other) throws SQLException {
        shard.sql("CREATE DOMAIN word AS varchar(30) CHECK (VALUE <> 'x')", "CREATE DOMAIN wordling AS word");
        shard.sql("CREATE TABLE t (tenant_id " + type + ")");
        shard.install(NOTES);
        TenantId one = shard.owned(TenantId.of(mine));
        fails("HS001", () -> insert(other));
        TenantId two = shard.owned(TenantId.of(other));
        insert(mine);
        insert(other);
        MoverToken token = shard.moved(one);
        try (Connection connection = shard.connect()) {
            assertThat(shard.guard.sweep(connection, token, T, 100)).isEqualTo(1);
        }
        assertThat(shard.number("SELECT count(*) FROM t WHERE tenant_id::text = ?", two.value()))
                .isEqualTo(1);
    }

    @Test
    void citextIsTheLowerCaseForm() throws SQLException {
        assumeThat(shard.number("SELECT count(*) FROM pg_available_extensions WHERE name = 'citext'"))
                .isEqualTo(1);
        shard.sql("CREATE SCHEMA ext", "CREATE EXTENSION citext SCHEMA ext");
        shard.sql("CREATE TABLE t (tenant_id ext.citext)");
        shard.install(NOTES);
        try (Connection connection = shard.connect()) {
            // "acme" and "ACME" are one value here and would be two tenants in the directory
            MoverToken upper = new MoverToken(TenantId.of("ACME"), UUID.randomUUID(), 1, 1);
            assertThat(shard.guard.reserve(connection, upper, 1))
                    .hasToString("refused: the name must be lower case, table public.t folds it (citext)");
        }
        TenantId one = shard.owned(TenantId.of("acme"));
        insert("ACME");
        insert("acme");
        fails("HS001", () -> insert("acme2"));
        MoverToken token = shard.moved(one);
        fails("HS001", () -> insert("Acme"));
        try (Connection connection = shard.connect()) {
            assertThat(shard.guard.sweep(connection, token, T, 100)).isEqualTo(2);
        }
    }

    @Test
    void citextWithACollationOfItsOwnIsRefused() throws SQLException {
        assumeThat(shard.number("SELECT count(*) FROM pg_available_extensions WHERE name = 'citext'"))
                .isEqualTo(1);
        shard.sql("CREATE EXTENSION citext");
        shard.sql("CREATE TABLE t (tenant_id citext COLLATE \"C\")");
        fails("0A000", () -> shard.install(NOTES));
        assertThat(shard.gaps())
                .singleElement()
                .asString()
                .contains("has citext tenant column tenant_id with a collation of its own");
    }

    @ParameterizedTest
    @ValueSource(strings = {"numeric", "timestamptz", "jsonb", "text[]", "name", "text COLLATE blind"})
    void anotherTypeIsRefusedByName(String type) throws SQLException {
        shard.sql("CREATE COLLATION blind (provider = icu, locale = 'und', deterministic = false)");
        shard.sql("CREATE TABLE t (tenant_id " + type + ")");
        fails("0A000", () -> shard.install(NOTES));
        assertThat(shard.gaps()).singleElement().asString().startsWith("public.t has tenant column tenant_id");
    }

    @Test
    void aGeneratedColumnIsRefused() throws SQLException {
        shard.sql("CREATE TABLE t (a text, tenant_id text GENERATED ALWAYS AS (a || 'x') STORED)");
        fails("0A000", () -> shard.install(NOTES));
    }

    @ParameterizedTest
    @CsvSource({"integer, 007, 7", "integer, +7, 7", "varchar(3), acme, acm", "integer, acme, 7", "smallint, 70000, 7"})
    void aNameThatOnlyLooksLikeAnotherTenantTouchesNothing(String type, String stranger, String mine)
            throws SQLException {
        shard.sql("CREATE TABLE t (tenant_id " + type + ")");
        shard.install(NOTES);
        shard.owned(TenantId.of(mine));
        insert(mine);
        TenantId other = shard.owned(TenantId.of(stranger));
        MoverToken leaving = shard.moved(other);
        MoverToken arriving = shard.incoming(other, 5);
        try (Connection connection = shard.connect()) {
            fails("HS004", () -> shard.guard.sweep(connection, leaving, T, 100));
            assertThat(shard.guard.sweep(connection, arriving, T, 100)).isZero();
            done(shard.guard.release(connection, arriving, 5));
        }
        assertThat(shard.number("SELECT count(*) FROM t")).isEqualTo(1);
    }

    @Test
    void aUuidHasOneSpelling() throws SQLException {
        shard.sql("CREATE TABLE t (tenant_id uuid)");
        shard.install(NOTES);
        UUID id = UUID.randomUUID();
        shard.owned(TenantId.of(id));
        insert(id.toString().toUpperCase(Locale.ROOT));
        fails("HS001", () -> insert(UUID.randomUUID().toString()));
        assertThat(mover(TenantId.of(id)).tenant().value()).isEqualTo(id.toString());
    }
}
