package io.homeshard.guard.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.TenantSchema;
import io.homeshard.test.TestCluster;
import io.homeshard.testing.ShardSchemas;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each shape reaches every relation, and takes the place of whichever was there. */
class ShapeTest {
    private static final String TABLES = """
            CREATE EXTENSION citext;
            CREATE TABLE plain (tenant_id text, p int);
            CREATE TABLE word (tenant_id citext, p int);
            CREATE TABLE parent (tenant_id text, p int);
            CREATE TABLE heir () INHERITS (parent);
            CREATE TABLE part (tenant_id text, p int) PARTITION BY LIST (p);
            CREATE TABLE part1 PARTITION OF part FOR VALUES IN (1) PARTITION BY LIST (p);
            CREATE TABLE part11 PARTITION OF part1 FOR VALUES IN (1);
            CREATE TABLE part2 (p int, tenant_id text);
            ALTER TABLE part ATTACH PARTITION part2 FOR VALUES IN (2);
            INSERT INTO homeshard.ownership (tenant_id, generation, state) VALUES ('a', 1, 'owned')""";

    private static final List<String> TARGETS =
            List.of("plain", "word", "parent", "heir", "part", "part1", "part11", "part2");

    private static final String TRIGGERS = """
            SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
             WHERE t.tgname ~ '^zz_homeshard_(guard|tree)_[iud]$' AND t.tgenabled = 'A'""";

    private TestCluster cluster;
    private Connection owner;

    @BeforeEach
    void install() throws SQLException {
        cluster = TestCluster.start(1);
        ShardSchemas.migrateShard(cluster.shard(0).dataSource());
        owner = cluster.shard(0).connect();
        Jdbc.run(owner, TABLES);
        TenantSchema tables =
                TenantSchema.tenantColumn("tenant_id").inSchemas("public").build();
        WriteGuard.create().install(owner, tables, Duration.ofSeconds(5));
    }

    @AfterEach
    void close() throws SQLException {
        owner.close();
        cluster.close();
    }

    @Test
    void eachGuardsAllRelationsWhateverWasThereBefore() throws SQLException {
        for (Shape shape : Shape.all()) {
            guards(shape);
        }
        for (Shape shape : Shape.all().stream().skip(1).toList()) {
            shape.apply(owner);
            Shape.named("row-memo").apply(owner);
            guards(shape);
        }
    }

    private void guards(Shape shape) throws SQLException {
        shape.apply(owner);
        boolean open = shape.name().equals("none");
        long triggers = Jdbc.one(owner, TRIGGERS, row -> row.getLong(1));
        assertThat(triggers).as("triggers of %s", shape).isEqualTo(open ? 0 : 3L * TARGETS.size());
        for (String table : TARGETS) {
            String insert =
                    "INSERT INTO " + table + " (tenant_id, p) VALUES ('%s', " + (table.equals("part2") ? 2 : 1) + ")";
            write(shape, insert.formatted("a"));
            write(shape, "UPDATE " + table + " SET p = p WHERE tenant_id = 'a'");
            write(shape, "DELETE FROM " + table + " WHERE tenant_id = 'a'");
            if (open) {
                write(shape, insert.formatted("b"));
                write(shape, "DELETE FROM " + table);
            } else {
                assertThatThrownBy(() -> write(shape, insert.formatted("b")))
                        .as("%s on %s", shape, table)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo(SqlStates.NOT_OWNED));
            }
        }
    }

    private void write(Shape shape, String sql) throws SQLException {
        Jdbc.run(owner, shape.name().equals("enter-when") ? "SELECT homeshard.enter('a', 1);" + sql : sql);
    }
}
