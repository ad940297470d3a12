package io.homeshard.migrate.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.migrate.TwoShards;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables that other ways of comparing stumble over. */
class VerifyCasesTest {
    private static final TenantId T = TenantId.of("t");

    @Test
    void d4_generatedColumnsAreComparedAndMayBeAllThatThereIs() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.line (tenant_id text, id int, price numeric, qty int,
                  total numeric GENERATED ALWAYS AS (qty * price) STORED,
                  words tsvector GENERATED ALWAYS AS (to_tsvector('simple', 'a ' || qty)) STORED);
                CREATE TABLE app.only_tenant (tenant_id text, len int GENERATED ALWAYS AS (length(tenant_id)) STORED);
                """)) {
            TwoShards.run(
                    shards.source(),
                    "INSERT INTO app.line SELECT 't', i, i * 1.10, i FROM generate_series(1, 20) i;"
                            + " INSERT INTO app.only_tenant VALUES ('t'), ('t'), ('other')");
            shards.copy("t");
            assertThat(shards.compare("t").differences()).isEmpty();
            assertThat(TenantDigest.read(shards.target(), shards.catalog(), T))
                    .extracting(TableDigest::rows)
                    .containsExactly(20L, 2L);
        }
    }

    /** A filter would make both sides look empty, and equal. */
    @Test
    void d11_rowSecurityThatHidesRowsIsAnErrorAndNoEmptyTable() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("CREATE TABLE app.t (tenant_id text, id int)")) {
            for (Connection shard : List.of(shards.source(), shards.target())) {
                TwoShards.run(shard, """
                        CREATE POLICY mine ON app.t USING (tenant_id = current_setting('app.tenant', true));
                        ALTER TABLE app.t ENABLE ROW LEVEL SECURITY; ALTER TABLE app.t FORCE ROW LEVEL SECURITY;
                        INSERT INTO app.t VALUES ('t', 1), ('t', 2), ('t', 3);
                        CREATE ROLE %1$s; GRANT USAGE ON SCHEMA app TO %1$s; GRANT SELECT ON app.t TO %1$s;
                        """.formatted(role(shard)));
            }
            TwoShards.run(shards.target(), "SET ROLE " + role(shards.target()));
            try {
                assertThat(TwoShards.query(shards.target(), "SELECT count(*) FROM app.t"))
                        .as("the policy hides all")
                        .containsExactly("0");
                assertThatThrownBy(() -> TenantDigest.read(shards.target(), shards.catalog(), T))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("row-level security");
            } finally {
                TwoShards.run(shards.target(), "RESET ROLE");
                for (Connection shard : List.of(shards.source(), shards.target())) {
                    TwoShards.run(shard, "DROP OWNED BY %1$s; DROP ROLE %1$s".formatted(role(shard)));
                }
            }
            assertThat(shards.compare("t").differences()).isEmpty();
        }
    }

    /** Roles belong to a server, on which other tests have theirs. */
    private static String role(Connection shard) throws SQLException {
        return "d11_"
                + TwoShards.query(shard, "SELECT md5(current_database())")
                        .get(0)
                        .substring(0, 12);
    }

    @Test
    void d27_typesWithoutEqualityAreComparedAsWhatTheyAre() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("""
                CREATE TABLE app.geo (tenant_id text, id int, d json, x xml, p point, b box, PRIMARY KEY (tenant_id, id));
                CREATE TABLE app.only_such (tenant_id text, d json, p point, b box);
                """)) {
            TwoShards.run(shards.source(), """
                    INSERT INTO app.geo SELECT 't', i, '{"a": 1,"a":2}', '<a/>', point(i, 0.1), box(point(0, 0), point(i, i))
                      FROM generate_series(1, 10) i;
                    INSERT INTO app.only_such SELECT 't', '{}', point(1, 1), NULL FROM generate_series(1, 3);
                    """);
            shards.copy("t");
            assertThat(shards.compare("t").differences()).isEmpty();
            TwoShards.run(
                    shards.target(),
                    "UPDATE app.geo SET d = '{\"a\": 1, \"a\":2}' WHERE id = 7;"
                            + " DELETE FROM app.only_such WHERE ctid = '(0,1)'");
            assertThat(shards.compare("t").differences())
                    .extracting(difference -> difference.table().name())
                    .containsExactly("geo", "only_such");
        }
    }

    /** The text of such a row would be longer than the server allows a value to be. */
    @Test
    void rowWhoseTextWouldBeTooLongIsCompared() throws SQLException {
        int megabytes = Integer.getInteger("homeshard.test.longRowMegabytes", 1);
        try (TwoShards shards = TwoShards.inApp("CREATE TABLE app.t (tenant_id text, a bytea, b text)")) {
            String row = "INSERT INTO app.t VALUES ('t', decode(repeat('%s', %d), 'hex'), repeat('y', %d))"
                    .formatted("ab", megabytes << 20, megabytes << 20);
            TwoShards.run(shards.source(), row);
            TwoShards.run(shards.target(), row);
            assertThat(shards.compare("t").differences()).isEmpty();
            TwoShards.run(shards.target(), "UPDATE app.t SET a = set_bit(a, 5000, 1 - get_bit(a, 5000))");
            assertThat(shards.compare("t").differences()).hasSize(1);
            TwoShards.run(shards.target(), "UPDATE app.t SET a = set_bit(a, 5000, 1 - get_bit(a, 5000)), b = b || 'z'");
            assertThat(shards.compare("t").differences()).hasSize(1);
        }
    }

    /** An application's table may ask for any type of tenant, and its answer have any shape. */
    @Test
    void checksAreBoundAndComparedWithoutRegardToOrder() throws SQLException {
        try (TwoShards shards = TwoShards.inApp("CREATE TABLE app.t (tenant_id bigint, id int, doc jsonb)")) {
            TwoShards.run(shards.source(), "INSERT INTO app.t VALUES (7, 1, '{\"a\":1}'), (7, 2, NULL), (8, 1, NULL)");
            TwoShards.run(shards.target(), "INSERT INTO app.t VALUES (7, 2, NULL), (7, 1, '{\"a\":1}'), (9, 1, NULL)");
            List<MoveCheck> checks = List.of(
                    new MoveCheck("count", "SELECT count(*) FROM app.t WHERE tenant_id = ?"),
                    new MoveCheck("rows", "SELECT id, doc FROM app.t WHERE tenant_id = ? -- all\n;"),
                    new MoveCheck("operator", "SELECT count(*) FROM app.t WHERE doc ?? 'a' AND tenant_id = ?"),
                    new MoveCheck("others", "SELECT tenant_id FROM app.t WHERE tenant_id <> ?"));

            List<CheckAnswer> source = CheckRun.ask(shards.source(), checks, TenantId.of("7"));
            List<CheckAnswer> target = CheckRun.ask(shards.target(), checks, TenantId.of("7"));

            assertThat(source).extracting(CheckAnswer::rows).containsExactly(1L, 2L, 1L, 1L);
            for (int i = 0; i < checks.size(); i++) {
                assertThat(source.get(i).same(target.get(i)))
                        .as(checks.get(i).name())
                        .isEqualTo(i < 3);
            }
            assertThatThrownBy(() -> CheckRun.ask(
                            shards.source(),
                            List.of(new MoveCheck("writes", "DELETE FROM app.t WHERE tenant_id = ?")),
                            TenantId.of("7")))
                    .isInstanceOf(SQLException.class)
                    .hasMessage("check writes - its query failed");
        }
    }
}
