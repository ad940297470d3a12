package io.homeshard.migrate.move;

import io.homeshard.test.Database;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** JVMs for movers, the next one always starting ahead. Used by one thread. */
final class CrashJvms implements AutoCloseable {
    private final Database directory;
    private final Deque<CrashJvm> idle = new ArrayDeque<>();
    private final Set<CrashJvm> all = new HashSet<>();

    CrashJvms(Database directory) {
        this.directory = directory;
    }

    CrashJvm take() {
        while (idle.size() < 2) {
            CrashJvm jvm = CrashJvm.start(directory);
            all.add(jvm);
            idle.addLast(jvm);
        }
        return idle.removeFirst();
    }

    void giveBack(CrashJvm jvm) {
        idle.addFirst(jvm);
    }

    void kill(CrashJvm jvm) throws InterruptedException {
        all.remove(jvm);
        jvm.close();
    }

    @Override
    public void close() throws InterruptedException {
        for (CrashJvm jvm : all) {
            jvm.close();
        }
    }
}
