package io.homeshard.guard.bench;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Between the driver and its sockets: counts round trips, and makes each of them longer. A round trip is a read after a
 * write; the answer is handed on late, which for a client that waits for each answer is the same as a slow network. No
 * thread carries bytes, so that nothing is taken from the processors that are measured. Thread-safe.
 */
final class Wire {
    private static final Map<String, Wire> WIRES = new ConcurrentHashMap<>();
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int CALIBRATIONS = 51;

    private final AtomicLong roundTrips = new AtomicLong();
    private final long parkNanos;
    private final String id = "wire-" + COUNT.incrementAndGet();

    private Wire(long parkNanos) {
        this.parkNanos = parkNanos;
        WIRES.put(id, this);
    }

    /** One that only counts. */
    static Wire counting() {
        return new Wire(0);
    }

    /** One that also makes each round trip longer. A thread always wakes up a little late: it is told to by so much less. */
    static Wire slow(Duration more) {
        long nanos = more.toNanos();
        long[] late = new long[CALIBRATIONS];
        for (int i = 0; i < CALIBRATIONS; i++) {
            long before = System.nanoTime();
            LockSupport.parkNanos(nanos / 2);
            late[i] = System.nanoTime() - before - nanos / 2;
        }
        Arrays.sort(late);
        return new Wire(Math.max(1, nanos - late[CALIBRATIONS / 2]));
    }

    static Wire named(String id) {
        Wire wire = WIRES.get(id);
        if (wire == null) {
            throw new IllegalArgumentException("wire must be one of " + WIRES.keySet() + ", was " + id);
        }
        return wire;
    }

    /** What a URL needs to go this way. */
    String parameters() {
        return "&socketFactory=" + WireSockets.class.getName() + "&socketFactoryArg=" + id;
    }

    /** Round trips of all its sockets so far. */
    long roundTrips() {
        return roundTrips.get();
    }

    private void answered() {
        roundTrips.incrementAndGet();
        if (parkNanos > 0) {
            long due = System.nanoTime() + parkNanos;
            long left = parkNanos;
            // may wake up too early; what the clock is short of in the end is less than any wait can be
            while (left > TimeUnit.MICROSECONDS.toNanos(20)) {
                LockSupport.parkNanos(left);
                left = due - System.nanoTime();
            }
        }
    }

    /** A socket that reports its turns. Used by one thread at a time, as the driver does. */
    Socket socket() {
        return new Turning();
    }

    private final class Turning extends Socket {
        private boolean asked;

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    int read = super.read();
                    turn();
                    return read;
                }

                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    int read = super.read(into, from, length);
                    turn();
                    return read;
                }
            };
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(int value) throws IOException {
                    asked = true;
                    out.write(value);
                }

                @Override
                public void write(byte[] from, int start, int length) throws IOException {
                    asked = true;
                    out.write(from, start, length);
                }
            };
        }

        private void turn() {
            if (asked) {
                asked = false;
                answered();
            }
        }
    }
}
