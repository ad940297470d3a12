package io.homeshard.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One direction of a connection: bytes on their way.
 *
 * <p>A reader fills it and a writer drains it. Each piece carries the time at which it is due, so that a delay adds
 * latency only: the reader goes on while earlier pieces wait. Thread-safe.
 */
final class ProxyPipe {
    private static final int PIECE_BYTES = 16 * 1024;

    /** Bounds the memory for a peer that does not read: 64 MB of full pieces. */
    private static final int MOST_PIECES = 4096;

    private final ProxyState state;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by the lock. */
    private final Queue<Piece> pieces = new ArrayDeque<>();

    /** Guarded by the lock. */
    private boolean closed;

    /** Some bytes, none of them at the end of the stream, and the nano time at which they are due. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Piece(byte[] bytes, long due) {}

    ProxyPipe(ProxyState state) {
        this.state = state;
    }

    /** Waits while the proxy is silent. */
    void awaitOpen() throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (state.silent() && !closed) {
                changed.await();
            }
            requireOpen();
        } finally {
            lock.unlock();
        }
    }

    /** Reads until the end of the stream and puts that end on its way too. */
    void fill(InputStream from) throws IOException, InterruptedException {
        byte[] buffer = new byte[PIECE_BYTES];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            put(Arrays.copyOf(buffer, read));
        }
        put(new byte[0]);
    }

    /** Writes what is due until the end of the stream arrives. */
    void drain(OutputStream into) throws IOException, InterruptedException {
        for (byte[] bytes = take(); bytes.length > 0; bytes = take()) {
            into.write(bytes);
        }
    }

    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void put(byte[] bytes) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (pieces.size() >= MOST_PIECES && !closed) {
                changed.await();
            }
            requireOpen();
            pieces.add(new Piece(bytes, System.nanoTime() + state.delayNanos()));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private byte[] take() throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                requireOpen();
                Piece first = pieces.peek();
                long wait = first == null ? 0 : first.due() - System.nanoTime();
                if (first == null || state.silent()) {
                    changed.await();
                } else if (wait > 0) {
                    changed.awaitNanos(wait);
                } else {
                    pieces.remove();
                    changed.signalAll();
                    return first.bytes();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("proxy connection is closed");
        }
    }
}
