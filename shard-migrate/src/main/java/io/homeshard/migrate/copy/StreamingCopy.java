package io.homeshard.migrate.copy;

import io.homeshard.guard.MoverToken;
import io.homeshard.migrate.catalog.LoadMode;
import io.homeshard.migrate.catalog.PinnedTransaction;
import io.homeshard.migrate.catalog.TenantCatalog;
import io.homeshard.migrate.catalog.TenantTable;
import io.homeshard.migrate.throttle.Throttle;
import io.homeshard.model.TableName;
import io.homeshard.observe.Clocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Copies through the memory of this process, in as many streams as limits, tables and memory allow. */
final class StreamingCopy implements TenantCopy {
    /** A row is in memory up to twice, while the next is allocated, and as much again is left for everything else. */
    private static final long HEAP_PER_ROW = 4;

    private final CopyLimits limits;
    private final LoadMode mode;
    private final CopyPace pace;
    private final long rangeBytes;

    StreamingCopy(CopyLimits limits, LoadMode mode, Clocks clocks, long rangeBytes) {
        this.limits = limits;
        this.mode = mode;
        Throttle rate = limits.bytesPerSecond() == CopyLimits.UNLIMITED
                ? Throttle.none()
                : Throttle.bytesPerSecond(limits.bytesPerSecond(), clocks);
        this.pace = new CopyPace(Throttle.pausedWhile(limits.paused(), clocks).and(rate), limits, clocks);
        this.rangeBytes = rangeBytes;
    }

    @Override
    public CopyReport copy(CopyEnds ends, TenantCatalog catalog, MoverToken token, CopyListener listener)
            throws SQLException {
        return PinnedTransaction.read(ends.source(), source -> {
            SourceSettings.apply(source, token.tenant());
            int streams = ends.more() == null ? 1 : streams();
            List<List<CopyUnit>> stages = stages(source, ends.target(), catalog, streams);
            CopyProgress progress = new CopyProgress(
                    listener, catalog.tables().stream().map(TenantTable::name).toList());
            stages.forEach(stage -> stage.forEach(unit -> unit.parts().forEach(progress::expect)));
            SourceSettings.sending(source, limits.mayHoldUp());
            UnitCopy work = new UnitCopy(ends.guard(), token, mode, pace, progress);
            int useful = stages.stream().mapToInt(List::size).max().orElse(1);
            new CopyCrew(ends, new WorkQueue(stages), work).run(source, Math.min(streams, useful));
            return progress.report();
        });
    }

    private List<List<CopyUnit>> stages(Connection source, Connection target, TenantCatalog catalog, int streams)
            throws SQLException {
        Map<TableName, TableForm> forms = TableForms.choose(source, target, catalog.tables());
        Map<TableName, List<RowRange>> ranges =
                new BigTables(source, streams, rangeBytes).divide(CopyStages.divisible(catalog, mode));
        return new CopyStages(forms, ranges).of(catalog, mode);
    }

    /** Each stream may hold the longest row that is allowed. */
    private int streams() {
        long fit = Runtime.getRuntime().maxMemory() / HEAP_PER_ROW / limits.maxRowBytes();
        return (int) Math.max(1, Math.min(limits.parallelism(), fit));
    }
}
