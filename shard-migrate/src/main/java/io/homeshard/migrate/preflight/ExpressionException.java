package io.homeshard.migrate.preflight;

import io.homeshard.migrate.catalog.Finding;
import io.homeshard.migrate.catalog.Finding.Severity;
import io.homeshard.model.ShardId;
import io.homeshard.model.TableName;
import java.sql.SQLException;

/** An expression of the application could not be evaluated; the transaction goes on. */
final class ExpressionException extends SQLException {
    private static final long serialVersionUID = 1L;

    private final transient ShardId shard;

    ExpressionException(ShardId shard, SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause);
        this.shard = shard;
    }

    /**
     * What a plan says of it. The move may go well all the same: when the other shard can do what this one cannot, or when
     * it was a row of another tenant.
     */
    Finding finding(TableName table, String rule) {
        return new Finding(
                Severity.WARNING,
                "expression-fails",
                shard,
                table,
                null,
                rule + " cannot be evaluated for the mover, so that rows were not looked at: " + ServerReason.of(this),
                "see that the mover's role finds and may read what the functions of the expression use: name tables there"
                        + " with their schema, or ALTER FUNCTION ... SET search_path = ...; or accept that the move is"
                        + " undone if the target cannot evaluate it");
    }
}
