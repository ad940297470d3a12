package io.homeshard.guard.bench;

import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes the driver's sockets; named in a URL, and made by the driver. Thread-safe. */
public final class WireSockets extends SocketFactory {
    private final Wire wire;

    /**
     * As the driver calls it.
     *
     * @param wire the name of a wire
     */
    public WireSockets(String wire) {
        this.wire = Wire.named(wire);
    }

    @Override
    public Socket createSocket() {
        return wire.socket();
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException("the driver connects its sockets itself");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException("the driver connects its sockets itself");
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException("the driver connects its sockets itself");
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException("the driver connects its sockets itself");
    }
}
