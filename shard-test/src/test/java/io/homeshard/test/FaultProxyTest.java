package io.homeshard.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FaultProxyTest {
    private static final int SILENCE_MILLIS = 300;

    private EchoServer echo;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        echo = EchoServer.start();
        proxy = FaultProxy.to("127.0.0.1", echo.port());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        echo.close();
    }

    @Test
    void forwardsBothDirectionsAndTheEndOfTheStream() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write("hello".getBytes("US-ASCII"));
            socket.shutdownOutput();

            assertThat(new String(socket.getInputStream().readAllBytes(), "US-ASCII"))
                    .isEqualTo("hello");
        }
    }

    @Test
    void delayAddsLatencyInEachDirection() throws IOException {
        proxy.delay(Duration.ofMillis(100));
        try (Socket socket = connect()) {
            long start = System.nanoTime();
            roundTrip(socket, 1);

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(200), Duration.ofSeconds(5));
        }
    }

    @Test
    void delayKeepsOrderAndThroughput() throws IOException {
        byte[] sent = new byte[8 * 1024 * 1024];
        new Random(1).nextBytes(sent);
        proxy.delay(Duration.ofMillis(100));
        try (Socket socket = connect()) {
            long start = System.nanoTime();
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(socket, sent));
            byte[] received = socket.getInputStream().readNBytes(sent.length);
            writing.join();

            assertThat(received).isEqualTo(sent);
            // one piece of 16 kB at a time would take 100 seconds
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    void shorterDelayDoesNotOvertake() throws IOException {
        proxy.delay(Duration.ofMillis(400));
        try (Socket socket = connect()) {
            socket.getOutputStream().write(1);
            echo.awaitConnection();
            proxy.delay(Duration.ZERO);
            socket.getOutputStream().write(2);

            assertThat(socket.getInputStream().readNBytes(2)).containsExactly(1, 2);
        }
    }

    @Test
    void cutResetsConnectionsAndRefusesNewOnesUntilHealed() throws IOException {
        try (Socket socket = connect()) {
            roundTrip(socket, 1);

            proxy.cut();

            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        }
        int port = proxy.port();
        proxy.heal();

        assertThat(proxy.port()).isEqualTo(port);
        try (Socket socket = connect()) {
            roundTrip(socket, 2);
        }
    }

    @Test
    void blackHoleKeepsConnectionsSilentAndDeliversWhenHealed() throws IOException {
        try (Socket before = connect()) {
            roundTrip(before, 1);
            proxy.blackHole();
            try (Socket during = connect()) {
                before.getOutputStream().write(2);
                during.getOutputStream().write(3);
                assertSilent(before);
                assertSilent(during);

                proxy.heal();

                assertThat(before.getInputStream().read()).isEqualTo(2);
                assertThat(during.getInputStream().read()).isEqualTo(3);
            }
        }
    }

    @Test
    void cutEndsABlackHole() throws IOException {
        try (Socket socket = connect()) {
            roundTrip(socket, 1);
            proxy.blackHole();
            proxy.cut();

            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
        }
        proxy.heal();
        try (Socket socket = connect()) {
            roundTrip(socket, 2);
        }
    }

    @Test
    void closedProxyRefusesAndIsNotHealed() {
        proxy.close();
        proxy.heal();

        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    }

    @Test
    void unreachableTargetLooksLikeABrokenConnection() throws IOException {
        echo.close();
        try (Socket socket = connect()) {
            assertThatThrownBy(() -> {
                        if (socket.getInputStream().read() < 0) {
                            throw new SocketException("end");
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(proxy.host(), proxy.port());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static void roundTrip(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        assertThat(socket.getInputStream().read()).isEqualTo(value);
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(SILENCE_MILLIS);
        InputStream input = socket.getInputStream();
        assertThatThrownBy(input::read).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(0);
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
