package io.homeshard;

import io.homeshard.directory.DirectoryAdmin;
import io.homeshard.guard.ShardIdentity;
import io.homeshard.guard.ShardSelf;
import io.homeshard.guard.WriteGuard;
import io.homeshard.internal.jdbc.SchemaNumber;
import io.homeshard.internal.jdbc.SqlStates;
import io.homeshard.model.SchemaMismatchException;
import io.homeshard.model.Shard;
import io.homeshard.model.ShardIdentityException;
import io.homeshard.pool.ConnectionCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Compares what a database says of itself with what the directory and this library mean, on each new connection. */
final class IdentityCheck implements ConnectionCheck {
    /** "Rejected": the database is there, but it is not ours to use. */
    private static final String WRONG_DATABASE = "08004";

    private static final String ROLL_OUT = "SchemaRollout.migrate()";

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
        ShardSelf found = self(connection, shard);
        refuse(SchemaNumber.misfit("shard " + shard.id(), found.schemaNumber(), ROLL_OUT));
        if (found.identity().isEmpty()) {
            throw refusal(shard, "the database has no identity yet; roll the schema out", "none", meant);
        }
        if (!found.identity().get().equals(meant)) {
            throw refusal(
                    shard,
                    "the database is another one than the directory means",
                    found.identity().get().toString(),
                    meant);
        }
    }

    private ShardSelf self(Connection connection, Shard shard) throws SQLException {
        try {
            return guard.self(connection);
        } catch (SQLException e) {
            if (SqlStates.schemaMissing(e)) {
                refuse(Optional.of(new SchemaMismatchException(
                        "shard " + shard.id() + " - schema homeshard is missing or older than this library; run "
                                + ROLL_OUT,
                        e)));
            }
            throw e;
        }
    }

    private static void refuse(Optional<SchemaMismatchException> misfit) throws SQLException {
        if (misfit.isPresent()) {
            throw new SQLNonTransientConnectionException(misfit.get().getMessage(), WRONG_DATABASE, misfit.get());
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
