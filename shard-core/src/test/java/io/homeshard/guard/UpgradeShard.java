package io.homeshard.guard;

import static io.homeshard.guard.GuardedShard.NOTES;

import io.homeshard.internal.jdbc.Jdbc;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.TenantId;
import io.homeshard.model.TenantSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A shard with plain, partitioned and inherited tables whose guard is changed to another shape and back. */
final class UpgradeShard implements AutoCloseable {
    private static final String APPLY = "SELECT upgrade.apply(CAST(CAST(? AS oid) AS regclass), ?)";
    private static final String DROP = "SELECT upgrade.drop(CAST(CAST(? AS oid) AS regclass))";

    final GuardedShard shard;
    final List<TenantId> owned = new ArrayList<>();
    final TenantId frozen;
    final TenantId foreign = GuardedShard.tenant();
    private final Connection owner;

    /** With rows of a tenant that is frozen, for updates and deletes that must all be refused. */
    UpgradeShard(int tenants) throws SQLException {
        shard = GuardedShard.empty();
        owner = shard.connect();
        shard.sql(
                "CREATE TABLE note (tenant_id text, p int, id int, v int DEFAULT 0)",
                "CREATE TABLE ev (tenant_id text, p int, id int, v int DEFAULT 0) PARTITION BY LIST (p)",
                "CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1) PARTITION BY HASH (id)",
                "CREATE TABLE ev11 PARTITION OF ev1 FOR VALUES WITH (MODULUS 1, REMAINDER 0)",
                "CREATE TABLE ev2 PARTITION OF ev FOR VALUES IN (2)",
                "CREATE TABLE doc (tenant_id text, p int, id int, v int DEFAULT 0)",
                "CREATE TABLE letter (seal text) INHERITS (doc)");
        shard.install(NOTES);
        shard.sql(script());
        for (int i = 0; i < tenants; i++) {
            owned.add(shard.owned());
        }
        frozen = shard.owned();
        for (String table : List.of("note", "ev", "ev1", "ev11", "doc", "letter")) {
            shard.sql("INSERT INTO " + table + " VALUES ('" + frozen + "', 1, -1)");
        }
        shard.sql("INSERT INTO ev2 VALUES ('" + frozen + "', 2, -1)");
        shard.frozen(frozen);
    }

    private static String script() {
        try (InputStream in = UpgradeShard.class.getResourceAsStream("upgrade/shapes.sql")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Changes the guard's shape, each table with its partitions in one transaction. */
    void apply(String shape) throws SQLException {
        for (long root : roots()) {
            repeatedly(APPLY, root, shape);
        }
    }

    /** As a careless upgrade would do it. */
    void dropAll() throws SQLException {
        for (long root : roots()) {
            repeatedly(DROP, root);
        }
    }

    void install() throws SQLException {
        install(NOTES);
    }

    void install(TenantSchema tables) throws SQLException {
        new SqlWriteGuard(new ShortPauses()).install(owner, tables, GuardedShard.SOON);
    }

    private List<Long> roots() throws SQLException {
        return Jdbc.list(owner, "SELECT tab FROM upgrade.root", row -> row.getLong(1));
    }

    private void repeatedly(String sql, Object... parameters) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                Jdbc.run(owner, sql, parameters);
                return;
            } catch (SQLException e) {
                if (!SqlStates.LOCK_TIMEOUT.equals(e.getSQLState()) || attempt == 100) {
                    throw e;
                }
            }
        }
    }

    /** Rows that nobody may have changed, and rows that nobody may have written. */
    String untouchable() throws SQLException {
        return GuardedShard.text(
                owner,
                "SELECT string_agg(concat_ws(' ', x.tenant_id, x.p, x.id, x.v), ';' ORDER BY x.p) FROM ("
                        + "SELECT * FROM note UNION ALL SELECT * FROM ev UNION ALL SELECT * FROM doc) x"
                        + " WHERE x.tenant_id IN (?, ?)",
                frozen.value(),
                foreign.value());
    }

    @Override
    public void close() throws SQLException {
        owner.close();
        shard.close();
    }
}
