package io.homeshard.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on the loopback address that can be told to behave like a bad network.
 *
 * <p>It knows nothing of what it carries. It listens from its creation on, always on the same port, and its threads
 * are daemons. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int ATTEMPTS = 3;

    private final String targetHost;
    private final int targetPort;
    private final ProxyState state = new ProxyState();
    private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final int port;

    /** Held by one call that changes the state; taken before the other lock. */
    private final ReentrantLock control = new ReentrantLock();

    /** Held for a moment, also by the thread that accepts. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock; absent while the network is cut. */
    private @Nullable Listener listener;

    /** Guarded by {@code control}. */
    private boolean closed;

    private record Listener(ServerSocket socket, Thread thread) {}

    private FaultProxy(String targetHost, int targetPort) throws IOException {
        this.targetHost = Objects.requireNonNull(targetHost, "host");
        this.targetPort = targetPort;
        this.port = FreePort.find();
        listen();
    }

    /**
     * Starts a proxy that forwards everything at once.
     *
     * @param host host name or address of the target, which need not be reachable yet
     * @param port TCP port of the target
     * @return the proxy, to be closed by the caller
     */
    public static FaultProxy to(String host, int port) {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port must be within 1 and 65535, was " + port);
        }
        for (int attempt = 1; ; attempt++) {
            try {
                return new FaultProxy(host, port);
            } catch (IOException e) {
                // another process may take the port between the choice and the use
                if (attempt == ATTEMPTS) {
                    throw new UncheckedIOException("fault proxy - not started (target=" + host + ":" + port + ")", e);
                }
            }
        }
    }

    /**
     * Where the proxy listens.
     *
     * @return the loopback address
     */
    public String host() {
        return "127.0.0.1";
    }

    /**
     * Where the proxy listens.
     *
     * @return a TCP port, the same all the time
     */
    public int port() {
        return port;
    }

    /**
     * The URL of a database by way of this proxy.
     *
     * @param database the name of a database of the target server
     * @return a PostgreSQL JDBC URL without user and password
     */
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://" + host() + ":" + port + "/" + database;
    }

    /**
     * Delays what arrives from now on, in each direction, so that a round trip takes twice as long. Order is kept, no
     * byte is lost, and any amount may be on the way at the same time. Opening a connection is not delayed.
     *
     * @param delay how long, not negative; zero ends the delay
     */
    public void delay(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay must be >= 0, was " + delay);
        }
        state.delay(delay);
    }

    /** Breaks all connections, on both sides by a reset where the system can do that, and refuses new ones. */
    public void cut() {
        control.lock();
        try {
            stopListening();
            links.forEach(ProxyLink::reset);
        } finally {
            control.unlock();
        }
    }

    /**
     * Keeps all connections but forwards nothing, not even their end, and accepts new ones without connecting them to
     * the target. What is sent in the meantime arrives when the proxy is healed, as TCP would send it again.
     */
    public void blackHole() {
        state.silent(true);
        links.forEach(ProxyLink::wake);
    }

    /** Ends every fault: no delay for what arrives from now on, and connections are accepted and forwarded. */
    public void heal() {
        control.lock();
        try {
            state.delay(Duration.ZERO);
            state.silent(false);
            links.forEach(ProxyLink::wake);
            if (!closed) {
                listen();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("fault proxy - port was taken by another process (port=" + port + ")", e);
        } finally {
            control.unlock();
        }
    }

    /** Breaks all connections and frees the port for good. */
    @Override
    public void close() {
        control.lock();
        try {
            closed = true;
            cut();
        } finally {
            control.unlock();
        }
    }

    @Override
    public String toString() {
        return "proxy " + port + " to " + targetHost + ":" + targetPort;
    }

    private void listen() throws IOException {
        lock.lock();
        try {
            if (listener == null) {
                ServerSocket socket = new ServerSocket(port, 0, InetAddress.getByName(host()));
                Thread thread = ProxyLink.daemon("homeshard-proxy-" + port + "-accept", () -> accept(socket));
                listener = new Listener(socket, thread);
            }
        } finally {
            lock.unlock();
        }
    }

    private void stopListening() {
        Listener stopped;
        lock.lock();
        try {
            stopped = listener;
            listener = null;
        } finally {
            lock.unlock();
        }
        if (stopped != null) {
            ProxyLink.closeQuietly(stopped.socket());
            awaitEnd(stopped.thread());
        }
    }

    /** The system keeps the port taken for as long as the thread is still inside {@code accept}. */
    private static void awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept(ServerSocket socket) {
        while (true) {
            try {
                open(socket, socket.accept());
            } catch (IOException closedByCut) {
                return;
            }
        }
    }

    private void open(ServerSocket from, Socket client) {
        ProxyLink link = new ProxyLink(state, client, "homeshard-proxy-" + port + "-" + count.incrementAndGet());
        lock.lock();
        try {
            if (listener == null || listener.socket() != from) {
                link.reset();
                return;
            }
            links.add(link);
        } finally {
            lock.unlock();
        }
        link.start(targetHost, targetPort, () -> links.remove(link));
    }
}
