package io.homeshard.migrate.move;

import io.homeshard.guard.GuardGap;
import io.homeshard.guard.Ownership;
import io.homeshard.guard.OwnershipState;
import io.homeshard.migrate.catalog.CatalogCheck;
import io.homeshard.migrate.catalog.CatalogException;
import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.migrate.catalog.UniqueKeys;
import io.homeshard.model.Placement;
import io.homeshard.model.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks for everything that could fail after the freeze, before it. */
final class Preflight {
    private final MoveParts parts;
    private final Placement placement;
    private final ShardId target;
    private final List<Finding> findings = new ArrayList<>();

    Preflight(MoveParts parts, Placement placement, ShardId target) {
        this.parts = parts;
        this.placement = placement;
        this.target = target;
    }

    List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Looks at both shards; returns the source's catalog, or empty when it cannot be copied at all. */
    Optional<TenantCatalog> run(Connection source, Connection target) throws SQLException {
        findings.addAll(new ServerFacts(source, placement.shard(), placement.tenant())
                .read(parts.config().freeze().laterTry()));
        findings.addAll(new ServerFacts(target, this.target, placement.tenant())
                .read(parts.config().freeze().laterTry()));
        guard(source, placement.shard());
        guard(target, this.target);
        declaration(source, placement.shard());
        declaration(target, this.target);
        Optional<TenantCatalog> left = catalog(source, placement.shard());
        Optional<TenantCatalog> right = catalog(target, this.target);
        sourceOwnership(source);
        if (left.isPresent() && right.isPresent()) {
            CatalogCheck.compare(left.get(), right.get(), this.target).forEach(findings::add);
            CatalogCheck.inspect(placement.shard(), source, parts.tables(), left.get())
                    .forEach(findings::add);
            // what follows may read whole tables where there is no index
            SessionLimits.forManyRows(source, parts.config());
            SessionLimits.forManyRows(target, parts.config());
            findings.addAll(UniqueKeys.withoutTenant(this.target, target, right.get()));
            findings.addAll(new ReferenceTables(source, target, this.target)
                    .read(parts.tables().referenceTables()));
            targetOwnership(target, right.get());
        }
        return left;
    }

    private void guard(Connection connection, ShardId shard) throws SQLException {
        for (GuardGap gap : parts.guard().unguarded(connection)) {
            findings.add(Finding.error(
                    "guard-incomplete",
                    shard,
                    "table " + gap.table() + ": " + gap.problem(),
                    "run the schema roll-out on the shard"));
        }
    }

    private void declaration(Connection connection, ShardId shard) throws SQLException {
        CatalogCheck.declaration(shard, connection, parts.tables()).forEach(findings::add);
    }

    private Optional<TenantCatalog> catalog(Connection connection, ShardId shard) throws SQLException {
        try {
            TenantCatalog catalog = TenantCatalog.read(connection, parts.tables());
            if (catalog.tables().isEmpty()) {
                findings.add(Finding.error(
                        "no-tenant-tables", shard, "no tenant table is declared or found", "check the declaration"));
            }
            return Optional.of(catalog);
        } catch (CatalogException e) {
            findings.add(Finding.error(
                    "catalog", shard, String.valueOf(e.getMessage()), "change the schema or the declaration"));
            return Optional.empty();
        }
    }

    private void sourceOwnership(Connection source) throws SQLException {
        Optional<Ownership> row = parts.guard().ownership(source, placement.tenant());
        boolean owned = row.isPresent()
                && row.get().state() == OwnershipState.OWNED
                && row.get().generation() == placement.generation();
        if (!owned) {
            findings.add(Finding.error(
                    "not-owned",
                    placement.shard(),
                    "does not own the tenant at generation " + placement.generation() + " ("
                            + row.map(r -> "state=" + r.state() + ", generation=" + r.generation())
                                    .orElse("no record")
                            + ")",
                    "recover() the move that is under way, or reconcile"));
        }
    }

    private void targetOwnership(Connection connection, TenantCatalog catalog) throws SQLException {
        Optional<Ownership> row = parts.guard().ownership(connection, placement.tenant());
        List<TenantTable> occupied = new TableEstimates(connection, placement.tenant()).occupied(catalog.tables());
        if (row.isPresent() && row.get().state() != OwnershipState.MOVED) {
            findings.add(Finding.error(
                    "target-occupied",
                    target,
                    "has a record of the tenant (state=" + row.get().state() + ", generation="
                            + row.get().generation() + ")",
                    "recover() the move that is under way, or reconcile"));
        } else if (row.isPresent() && row.get().generation() > placement.generation()) {
            findings.add(Finding.error(
                    "generation-behind",
                    target,
                    "has owned the tenant at a later generation (" + row.get().generation() + ", now "
                            + placement.generation() + ")",
                    "reconcile"));
        } else if (!occupied.isEmpty()) {
            for (TenantTable table : occupied) {
                findings.add(leftover(row.isPresent()).in(table.name()));
            }
        }
    }

    private Finding leftover(boolean retained) {
        return retained
                ? Finding.note("retained-rows", target, "holds old rows of the tenant", "the move deletes them first")
                : Finding.warning(
                        "leftover-rows",
                        target,
                        "holds rows of the tenant though it never owned it",
                        "accept that the move deletes them first, or look at them");
    }
}
