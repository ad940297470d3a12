package io.homeshard.test;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** One connection through a {@link FaultProxy}: two sockets and a pipe in each direction. Thread-safe. */
final class ProxyLink {
    private static final int CONNECT_MILLIS = 10_000;

    private final Socket client;
    private final Socket target = new Socket();
    private final ProxyPipe up;
    private final ProxyPipe down;
    private final String name;

    ProxyLink(ProxyState state, Socket client, String name) {
        this.client = client;
        this.name = name;
        this.up = new ProxyPipe(state);
        this.down = new ProxyPipe(state);
    }

    /** Connects to the target, once the proxy is not silent, and forwards until both sides are done. */
    void start(String host, int port, Runnable whenDone) {
        AtomicInteger directions = new AtomicInteger(2);
        Runnable directionDone = () -> {
            if (directions.decrementAndGet() == 0) {
                closeQuietly(client);
                closeQuietly(target);
                whenDone.run();
            }
        };
        daemon(name + "-up-in", () -> {
            try {
                up.awaitOpen();
                client.setTcpNoDelay(true);
                target.setTcpNoDelay(true);
                target.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            } catch (IOException | InterruptedException e) {
                reset();
                whenDone.run();
                return;
            }
            daemon(name + "-up-out", () -> drain(up, target, directionDone));
            daemon(name + "-down-in", () -> fill(down, target));
            daemon(name + "-down-out", () -> drain(down, client, directionDone));
            fill(up, client);
        });
    }

    /** Looks at the state of the proxy again. */
    void wake() {
        up.wake();
        down.wake();
    }

    /** Breaks the connection on both sides; the peers see a reset and not an orderly end. */
    void reset() {
        up.close();
        down.close();
        reset(client);
        reset(target);
    }

    private void fill(ProxyPipe pipe, Socket from) {
        try {
            pipe.fill(from.getInputStream());
        } catch (IOException | InterruptedException e) {
            reset();
        }
    }

    private void drain(ProxyPipe pipe, Socket into, Runnable whenDone) {
        try {
            pipe.drain(into.getOutputStream());
            into.shutdownOutput();
        } catch (IOException | InterruptedException e) {
            reset();
        } finally {
            whenDone.run();
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException alreadyClosed) {
            return;
        }
        closeQuietly(socket);
    }

    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException nothingLeftToClose) {
            return;
        }
    }

    static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
