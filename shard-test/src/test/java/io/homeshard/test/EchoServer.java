package io.homeshard.test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/** Sends back what it gets. */
final class EchoServer implements AutoCloseable {
    private final ServerSocket listener;
    private final CountDownLatch connected = new CountDownLatch(1);

    private EchoServer(ServerSocket listener) {
        this.listener = listener;
    }

    static EchoServer start() throws IOException {
        EchoServer server = new EchoServer(new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1")));
        ProxyLink.daemon("echo-accept", server::accept);
        return server;
    }

    int port() {
        return listener.getLocalPort();
    }

    void awaitConnection() {
        try {
            connected.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = listener.accept();
                connected.countDown();
                ProxyLink.daemon("echo", () -> echo(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException peerIsGone) {
            return;
        }
    }
}
