package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.NOTES;
import static io.homeshard.guard.GuardedShard.SOON;
import static io.homeshard.guard.GuardedShard.fails;
import static io.homeshard.guard.GuardedShard.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GuardInstallTest {
    private GuardedShard shard;

    @BeforeEach
    void start() {
        shard = GuardedShard.empty();
    }

    @AfterEach
    void stop() {
        shard.close();
    }

    private List<String> install(TenantSchema tables) throws SQLException {
        try (Connection connection = shard.connect()) {
            return shard.guard.install(connection, tables, SOON).stream()
                    .map(TableName::toString)
                    .toList();
        }
    }

    @Test
    void onlyTablesWithTheTenantColumnInTheNamedSchemasAreGuarded() throws SQLException {
        shard.sql(
                "CREATE TABLE note (tenant_id text)",
                "CREATE TABLE country (code text)",
                "CREATE VIEW seen AS SELECT * FROM note",
                "CREATE SCHEMA other",
                "CREATE TABLE other.note (tenant_id text)");
        assertThat(install(NOTES)).containsExactly("public.note");
        assertThat(shard.gaps()).isEmpty();
        shard.sql("INSERT INTO country VALUES ('IN')", "INSERT INTO other.note VALUES ('x')");
        fails("HS001", () -> shard.sql("INSERT INTO note VALUES ('x')"));
        fails("HS001", () -> shard.sql("INSERT INTO seen VALUES ('x')"));
    }

    /** An older build, or a slip of the pen: the running application would go on without a guard. */
    @Test
    void aDeclarationThatSaysNothingOfGuardedTablesChangesNothing() throws SQLException {
        shard.sql(
                "CREATE TABLE note (tenant_id text, tenantid text)",
                "CREATE SCHEMA billing",
                "CREATE TABLE billing.invoice (tenant_id text, part int) PARTITION BY LIST (part)",
                "CREATE TABLE billing.invoice_1 PARTITION OF billing.invoice DEFAULT");
        TenantSchema both = TenantSchema.tenantColumn("tenant_id")
                .inSchemas("public", "billing")
                .build();
        install(both);
        List<TenantSchema> others = List.of(
                NOTES,
                TenantSchema.tenantColumn("tenant")
                        .inSchemas("public", "billing")
                        .build(),
                TenantSchema.tenantColumn("tenant_id").inSchemas("bill").build());
        for (TenantSchema other : others) {
            assertThatThrownBy(() -> install(other))
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContaining("nothing was changed")
                    .hasMessageContaining("billing.invoice");
            assertThat(shard.gaps()).isEmpty();
            fails("HS001", () -> shard.sql("INSERT INTO billing.invoice VALUES ('x', 1)"));
            fails("HS001", () -> shard.sql("INSERT INTO note VALUES ('x')"));
        }

        install(TenantSchema.tenantColumn("tenant_id")
                .inSchemas("public", "billing")
                .ignore("billing.invoice")
                .build());
        shard.sql("INSERT INTO billing.invoice VALUES ('x', 1)");
        fails("HS001", () -> shard.sql("INSERT INTO note VALUES ('x')"));
    }

    @Test
    void aSecondInstallTakesNoLock() throws SQLException {
        shard.sql("CREATE TABLE note (tenant_id text)");
        install(NOTES);
        String triggers = "SELECT sum(oid::bigint + xmin::text::bigint) FROM pg_trigger";
        long before = shard.number(triggers);
        try (Connection ddl = shard.connect()) {
            ddl.setAutoCommit(false);
            Jdbc.run(ddl, "LOCK TABLE note IN SHARE ROW EXCLUSIVE MODE");
            assertThat(install(NOTES)).containsExactly("public.note");
        }
        assertThat(shard.number(triggers)).isEqualTo(before);
    }

    @Test
    void aBusyTableIsTriedAgainUntilItsWriterEnds() throws Exception {
        shard.sql("CREATE TABLE note (tenant_id text)");
        try (Connection writer = shard.connect()) {
            writer.setAutoCommit(false);
            Jdbc.run(writer, "INSERT INTO note VALUES ('before')");
            Clocking clocks = new Clocking(pause -> {
                if (pause == 2) {
                    writer.commit();
                }
            });
            try (Connection connection = shard.connect()) {
                new SqlWriteGuard(clocks).install(connection, NOTES, SOON);
            }
            assertThat(clocks.pauses()).isEqualTo(2);
        }
        assertThat(shard.gaps()).isEmpty();
    }

    @Test
    void aTableThatStaysBusyIsNamed() throws SQLException {
        shard.sql("CREATE TABLE note (tenant_id text)");
        try (Connection writer = shard.connect();
                Connection connection = shard.connect()) {
            writer.setAutoCommit(false);
            Jdbc.run(writer, "INSERT INTO note VALUES ('before')");
            SQLException failure = catchThrowableOfType(
                    SQLException.class,
                    () -> new SqlWriteGuard(new Clocking(pause -> {}))
                            .install(connection, NOTES, Duration.ofMillis(1)));
            assertThat(failure.getSQLState()).isEqualTo("55P03");
            assertThat(failure.getMessage()).contains("public.note").contains("tries=");
        }
    }

    @Test
    void partitionsAreGuardedEachByItself() throws SQLException {
        shard.sql(
                "CREATE TABLE ev (tenant_id text, part int, id int) PARTITION BY LIST (part)",
                "CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1) PARTITION BY LIST (id)",
                "CREATE TABLE ev11 PARTITION OF ev1 FOR VALUES IN (1)",
                "CREATE SCHEMA archive",
                "CREATE TABLE archive.ev2 (id int, tenant_id text, part int)",
                "ALTER TABLE ev ATTACH PARTITION archive.ev2 FOR VALUES IN (2)");
        assertThat(install(NOTES)).containsExactly("archive.ev2", "public.ev", "public.ev1", "public.ev11");
        for (String table : List.of("ev", "ev1", "ev11", "archive.ev2")) {
            int part = table.equals("archive.ev2") ? 2 : 1;
            fails(
                    "HS001",
                    () -> shard.sql("INSERT INTO " + table + " (tenant_id, part, id) VALUES ('x', " + part + ", 1)"));
            fails("HS003", () -> shard.sql("TRUNCATE " + table));
        }
        shard.sql("CREATE TABLE ev3 PARTITION OF ev FOR VALUES IN (3)");
        assertThat(shard.gaps()).containsExactly("public.ev3 has no guard");
        assertThat(install(NOTES)).contains("public.ev3");
        assertThat(shard.gaps()).isEmpty();
    }

    @Test
    void inheritanceChildrenAreGuardedEachByItself() throws SQLException {
        shard.sql(
                "CREATE TABLE doc (tenant_id text, id int)",
                "CREATE SCHEMA other",
                "CREATE TABLE other.letter (seal text) INHERITS (doc)");
        assertThat(install(NOTES)).containsExactly("other.letter", "public.doc");
        TenantId mine = shard.owned();
        shard.sql("INSERT INTO other.letter (tenant_id, id) VALUES ('" + mine + "', 1)");
        fails("HS001", () -> shard.sql("INSERT INTO other.letter (tenant_id) VALUES ('x')"));
        shard.frozen(mine);
        fails("HS002", () -> shard.sql("UPDATE doc SET id = 2"));
    }

    @Test
    void ignoredAndReferenceTablesAreNoFindingAndLoseTheirGuard() throws SQLException {
        shard.sql(
                "CREATE TABLE note (tenant_id text)",
                "CREATE TABLE audit (tenant_id text, part int) PARTITION BY LIST (part)",
                "CREATE TABLE audit1 PARTITION OF audit FOR VALUES IN (1)",
                "CREATE TABLE price (tenant_id text)");
        assertThat(install(NOTES)).hasSize(4);
        TenantSchema fewer = TenantSchema.tenantColumn("tenant_id")
                .inSchemas("public")
                .ignore("public.audit")
                .reference("public.price")
                .build();
        assertThat(install(fewer)).containsExactly("public.note");
        assertThat(shard.gaps()).isEmpty();
        shard.sql("INSERT INTO audit VALUES ('x', 1)", "TRUNCATE audit", "INSERT INTO price VALUES ('x')");
        assertThat(install(NOTES)).hasSize(4);
    }

    @Test
    void aRootTableWithAnotherColumnDoesNotMakeEveryIdATenant() throws SQLException {
        shard.sql("CREATE TABLE tenant (id text)", "CREATE TABLE note (tenant_id text)", "CREATE TABLE tag (id int)");
        TenantSchema tables = TenantSchema.tenantColumn("tenant_id")
                .inSchemas("public")
                .tenantTable("public.tenant", "id")
                .build();
        assertThat(install(tables)).containsExactly("public.note", "public.tenant");
        assertThat(shard.gaps()).isEmpty();
        shard.sql("INSERT INTO tag VALUES (1)");
        fails("HS001", () -> shard.sql("INSERT INTO tenant VALUES ('x')"));
        TenantId mine = shard.owned();
        shard.sql("INSERT INTO tenant VALUES ('" + mine + "')");
    }

    @Test
    void aDeclaredTableThatIsMissingIsAFinding() throws SQLException {
        shard.sql("CREATE TABLE note (tenant_id text)");
        install(TenantSchema.tenantColumn("tenant_id")
                .inSchemas("public")
                .tenantTable("public.tenant", "id")
                .build());
        assertThat(shard.gaps()).containsExactly("public.tenant is declared a tenant table and does not exist");
    }

    @Test
    void oddNamesOfTableSchemaAndColumn() throws SQLException { // D14
        shard.sql(
                "CREATE SCHEMA \"My-App\"",
                "CREATE TABLE \"My-App\".\"Order\" (\"user\" text, \"select\" int, \"tenant Id\" text, \"a\"\"b\" int)",
                "CREATE TABLE \"My-App\".\"v1.note\" (\"tenant Id\" text)");
        TenantSchema tables =
                TenantSchema.tenantColumn("tenant Id").inSchemas("My-App").build();
        assertThat(install(tables)).containsExactly("My-App.Order", "My-App.v1.note");
        assertThat(shard.gaps()).isEmpty();
        TenantId mine = shard.owned();
        String insert = "INSERT INTO \"My-App\".\"Order\" (\"tenant Id\") VALUES (?)";
        try (Connection connection = shard.connect()) {
            Jdbc.update(connection, insert, mine.value());
            fails("HS001", () -> Jdbc.update(connection, insert, tenant().value()));
            MoverToken token = shard.moved(mine);
            assertThat(shard.guard.sweep(connection, token, new TableName("My-App", "Order"), 5))
                    .isEqualTo(1);
        }
    }

    @Test
    void namesOf63BytesStayApart() throws SQLException { // D15
        String stem = "ä".repeat(30);
        String column = "t" + "ü".repeat(31);
        for (String last : List.of("aaa", "bbb")) {
            shard.sql("CREATE TABLE \"" + stem + last + "\" (\"" + column + "\" text)");
        }
        TenantSchema tables =
                TenantSchema.tenantColumn(column).inSchemas("public").build();
        assertThat(install(tables)).containsExactly("public." + stem + "aaa", "public." + stem + "bbb");
        install(tables);
        assertThat(shard.gaps()).isEmpty();
        for (String last : List.of("aaa", "bbb")) {
            fails("HS001", () -> shard.sql("INSERT INTO \"" + stem + last + "\" VALUES ('x')"));
        }
    }
}
