package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.CatalogCheck;
import io.homeshard.migrate.catalog.CatalogException;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.SchemaLines;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Runs one check after the other: first those that need no tables, then those that look at them. */
final class CheckedPreflight implements Preflight {
    private static final TenantCatalog NO_TABLES = new TenantCatalog(List.of(), List.of(), List.of(), SchemaLines.NONE);

    private static final List<Check> SERVERS = List.of(new ServerFacts(), new GuardGaps(), new SourceOwnership());

    private static final List<Check> TABLES = List.of(
            scene -> CatalogCheck.compare(
                    scene.source().catalog(),
                    scene.target().catalog(),
                    scene.target().shard()),
            Check.source(new TenantIndexes()),
            Check.source(new UndeclaredTables()),
            Check.source(new FiringTriggers()),
            Check.source(new SequenceCaches()),
            Check.target(new UniqueKeys()),
            new ReferenceTables(),
            new TargetOwnership());

    private final PreflightParts parts;

    CheckedPreflight(PreflightParts parts) {
        this.parts = parts;
    }

    @Override
    public PreflightResult run(Connection source, Connection target, Placement placement, ShardId targetShard)
            throws SQLException {
        List<Finding> findings = new ArrayList<>();
        TenantCatalog left = catalog(source, placement.shard(), findings);
        TenantCatalog right = catalog(target, targetShard, findings);
        Scene scene = new Scene(
                placement,
                new Side(placement.shard(), source, parts.tables(), left),
                new Side(targetShard, target, parts.tables(), right),
                parts);
        run(scene, SERVERS, findings);
        findings.addAll(CatalogCheck.declaration(placement.shard(), source, parts.tables()));
        findings.addAll(CatalogCheck.declaration(targetShard, target, parts.tables()));
        if (!left.tables().isEmpty() && !right.tables().isEmpty()) {
            // what follows may read whole tables where there is no index
            allowSilence(source);
            allowSilence(target);
            run(scene, TABLES, findings);
        }
        List<TableEstimate> tables = new ArrayList<>();
        for (TenantTable table : left.tables()) {
            tables.add(new TenantRows(source, placement.tenant()).estimate(table));
        }
        return new PreflightResult(findings, left.fingerprint(), tables);
    }

    private static void run(Scene scene, List<Check> checks, List<Finding> findings) throws SQLException {
        for (Check check : checks) {
            findings.addAll(PinnedTransaction.read(
                    scene.source().connection(),
                    source -> PinnedTransaction.read(scene.target().connection(), target -> check.find(scene))));
        }
    }

    private void allowSilence(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int)
                Math.min(Integer.MAX_VALUE, parts.limits().silence().toMillis()));
    }

    private TenantCatalog catalog(Connection connection, ShardId shard, List<Finding> findings) throws SQLException {
        try {
            TenantCatalog catalog = TenantCatalog.read(connection, parts.tables());
            if (catalog.tables().isEmpty()) {
                findings.add(Finding.error(
                        "no-tenant-tables", shard, "no tenant table is declared or found", "check the declaration"));
            }
            return catalog;
        } catch (CatalogException e) {
            findings.add(Finding.error(
                    "catalog", shard, String.valueOf(e.getMessage()), "change the schema or the declaration"));
            return NO_TABLES;
        }
    }
}
