package dev.escapement.netty;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** An address at which connecting hangs: a listener whose backlog is full, so that the kernel drops every further SYN. */
final class BlackHole implements AutoCloseable {

    private final ServerSocket listener;
    private final Socket first = new Socket();
    private final Socket second = new Socket();

    BlackHole(String address, int port) throws IOException {
        listener = new ServerSocket(port, 1, InetAddress.getByName(address));
        InetSocketAddress here = new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        first.connect(here);
        second.connect(here);
    }

    @Override
    public void close() throws IOException {
        first.close();
        second.close();
        listener.close();
    }
}
