package io.homeshard.directory;

import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A move as the journal has it. Immutable.
 *
 * @param id the move
 * @param tenant the tenant that moves
 * @param source where it lives
 * @param target where it goes
 * @param generation generation on the source; the target gets one more
 * @param phase how far it is
 * @param epoch fencing token of the process that runs it
 * @param attempt counts the attempts to copy, from 1
 * @param leaseOwner name of the process that runs it
 * @param leaseExpired whether the lease has run out by the directory's clock
 * @param superseded whether a later move of the tenant has taken over the retained rows
 * @param startedAt when it was planned
 * @param phaseSince when the present phase was journaled, by the directory's clock
 * @param reason why it was aborted, or null
 */
public record MoveRecord(
        UUID id,
        TenantId tenant,
        ShardId source,
        ShardId target,
        long generation,
        MovePhase phase,
        long epoch,
        int attempt,
        String leaseOwner,
        boolean leaseExpired,
        boolean superseded,
        Instant startedAt,
        Instant phaseSince,
        @Nullable String reason) {}
