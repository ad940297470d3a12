package io.homeshard.migrate.move;

import java.util.EnumMap;
import java.util.Map;

/** How long the steps of one move took, each in the thread that runs it; steps may lie within others. */
final class StepTimer implements StepHook {
    private final Map<Step, Long> begun = new EnumMap<>(Step.class);
    private final Map<Step, Long> nanos = new EnumMap<>(Step.class);

    @Override
    public synchronized void reached(CrashPoint point) {
        if (point.when() == CrashPoint.When.BEFORE) {
            begun.put(point.step(), System.nanoTime());
        }
    }

    @Override
    public synchronized void left(Step step) {
        Long since = begun.remove(step);
        if (since != null) {
            nanos.merge(step, System.nanoTime() - since, Long::sum);
        }
    }

    synchronized long millis(Step step) {
        return nanos.getOrDefault(step, 0L) / 1_000_000;
    }
}
