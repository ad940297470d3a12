package io.homeshard.tenants;

import io.homeshard.directory.MovePhase;
import io.homeshard.directory.MoveRecord;
import io.homeshard.model.ShardId;
import io.homeshard.tenants.TenantEvidence.Row;

/** One step that mends a difference. Steps of the directory come before steps of a shard. */
sealed interface Mend {
    /** The directory says that the owner is this one. */
    record Place(ShardId shard, long generation) implements Mend {}

    /** The directory says that a move is over. */
    record Close(MoveRecord move, MovePhase to) implements Mend {}

    /** The directory keeps a generation of a tenant that it does not know. */
    record Raise(long generation) implements Mend {}

    /** An outdated owner owns no more. */
    record Disown(Row row, ShardId owner) implements Mend {}

    /** A frozen source says moved. */
    record MarkMoved(Row row, ShardId owner) implements Mend {}

    /** Frozen or moved becomes owned, at a generation that is new to all. */
    record Reopen(Row row, long generation) implements Mend {}

    /** A verified target becomes owned. */
    record Activate(Row row) implements Mend {}

    /** A reservation is given up; its rows are deleted only when it is proven that they are a copy. */
    record Release(Row row, boolean copied) implements Mend {}
}
