package io.homeshard.migrate.move;

import io.homeshard.migrate.json.Json;
import io.homeshard.model.ShardId;
import io.homeshard.model.TenantId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a move went, and what was compared. Immutable.
 *
 * @param move the move
 * @param tenant the tenant
 * @param source where it lived
 * @param target where it was to go
 * @param generation its generation on the source
 * @param outcome how it ended
 * @param phases the phases it went through, in order
 * @param tables what was copied and compared by the attempt that counts, empty when none got so far
 * @param freezeMillis from the acknowledged freeze to the acknowledged activation as the mover measured it; by the
 *     directory's clock when another process finished the move; null when it was not activated
 * @param reason why it was aborted, is unsettled or could not be cleaned, or null
 */
public record MoveReport(
        UUID move,
        TenantId tenant,
        ShardId source,
        ShardId target,
        long generation,
        Outcome outcome,
        List<PhaseTiming> phases,
        List<TableReport> tables,
        @Nullable Long freezeMillis,
        @Nullable String reason) {
    /** How a move ended. */
    public enum Outcome {
        /** The target owns the tenant; the old rows wait on the source. */
        MOVED,
        /** The target owns the tenant; the old rows are gone. */
        CLEANED,
        /** Undone; the source owns the tenant. */
        ABORTED,
        /** Neither yet: something cannot be reached, or another process is at it. {@code recover()} goes on. */
        UNSETTLED
    }

    /** Copies the lists. */
    public MoveReport {
        phases = List.copyOf(phases);
        tables = List.copyOf(tables);
    }

    /**
     * Rows copied.
     *
     * @return the sum over the tables
     */
    public long rows() {
        return tables.stream().mapToLong(TableReport::rows).sum();
    }

    /**
     * Bytes copied.
     *
     * @return the sum over the tables
     */
    public long bytes() {
        return tables.stream().mapToLong(TableReport::bytes).sum();
    }

    /**
     * The report as the journal keeps it.
     *
     * @return a JSON object, without any value of a tenant's columns but the sums
     */
    public String toJson() {
        return Json.write(ReportJson.write(this));
    }
}
