package io.homeshard.migrate.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.TwoShards;
import io.homeshard.migrate.catalog.TableGroup;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantColumn;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.migrate.copy.CopyEnds;
import io.homeshard.migrate.copy.CopyListener;
import io.homeshard.migrate.copy.TenantCopy;
import io.homeshard.migrate.schema.OwnSchema;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On shards, where verification goes by the guard's formula. */
class TenantPredicateTest {
    private static final TenantSchema APP =
            TenantSchema.tenantColumn("tenant_id").inSchemas("app").build();

    private static TwoShards shards(String ddl) throws SQLException {
        TwoShards shards = TwoShards.inApp(ddl);
        for (int index = 0; index < 2; index++) {
            OwnSchema.SHARD.migrate(shards.dataSource(index));
        }
        return shards;
    }

    private static void declare(TwoShards shards) throws SQLException {
        for (Connection shard : List.of(shards.source(), shards.target())) {
            WriteGuard.create().install(shard, APP, Duration.ofSeconds(5));
        }
    }

    /** A bug in the copy's idea of whose a row is: the digest does not share it. */
    @Test
    void rowsThatTheCopyDoesNotSeeAreMissed() throws SQLException {
        try (TwoShards shards = shards("CREATE TABLE app.t(tenant_id text, id int)")) {
            TwoShards.run(shards.source(), "INSERT INTO app.t VALUES ('acme', 1), ('acme', 2)");
            declare(shards);
            TenantCatalog right = shards.catalog();
            TenantTable table = right.tables().get(0);
            TenantTable blind = new TenantTable(
                    table.name(),
                    new TenantColumn("tenant_id", "character(2)", "pg_catalog"),
                    table.columns(),
                    table.partitioned());
            TenantCatalog wrong = new TenantCatalog(
                    List.of(new TableGroup(List.of(blind), List.of())), List.of(), List.of(), right.schema());
            CopyEnds ends = new CopyEnds(shards.source(), shards.target(), TwoShards.OPEN);

            assertThat(TenantCopy.create()
                            .copy(ends, wrong, TwoShards.token("acme"), CopyListener.NONE)
                            .rows())
                    .isZero();

            TenantId acme = TenantId.of("acme");
            assertThat(DigestComparison.compare(
                                    TenantDigest.read(shards.source(), wrong, acme),
                                    TenantDigest.read(shards.target(), wrong, acme))
                            .differences())
                    .singleElement()
                    .satisfies(difference -> assertThat(difference.what()).contains("source=2, target=0"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "text, acme",
        "varchar(9), acme",
        "char(9), acme",
        "bigint, 7",
        "uuid, 0b9f3c1e-52a8-4f0f-9d7e-2f6ce1d5a001"
    })
    void digestReadsTheTenantsRowsByTheIndex(String type, String tenant) throws SQLException {
        try (TwoShards shards = shards("""
                CREATE TABLE app.t(id int, tenant_id %s);
                CREATE INDEX ON app.t(tenant_id);
                """.formatted(type))) {
            Connection source = shards.source();
            String others = type.equals("uuid") ? "gen_random_uuid()" : "(1000 + i)::text";
            TwoShards.run(
                    source,
                    ("INSERT INTO app.t VALUES (0, '%1$s'); INSERT INTO app.t SELECT i, (%2$s)::%3$s"
                                    + " FROM generate_series(1, 5000) i; ANALYZE app.t")
                            .formatted(tenant, others, type));
            declare(shards);
            TenantCatalog catalog = shards.catalog();
            TenantTable table = catalog.tables().get(0);
            DigestStatement statement = TenantDigest.statement(source, table, table.columns());
            Object[] bound = Collections.nCopies(statement.predicate().parameters(), tenant)
                    .toArray();

            List<String> plan = Jdbc.list(source, "EXPLAIN " + statement.buckets(), row -> row.getString(1), bound);

            assertThat(String.join("\n", plan)).contains("Index Cond").doesNotContain("Seq Scan");
            assertThat(TenantDigest.read(source, catalog, TenantId.of(tenant)))
                    .singleElement()
                    .satisfies(digest -> assertThat(digest.rows()).isOne());
        }
    }

    /** As the guard does: the tenant is the lower-case form, whatever the rows are spelled like. */
    @Test
    void citextIsReadInAnySpelling() throws SQLException {
        try (TwoShards shards = shards("CREATE TABLE app.other(tenant_id text)")) {
            assumeThat(TwoShards.query(shards.source(), "SELECT 1 FROM pg_available_extensions WHERE name = 'citext'"))
                    .isNotEmpty();
            for (Connection shard : List.of(shards.source(), shards.target())) {
                TwoShards.run(
                        shard, "CREATE EXTENSION citext SCHEMA public; CREATE TABLE app.t(tenant_id public.citext)");
            }
            TwoShards.run(shards.source(), "INSERT INTO app.t VALUES ('acme'), ('ACME'), ('acme2')");
            declare(shards);

            assertThat(TenantDigest.read(shards.source(), shards.catalog(), TenantId.of("acme")))
                    .filteredOn(digest -> digest.table().name().equals("t"))
                    .extracting(TableDigest::rows)
                    .containsExactly(2L);
        }
    }

    @Test
    void namesAreNotTakenForParameters() {
        assertThat(TenantPredicate.of("x.\"a$1\" = $1::text AND x.\"b\"\"$1\"::text = $1"))
                .isEqualTo(new TenantPredicate("x.\"a$1\" = ?::text::text AND x.\"b\"\"$1\"::text = ?::text", 2));
    }
}
