package io.homeshard.migrate.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.homeshard.directory.MovePhase;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two tables that refer to each other by deferrable keys, moved by a role that may not put keys out of force. */
class DeferredCircleTest {
    private static final TenantSchema TABLES =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();
    private static final String DDL = """
            CREATE SCHEMA app;
            CREATE TABLE app.a (tenant_id text, id int, b int NOT NULL, PRIMARY KEY (tenant_id, id));
            CREATE TABLE app.b (tenant_id text, id int, a int NOT NULL, PRIMARY KEY (tenant_id, id),
              FOREIGN KEY (tenant_id, a) REFERENCES app.a DEFERRABLE);
            ALTER TABLE app.a ADD FOREIGN KEY (tenant_id, b) REFERENCES app.b DEFERRABLE;
            """;
    private static final String ROLE =
            "hs_circle_" + UUID.randomUUID().toString().substring(0, 8);
    private static final int ROWS = 20;

    private static MoveLab lab;
    private static ShardId s1;
    private static ShardId s2;

    @BeforeAll
    static void open() throws SQLException {
        lab = MoveLab.with(2, TABLES, DDL);
        s1 = lab.shard(1);
        s2 = lab.shard(2);
        for (ShardId shard : List.of(s1, s2)) {
            try (Connection owner = lab.connect(shard)) {
                MoverRole.grant(owner, ROLE, false);
            }
        }
        lab.tenant(MoveLab.ACME, s1);
        try (Connection connection = lab.connect(s1)) {
            connection.setAutoCommit(false);
            MoveLab.execute(connection, "SET CONSTRAINTS ALL DEFERRED");
            // each to the row of another number, so that no batch of one table is closed in itself
            for (String table : List.of("app.a", "app.b")) {
                MoveLab.execute(
                        connection,
                        "INSERT INTO " + table + " SELECT 'acme', i, 1 + (i + 7) % " + ROWS
                                + " FROM generate_series(1, " + ROWS + ") i");
            }
            connection.commit();
        }
    }

    @AfterAll
    static void close() throws SQLException {
        for (ShardId shard : List.of(s1, s2)) {
            try (Connection owner = lab.connect(shard)) {
                MoverRole.drop(owner, ROLE);
            }
        }
        lab.close();
    }

    private static List<String> rows(ShardId shard) {
        return lab.query(shard, "SELECT 'a' || a FROM app.a UNION ALL SELECT 'b' || b FROM app.b ORDER BY 1");
    }

    @Test
    void isCopiedSweptAndCleanedInSeveralBatches() {
        List<String> rows = rows(s1);
        MoveParts p = lab.parts(MoveLab.CONFIG.sweepBatch(ROWS / 3));
        MoveEngine engine = MoveEngine.of(new MoveParts(
                p.directory(),
                p.journal(),
                p.guard(),
                new PlainPools(ROLE, MoverRole.PASSWORD),
                p.tables(),
                p.clocks(),
                p.config()));
        MovePlan undone = engine.plan(MoveLab.ACME, s2);
        assertThat(undone.load()).isEqualTo(LoadMode.PLAIN);
        MoveListener cancelling = PhaseListener.at(MovePhase.VERIFIED, move -> {
            assertThat(rows(s2)).isEqualTo(rows);
            engine.cancel(move.id(), "test");
        });

        assertThatThrownBy(() -> engine.execute(undone, cancelling)).hasMessageContaining("was aborted and undone");
        assertThat(rows(s2)).isEmpty();
        assertThat(rows(s1)).hasSize(2 * ROWS).isEqualTo(rows);

        MoveReport moved = engine.execute(engine.plan(MoveLab.ACME, s2), MoveListener.NONE);
        assertThat(moved.outcome()).isEqualTo(MoveReport.Outcome.MOVED);
        assertThat(engine.clean(moved.move(), true).outcome()).isEqualTo(MoveReport.Outcome.CLEANED);
        assertThat(rows(s1)).isEmpty();
        assertThat(rows(s2)).isEqualTo(rows);
        assertThatThrownBy(() -> lab.run(s2, "DELETE FROM app.a WHERE id = 1"))
                .hasStackTraceContaining("violates foreign key constraint");
    }
}
