package io.homeshard.migrate.move;

import io.homeshard.directory.MoveJournal;
import io.homeshard.guard.WriteGuard;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sees every call of a mover to the journal and to the guards, and whether it happens inside a step. What is not known
 * to read only counts as an effect, so that new calls are held to the rule without anybody thinking of it.
 */
final class RecordedSteps implements StepHook {
    private static final Set<String> READING = Set.of(
            "find",
            "unfinished",
            "retained",
            "limits",
            "certificates",
            "now",
            "ofTenant",
            "steps",
            "evidence",
            "unguarded",
            "identity",
            "self",
            "ownership");

    /** What the thread of the lease does all the while; nothing depends on when. */
    private static final Set<String> OF_THE_LEASE = Set.of("renew", "progress");

    private static final String LEASE_THREAD = "homeshard-move-lease";

    final Set<CrashPoint> reached = ConcurrentHashMap.newKeySet();
    final Queue<String> outside = new ConcurrentLinkedQueue<>();
    final AtomicInteger effects = new AtomicInteger();
    private final ThreadLocal<Deque<Step>> open = ThreadLocal.withInitial(ArrayDeque::new);
    private final AtomicInteger copies = new AtomicInteger();

    @Override
    public void reached(CrashPoint point) {
        reached.add(point);
        if (point.when() == CrashPoint.When.BEFORE) {
            open.get().push(point.step());
            copies.addAndGet(point.step() == Step.COPY_ROWS ? 1 : 0);
        }
    }

    @Override
    public void left(Step step) {
        // a step whose course somebody else directs is not left when it fails, but the one around it is
        while (open.get().pop() != step) {
            continue;
        }
        copies.addAndGet(step == Step.COPY_ROWS ? -1 : 0);
    }

    MoveParts watched(MoveParts p) {
        return new MoveParts(
                p.directory(),
                watched(MoveJournal.class, p.journal()),
                watched(WriteGuard.class, p.guard()),
                p.pools(),
                p.tables(),
                p.clocks(),
                p.config());
    }

    private <T> T watched(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    look(type, method);
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void look(Class<?> type, Method method) {
        String name = method.getName();
        if (READING.contains(name)
                || name.equals("progress") && method.getParameterCount() == 1
                || OF_THE_LEASE.contains(name)
                        && Thread.currentThread().getName().equals(LEASE_THREAD)) {
            return;
        }
        effects.incrementAndGet();
        Step step = open.get().peek();
        boolean directory = type == MoveJournal.class;
        boolean inside = step == null
                ? name.equals("enterMover") && copies.get() > 0
                : directory == (step.place() == Step.Place.DIRECTORY);
        if (!inside) {
            outside.add(type.getSimpleName() + "." + name + " in step " + step);
        }
    }
}
