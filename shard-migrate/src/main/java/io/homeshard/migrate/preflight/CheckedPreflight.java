package io.homeshard.migrate.preflight;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.migrate.catalog.CatalogCheck;
import io.homeshard.migrate.catalog.CatalogException;
import io.homeshard.migrate.catalog.DerivedObjects;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.LoadChoice;
import io.homeshard.migrate.catalog.LoadFacts;
import io.homeshard.migrate.catalog.LoadMode;
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
import java.util.Locale;
import java.util.Set;

/** Runs one check after the other: first those that need no tables, then those that look at them. */
final class CheckedPreflight implements Preflight {
    private static final TenantCatalog NO_TABLES = new TenantCatalog(List.of(), List.of(), List.of(), SchemaLines.NONE);

    /** After these nothing can be said about rows. */
    private static final Set<String> BLIND = Set.of("privilege-missing", "row-security", "tenant-type-mismatch");

    private static final String TIMEOUT = "SELECT set_config('statement_timeout', ?, true)";

    /** Need no table that can be read. */
    private static final List<Check> SERVERS =
            List.of(new ServerFacts(), new ConnectionLimits(), new Encodings(), new GuardGaps(), new SourceOwnership());

    /** Ask the catalog alone. */
    private static final List<Check> TABLES = List.of(
            new Privileges(),
            Check.both(new RowSecurity()),
            Check.source(new TenantTypes()),
            new TenantNames(),
            Check.source(new TenantIndexes()),
            Check.source(new UndeclaredTables()),
            Check.both(side -> DerivedObjects.inspect(side.shard(), side.connection(), side.schema(), side.catalog())),
            Check.target(new UnloggedTables()),
            Check.target(new SequenceCaches()),
            new SequenceDistance());

    /** Read rows, which only a role can that may and from whom none are hidden. */
    private static final List<Check> ROWS = List.of(
            new NoRows(),
            Check.source(new NullTenants()),
            new OidColumns(),
            new CrossingKeys(),
            new UnvalidatedRows(),
            new MissingPartitions(),
            new LargestRows(),
            new KeyCollisions(),
            new ReferenceTables(),
            new TargetOwnership(),
            new TriedChecks());

    private final PreflightParts parts;

    CheckedPreflight(PreflightParts parts) {
        this.parts = parts;
    }

    @Override
    public PreflightResult run(Connection source, Connection target, Placement placement, ShardId targetShard)
            throws SQLException {
        allowSilence(source);
        allowSilence(target);
        List<Finding> findings = new ArrayList<>();
        Side here = new Side(placement.shard(), source, parts.tables(), NO_TABLES);
        Side there = new Side(targetShard, target, parts.tables(), NO_TABLES);
        findings.addAll(PinnedTransaction.read(source, session -> Membership.find(here)));
        findings.addAll(PinnedTransaction.read(target, session -> Membership.find(there)));
        if (!findings.isEmpty()) {
            return PreflightResult.refused(findings);
        }
        try {
            return look(new Scene(placement, catalog(here, findings), catalog(there, findings), parts), findings);
        } catch (SQLException e) {
            if (SqlStates.find(e, SqlStates.LOCK_TIMEOUT) == null) {
                throw e;
            }
            findings.addAll(LockedTables.find(here, there));
            return PreflightResult.refused(findings);
        }
    }

    private PreflightResult look(Scene scene, List<Finding> findings) throws SQLException {
        Connection source = scene.source().connection();
        Connection target = scene.target().connection();
        run(scene, SERVERS, findings);
        findings.addAll(CatalogCheck.declaration(scene.source().shard(), source, parts.tables()));
        findings.addAll(CatalogCheck.declaration(scene.target().shard(), target, parts.tables()));
        TenantCatalog left = scene.source().catalog();
        TenantCatalog right = scene.target().catalog();
        if (left.tables().isEmpty() || right.tables().isEmpty()) {
            return new PreflightResult(findings, left.fingerprint(), LoadMode.PLAIN, List.of(), FreezeEstimate.NONE);
        }
        findings.addAll(CatalogCheck.compare(left, right, scene.target().shard()));
        boolean comparable = left.fingerprint().equals(right.fingerprint());
        run(scene, TABLES, findings);
        LoadChoice load = LoadChoice.decide(
                left.groups(),
                LoadFacts.read(scene.source().shard(), source, left),
                LoadFacts.read(scene.target().shard(), target, right));
        findings.addAll(load.findings());
        if (!comparable || findings.stream().anyMatch(finding -> BLIND.contains(finding.name()))) {
            return new PreflightResult(findings, left.fingerprint(), load.mode(), List.of(), FreezeEstimate.NONE);
        }
        run(scene, ROWS, findings);
        return measured(scene, load, findings);
    }

    private PreflightResult measured(Scene scene, LoadChoice load, List<Finding> findings) throws SQLException {
        Connection source = scene.source().connection();
        TenantRows rows = new TenantRows(source, scene.tenant());
        TenantCatalog catalog = scene.source().catalog();
        List<TableEstimate> tables = new ArrayList<>();
        int largest = 0;
        for (TenantTable table : catalog.tables()) {
            tables.add(rows.estimate(table));
            int last = tables.size() - 1;
            largest = tables.get(last).bytes() > tables.get(largest).bytes() ? last : largest;
        }
        run(scene, List.of(new DiskSpace(tables)), findings);
        long rate = new CopySample(
                        source, scene.tenant(), parts.clocks(), parts.limits().check())
                .rate(catalog.tables().get(largest), tables.get(largest));
        long bytes = tables.stream().mapToLong(TableEstimate::bytes).sum();
        FreezeEstimate freeze = FreezeEstimate.of(bytes, rate, parts.limits().bytesPerSecond());
        return new PreflightResult(findings, catalog.fingerprint(), load.mode(), tables, freeze);
    }

    private void run(Scene scene, List<Check> checks, List<Finding> findings) throws SQLException {
        for (Check check : checks) {
            ShardId[] failed = {scene.source().shard()};
            try {
                findings.addAll(PinnedTransaction.read(
                        scene.source().connection(),
                        source -> PinnedTransaction.read(scene.target().connection(), target -> {
                            bound(source);
                            bound(target);
                            return find(check, scene, failed);
                        })));
            } catch (SQLException e) {
                if (!ServerReason.CANCELED.equals(e.getSQLState())) {
                    throw e;
                }
                findings.add(Finding.warning(
                        "unchecked",
                        failed[0],
                        "looking for " + topic(check) + " took longer than "
                                + parts.limits().check().toMillis() + " ms and was given up",
                        "plan again when the shards are less busy, or accept that it was not looked at"));
            }
        }
    }

    /** When it fails, says on which shard. */
    private static List<Finding> find(Check check, Scene scene, ShardId[] failed) throws SQLException {
        try {
            return check.find(scene);
        } catch (SQLException e) {
            failed[0] = FailedSide.of(scene).shard();
            throw e;
        }
    }

    private static String topic(Check check) {
        return check.topic()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }

    private void bound(Connection connection) throws SQLException {
        Jdbc.run(connection, TIMEOUT, parts.limits().check().toMillis() + "ms");
    }

    private void allowSilence(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int)
                Math.min(Integer.MAX_VALUE, parts.limits().silence().toMillis()));
    }

    private static Side catalog(Side side, List<Finding> findings) throws SQLException {
        try {
            TenantCatalog catalog = TenantCatalog.read(side.connection(), side.schema());
            if (catalog.tables().isEmpty()) {
                findings.add(Finding.error(
                        "no-tenant-tables",
                        side.shard(),
                        "no tenant table is declared or found",
                        "check the declaration"));
            }
            return new Side(side.shard(), side.connection(), side.schema(), catalog);
        } catch (CatalogException e) {
            findings.add(Finding.error(
                    "catalog", side.shard(), String.valueOf(e.getMessage()), "change the schema or the declaration"));
            return side;
        }
    }
}
