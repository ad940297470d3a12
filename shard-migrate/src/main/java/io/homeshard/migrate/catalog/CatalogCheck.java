package io.homeshard.migrate.catalog;

import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Compares the schemas of two shards, and their declarations with the one of this process. */
public final class CatalogCheck {
    private CatalogCheck() {}

    /**
     * Compares a shard's own declaration with the one of this process. A move goes by the shard's; but a process that
     * was not restarted after a roll-out, or a shard that was left out of it, is to be mended first.
     *
     * @param shard its name, for the findings
     * @param connection a connection to it, in autocommit; left so
     * @param schema the declaration of this process
     * @return an error when they differ; empty when equal, or when the shard was never told any
     * @throws SQLException as the driver says
     */
    public static List<Finding> declaration(ShardId shard, Connection connection, TenantSchema schema)
            throws SQLException {
        return PinnedTransaction.read(connection, session -> {
            boolean differs = ShardDeclaration.present(session)
                    && ShardDeclaration.read(session)
                            .filter(told -> !same(told, schema))
                            .isPresent();
            return differs
                    ? List.of(new Finding(
                            Severity.ERROR,
                            "declaration-differs",
                            shard,
                            null,
                            null,
                            "was told another declaration of the tenant tables than this process has",
                            "run the schema roll-out on the shard, or start this process with the present declaration"))
                    : List.of();
        });
    }

    private static boolean same(TenantSchema one, TenantSchema other) {
        return one.tenantColumn().equals(other.tenantColumn())
                && Set.copyOf(one.schemas()).equals(Set.copyOf(other.schemas()))
                && one.tenantTables().equals(other.tenantTables())
                && one.referenceTables().equals(other.referenceTables())
                && one.ignoredTables().equals(other.ignoredTables());
    }

    /**
     * Compares the schemas of two shards.
     *
     * @param source catalog of the source
     * @param target catalog of the target
     * @param targetShard its name, for the findings
     * @return one finding for each object that differs, by table; empty when equal
     */
    public static List<Finding> compare(TenantCatalog source, TenantCatalog target, ShardId targetShard) {
        return SchemaComparison.compare(source.schema(), target.schema(), targetShard);
    }
}
