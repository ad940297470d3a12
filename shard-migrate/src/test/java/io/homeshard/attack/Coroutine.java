package io.homeshard.attack;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Work that goes on only when it is told to, from one pause to the next. Of all of them one runs at a time. */
final class Coroutine {
    private final Semaphore go = new Semaphore(0);
    private final Semaphore back = new Semaphore(0);
    private final Thread thread;
    private volatile boolean killed;
    private volatile boolean over;
    private volatile @Nullable Throwable failure;

    /** The process dies here and now. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Work. */
    @FunctionalInterface
    interface Body {
        void run(Coroutine self) throws Exception;
    }

    Coroutine(Body body) {
        this.thread = new Thread(() -> {
            try {
                go.acquireUninterruptibly();
                if (!killed) {
                    body.run(this);
                }
            } catch (Killed e) {
                // as told
            } catch (Throwable e) {
                failure = e;
            } finally {
                over = true;
                back.release();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Called by the work: waits to be told. */
    void pause() {
        back.release();
        go.acquireUninterruptibly();
        if (killed) {
            throw new Killed();
        }
    }

    /** Lets the work go on to its next pause. */
    void resume() {
        go.release();
        back.acquireUninterruptibly();
        Throwable thrown = failure;
        if (thrown != null) {
            throw new AssertionError("coroutine failed", thrown);
        }
    }

    void kill() {
        if (!over) {
            killed = true;
            resume();
        }
    }

    boolean over() {
        return over;
    }
}
