package io.homeshard.migrate.gather;

import io.homeshard.internal.jdbc.Identifiers;
import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.LoadChoice;
import io.homeshard.migrate.catalog.LoadFacts;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.TableGroup;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import io.homeshard.model.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Looks, before rows come or go, whether the application's triggers and foreign keys would make more of it. */
record SideEffects(ShardId shard, Connection connection, TenantCatalog catalog) {
    private static final String HANGERS = "SELECT homeshard.hangers_on(CAST(? AS regclass), ?, ?)";

    /** In which mode strays go, so that nothing fires and nothing cascades. */
    LoadMode ofRemoval() throws SQLException {
        LoadFacts facts = LoadFacts.read(shard, connection, catalog);
        LoadChoice choice = LoadChoice.ofSweep(catalog.groups(), facts);
        List<String> errors = choice.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::toString)
                .distinct()
                .toList();
        if (!errors.isEmpty()) {
            throw refusal("rows cannot be taken away without side effects: " + errors);
        }
        if (choice.mode() == LoadMode.REPLICA || facts.mayReplica()) {
            return LoadMode.REPLICA;
        }
        if (catalog.groups().stream().anyMatch(TableGroup::circle)) {
            throw refusal("tables refer to each other in a circle: GRANT SET ON PARAMETER session_replication_role TO "
                    + Identifiers.quote(facts.role()) + ", then gather again");
        }
        return LoadMode.PLAIN;
    }

    /** Rows that come home are not new: what fires for new ones must not fire for them. */
    void requireQuietInserts(Set<TableName> tables) throws SQLException {
        List<String> firing = LoadFacts.read(shard, connection, catalog).triggers().stream()
                .filter(trigger ->
                        tables.contains(trigger.table()) && trigger.inserts() && trigger.firesIn(LoadMode.PLAIN))
                .map(trigger -> trigger.name() + " of " + trigger.table())
                .toList();
        if (!firing.isEmpty()) {
            throw refusal(
                    "triggers would fire for rows that come home, disable them while you gather, or put the rows aside"
                            + " (triggers=" + firing + ")");
        }
    }

    /** Rows of tables that are not gathered must not go along, nor be left without what they refer to. */
    boolean requireNoHangers(TenantTable table, TenantId tenant) throws SQLException {
        String hanger = Jdbc.one(
                connection,
                HANGERS,
                row -> String.valueOf(row.getString(1)),
                Identifiers.quote(table.name()),
                table.tenantColumn(),
                tenant.value());
        if (!hanger.equals("null")) {
            throw refusal("rows of " + hanger + " refer to rows of " + table.name()
                    + " that would go, delete them or point them elsewhere first");
        }
        return true;
    }

    private GatherException refusal(String why) {
        return new GatherException("shard " + shard + " - nothing was gathered further, " + why, null);
    }
}
