package io.homeshard.migrate.move;

import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.migrate.verify.BrokenReferences;
import io.homeshard.migrate.verify.CheckAnswer;
import io.homeshard.migrate.verify.CheckRun;
import io.homeshard.migrate.verify.DifferingRows;
import io.homeshard.migrate.verify.DigestComparison;
import io.homeshard.migrate.verify.MoveCheck;
import io.homeshard.migrate.verify.ReferenceCheck;
import io.homeshard.migrate.verify.RowDifference;
import io.homeshard.migrate.verify.SequenceBounds;
import io.homeshard.migrate.verify.TableDifference;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.migrate.verify.TenantDigest;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What both shards hold of the tenant, read afresh from both at the same time.
 *
 * @param source digests of the source
 * @param target digests of the target
 * @param answers what both answered to the application's checks
 * @param bounds how far the target's sequences have to be
 */
record Comparison(
        List<TableDigest> source, List<TableDigest> target, List<CheckAnswer> answers, SequenceBounds bounds) {
    private static final Logger log = LoggerFactory.getLogger(Comparison.class);

    /** Most rows that a failure names: the tenant is frozen while they are looked for. */
    private static final int NAMED_ROWS = 100;

    /** Most tables in which rows are looked for. */
    private static final int NAMED_TABLES = 3;

    /** What one side says. */
    private record Side(List<TableDigest> digests, List<CheckAnswer> answers) {}

    /** Reads both sides, every row and every column, and stops the move when they differ. */
    static Comparison require(MoveSession session, TenantCatalog catalog) throws SQLException {
        return require(session, catalog, LoadMode.PLAIN);
    }

    /**
     * The same.
     *
     * @param mode how the target was loaded: foreign keys at which it did not look then are looked at here
     */
    static Comparison require(MoveSession session, TenantCatalog catalog, LoadMode mode) throws SQLException {
        TenantId tenant = session.move().tenant();
        List<MoveCheck> checks = session.config().checks();
        BothShards shards = new BothShards(session.source(), session.target());
        BothShards.Answers<Side, Side> sides = shards.ask(
                shard -> new Side(TenantDigest.read(shard, catalog, tenant), CheckRun.ask(shard, checks, tenant)),
                shard -> new Side(TenantDigest.read(shard, catalog, tenant), CheckRun.ask(shard, checks, tenant)));
        session.lease().checkHeld();
        requireSameRows(session, catalog, sides);
        requireSameAnswers(sides.source().answers(), sides.target().answers());
        BothShards.Answers<SequenceBounds, List<BrokenReferences>> rest = shards.ask(
                shard -> SequenceBounds.read(shard, catalog, tenant),
                shard -> mode == LoadMode.PLAIN ? List.of() : ReferenceCheck.broken(shard, catalog, tenant));
        if (!rest.target().isEmpty()) {
            throw new MoveStopped(
                    "verification failed, rows on the target refer to rows that are not there: " + rest.target());
        }
        return new Comparison(
                sides.source().digests(),
                sides.target().digests(),
                sides.source().answers(),
                rest.source());
    }

    /** Stops the move when a sequence of the target would hand out what the tenant, the source or the target has. */
    void requireSequencesBeyond(MoveSession session, TenantCatalog catalog) throws SQLException {
        List<TableName> behind = bounds.unmet(session.target(), catalog);
        if (!behind.isEmpty()) {
            throw new MoveStopped(
                    "verification failed, sequences of the target would hand out values again: " + behind);
        }
    }

    private static void requireSameRows(
            MoveSession session, TenantCatalog catalog, BothShards.Answers<Side, Side> sides) throws SQLException {
        List<TableDifference> differences = DigestComparison.compare(
                        sides.source().digests(), sides.target().digests())
                .differences();
        if (!differences.isEmpty()) {
            throw new RowsDiffer(
                    "verification failed, the shards hold different rows: " + differences,
                    rows(session, catalog, differences));
        }
    }

    /** Now or never: undoing the move empties the target. */
    private static List<RowDifference> rows(
            MoveSession session, TenantCatalog catalog, List<TableDifference> differences) throws SQLException {
        DifferingRows rows = new DifferingRows(
                session.source(), session.target(), session.move().tenant());
        List<RowDifference> found = new ArrayList<>();
        try {
            for (TableDifference difference : differences.subList(0, Math.min(NAMED_TABLES, differences.size()))) {
                for (TenantTable table : catalog.tables()) {
                    if (table.name().equals(difference.table())) {
                        found.addAll(rows.of(table, difference.buckets(), NAMED_ROWS));
                    }
                }
            }
        } catch (SQLException e) {
            log.warn(
                    "move {} - differing rows could not be named",
                    session.move().id(),
                    e);
        }
        return found;
    }

    private static void requireSameAnswers(List<CheckAnswer> source, List<CheckAnswer> target) {
        List<String> unlike = new ArrayList<>();
        for (int i = 0; i < source.size(); i++) {
            if (!source.get(i).same(target.get(i))) {
                unlike.add(source.get(i).check().name());
            }
        }
        if (!unlike.isEmpty()) {
            throw new MoveStopped("verification failed, the shards answer differently to checks " + unlike);
        }
    }
}
