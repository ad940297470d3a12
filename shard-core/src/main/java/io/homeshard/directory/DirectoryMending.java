package io.homeshard.directory;

import io.homeshard.model.ShardId;
import io.homeshard.model.StepResult;
import io.homeshard.model.TenantId;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What mends a directory that has forgotten something, and what a person orders. Same rules as {@link MoveJournal}: one
 * SQL function per step, idempotent, synchronous commit. Thread-safe.
 */
public interface DirectoryMending {
    /**
     * The steps in a directory's database.
     *
     * @param dataSource hands out connections to it, in autocommit; Homeshard closes what it borrows, never the source
     * @return the steps
     */
    static DirectoryMending jdbc(DataSource dataSource) {
        return new JdbcDirectoryMending(dataSource);
    }

    /**
     * The last epoch that was given out.
     *
     * @return 0 when none was
     */
    long lastEpoch();

    /**
     * Gives out an epoch that nobody has had, above the one given; those that follow are higher still.
     *
     * @param found the highest that was found on a shard
     * @return the new epoch
     */
    long liftEpochs(long found);

    /**
     * Makes everything that the directory says new to everybody: another incarnation, and a map version far ahead.
     *
     * @return the new incarnation
     */
    int lift();

    /**
     * Whether a creation of the tenant is in the journal.
     *
     * @param tenant the tenant
     * @return true when it has not ended
     */
    boolean creating(TenantId tenant);

    /**
     * The highest generation that the history knows of a tenant.
     *
     * @param tenant the tenant
     * @return 0 when it knows none
     */
    long knownGeneration(TenantId tenant);

    /**
     * Sets the placement that the shards prove, active.
     *
     * @param tenant the tenant
     * @param seen map version that the placement had when the shards were read, or null when there was none
     * @param shard the owner
     * @param generation its generation, not lower than any that the directory knows
     * @param reason for the history
     * @return done, already done or why not
     */
    StepResult place(TenantId tenant, @Nullable Long seen, ShardId shard, long generation, String reason);

    /**
     * Ends a move of which the shards prove that it is over. Refused while a mover holds its lease.
     *
     * @param move the move as it was seen
     * @param to RETAINED or ABORTED
     * @param reason for people
     * @return done, already done or why not
     */
    StepResult close(MoveRecord move, MovePhase to, String reason);

    /**
     * Keeps the highest generation of a tenant that the directory does not know.
     *
     * @param tenant the tenant
     * @param generation found on a shard
     * @return done, already done or why not
     */
    StepResult raiseGeneration(TenantId tenant, long generation);

    /**
     * Keeps what a gathering has found, before it changes anything.
     *
     * @param gathering what and where
     * @param report JSON object
     * @return done, already done or why not
     */
    StepResult beginGathering(Gathering gathering, String report);

    /**
     * Keeps what became of it.
     *
     * @param gathering its id
     * @param report JSON object, whose members are added
     * @return done or why not
     */
    StepResult endGathering(UUID gathering, String report);
}
