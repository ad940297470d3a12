package io.homeshard;

import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.guard.ShardIdentity;
import io.homeshard.guard.WriteGuard;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardIdentityException;
import io.homeshard.pool.ConnectionCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Compares what a database says of itself with what the directory means, on each new physical connection. */
final class IdentityCheck implements ConnectionCheck {
    /** "Rejected": the database is there, but it is not ours to use. */
    private static final String WRONG_DATABASE = "08004";

    /** Schema, table or function does not exist. */
    private static final Set<String> NO_SCHEMA = Set.of("3F000", "42P01", "42883");

    private final DirectoryAdmin admin;
    private final WriteGuard guard;
    /** Given once for ever, so read once. */
    private volatile @Nullable UUID directoryId;

    IdentityCheck(DirectoryAdmin admin, WriteGuard guard) {
        this.admin = admin;
        this.guard = guard;
    }

    @Override
    public void check(Connection connection, Shard shard) throws SQLException {
        ShardIdentity meant = new ShardIdentity(directoryId(), shard.id(), shard.incarnation());
        Optional<ShardIdentity> found = identity(connection, shard);
        if (found.isEmpty()) {
            throw refusal(shard, "the database has no identity yet; roll the schema out", "none", meant);
        }
        if (!found.get().equals(meant)) {
            throw refusal(
                    shard,
                    "the database is another one than the directory means",
                    found.get().toString(),
                    meant);
        }
    }

    private Optional<ShardIdentity> identity(Connection connection, Shard shard) throws SQLException {
        try {
            return guard.identity(connection);
        } catch (SQLException e) {
            if (!NO_SCHEMA.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
            SchemaMismatchException missing = new SchemaMismatchException(
                    "shard " + shard.id() + " - schema homeshard is missing or older than this library;"
                            + " run SchemaRollout.migrate()",
                    e);
            throw new SQLNonTransientConnectionException(missing.getMessage(), WRONG_DATABASE, missing);
        }
    }

    private UUID directoryId() {
        UUID known = directoryId;
        if (known == null) {
            known = admin.identity().id();
            directoryId = known;
        }
        return known;
    }

    private static SQLException refusal(Shard shard, String what, String found, ShardIdentity meant) {
        ShardIdentityException refusal = new ShardIdentityException(
                "shard " + shard.id() + " - " + what + " (found=" + found + ", meant=" + meant + ")", null);
        return new SQLNonTransientConnectionException(refusal.getMessage(), WRONG_DATABASE, refusal);
    }
}
