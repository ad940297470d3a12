package io.homeshard.migrate.move;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Plays cells on several scenes at once, and prints what came of them. */
final class CrashMatrix {
    /** Of a cell whose fault has not happened yet. */
    private static final int ATTEMPTS = 3;

    private final List<CrashCell> cells;
    private final Queue<CrashCell> waiting;
    final Map<CrashCell, String> results = new LinkedHashMap<>();
    final Map<CrashCell, Throwable> failures = new LinkedHashMap<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong looks = new AtomicLong();
    private long seconds;

    CrashMatrix(List<CrashCell> cells) {
        this.cells = List.copyOf(cells);
        this.waiting = new ConcurrentLinkedQueue<>(cells);
    }

    void play(int lanes) {
        long start = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(lanes);
        try {
            CompletableFuture.allOf(IntStream.range(0, lanes)
                            .mapToObj(lane -> CompletableFuture.runAsync(this::lane, threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            threads.shutdownNow();
        }
        seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    }

    private void lane() {
        try (CrashScene scene = new CrashScene();
                CrashJvms jvms = new CrashJvms(scene.lab.cluster.directory())) {
            for (CrashCell cell = waiting.poll(); cell != null; cell = waiting.poll()) {
                play(scene, jvms, cell);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void play(CrashScene scene, CrashJvms jvms, CrashCell cell) throws InterruptedException {
        long start = System.nanoTime();
        @Nullable String result = null;
        for (int attempt = 1; attempt <= ATTEMPTS && result == null; attempt++) {
            result = attempt(scene, jvms, cell, attempt);
        }
        long tenths = Duration.ofNanos(System.nanoTime() - start).toMillis() / 100;
        synchronized (results) {
            results.put(cell, result + " " + tenths / 10 + "." + tenths % 10);
        }
    }

    private @Nullable String attempt(CrashScene scene, CrashJvms jvms, CrashCell cell, int attempt)
            throws InterruptedException {
        try (CrashRun run = new CrashRun(scene, cell)) {
            try {
                return run.play(jvms);
            } finally {
                run.writers.forEach(writer -> {
                    acknowledged.addAndGet(writer.acknowledged.size());
                    refused.addAndGet(writer.refused.get());
                });
                looks.addAndGet(run.witness.looks.get());
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (CrashRun.NotReached e) {
            scene.heal();
            return attempt < ATTEMPTS ? null : failed(cell, e);
        } catch (Exception | AssertionError e) {
            scene.heal();
            return failed(cell, e);
        }
    }

    private String failed(CrashCell cell, Throwable e) {
        System.out.println(cell + " - " + e);
        synchronized (results) {
            failures.put(cell, e);
        }
        return "FAILED";
    }

    /** One line a point; in a cell the shard that has the tenant in the end, and the seconds that it took. */
    String table() {
        Map<CrashPoint, Map<CrashFault, String>> rows = new LinkedHashMap<>();
        for (CrashPoint point : CrashPoint.all()) {
            rows.put(point, new EnumMap<>(CrashFault.class));
        }
        results.forEach((cell, result) -> rows.computeIfAbsent(cell.point(), point -> new EnumMap<>(CrashFault.class))
                .put(cell.fault(), result));
        StringBuilder table = new StringBuilder("%-28s".formatted("crash point"));
        for (CrashFault fault : CrashFault.values()) {
            table.append(" | %-17s".formatted(fault));
        }
        rows.forEach((point, row) -> {
            table.append("%n%-28s".formatted(point));
            for (CrashFault fault : CrashFault.values()) {
                table.append(" | %-17s".formatted(row.getOrDefault(fault, "-")));
            }
        });
        failures.forEach((cell, failure) -> table.append("%n%s: %s".formatted(cell, failure)));
        return table
                + "%ncrash-matrix: %d cells, %d passed, %d failed; %d points, %d s; writes acknowledged %d, refused %d; looks of the witnesses %d%n"
                        .formatted(
                                cells.size(),
                                results.size() - failures.size(),
                                failures.size() + cells.size() - results.size(),
                                rows.values().stream()
                                        .filter(row -> !row.isEmpty())
                                        .count(),
                                seconds,
                                acknowledged.get(),
                                refused.get(),
                                looks.get());
    }
}
