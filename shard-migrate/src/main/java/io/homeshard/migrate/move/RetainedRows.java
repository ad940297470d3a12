package io.homeshard.migrate.move;

import io.homeshard.directory.MoveJournal;
import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.verify.CheckAnswer;
import io.homeshard.migrate.verify.CheckRun;
import io.homeshard.migrate.verify.MoveCheck;
import io.homeshard.migrate.verify.TableDifference;
import io.homeshard.migrate.verify.TableDigest;
import io.homeshard.migrate.verify.TenantDigest;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The old rows on a source, beside what was certified of them. Schemas go on while old rows wait: columns that were added
 * since are not read, and where a column is gone or has another type nothing but the number of rows can be compared.
 *
 * @param digests what is there now
 * @param differences tables that are not as certified
 * @param countedOnly tables of which only the number of rows could be compared
 * @param answers names of checks that are answered otherwise now
 */
record RetainedRows(
        List<TableDigest> digests,
        List<TableDifference> differences,
        List<TableName> countedOnly,
        List<String> answers) {

    static RetainedRows read(Connection source, TenantCatalog catalog, Certificate certificate) throws SQLException {
        TenantId tenant = certificate.report().tenant();
        Map<TableName, TableDigest> certified = new TreeMap<>();
        certificate.report().tables().forEach(table -> certified.put(table.table(), table.source()));
        List<TableDigest> digests = TenantDigest.like(source, catalog, tenant, List.copyOf(certified.values()));
        List<TableDifference> differences = new ArrayList<>();
        List<TableName> countedOnly = new ArrayList<>();
        for (TableDigest now : digests) {
            TableDigest then = certified.remove(now.table());
            if (then == null) {
                if (now.rows() > 0) {
                    differences.add(difference(now, 0, "was not certified"));
                }
            } else if (!now.columns().equals(then.columns())) {
                countedOnly.add(now.table());
                if (now.rows() != then.rows()) {
                    differences.add(difference(now, then.rows(), "number of rows differs"));
                }
            } else if (!now.sameRows(then)) {
                String what = now.rows() == then.rows() ? "contents of rows differ" : "number of rows differs";
                differences.add(new TableDifference(
                        now.table(),
                        what + " (certified=" + then.rows() + ", now=" + now.rows() + ")",
                        now.differingBuckets(then)));
            }
        }
        // dropped since, with whatever rows they had
        certified.values().stream().filter(then -> then.rows() > 0).forEach(then -> countedOnly.add(then.table()));
        return new RetainedRows(digests, differences, countedOnly, answers(source, certificate.checks(), tenant));
    }

    /** Whether a later move back to the source, which was undone, has deleted old rows, some or all of them. */
    static boolean emptiedByALaterMove(MoveJournal journal, MoveRecord move) {
        return journal.ofTenant(move.tenant()).stream()
                .anyMatch(later -> later.target().equals(move.source())
                        && later.generation() > move.generation()
                        && later.phase() == MovePhase.ABORTED);
    }

    private static TableDifference difference(TableDigest now, long certified, String what) {
        return new TableDifference(
                now.table(), what + " (certified=" + certified + ", now=" + now.rows() + ")", List.of());
    }

    private static List<String> answers(Connection source, List<CheckAnswer> certified, TenantId tenant)
            throws SQLException {
        List<MoveCheck> checks = certified.stream().map(CheckAnswer::check).toList();
        List<CheckAnswer> now = CheckRun.ask(source, checks, tenant);
        List<String> changed = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            if (!now.get(i).same(certified.get(i))) {
                changed.add(checks.get(i).name());
            }
        }
        return changed;
    }
}
