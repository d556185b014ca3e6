package dev.escapement.netty;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Passes one connection's bytes on both ways until it is told to end the client's side by a FIN, without a word of TLS. */
final class CuttingProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final int target;
    private volatile Socket client;

    CuttingProxy(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        start(() -> {
            try (Socket server = new Socket()) {
                Socket accepted = listener.accept();
                client = accepted;
                server.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), this.target));
                start(() -> pass(accepted, server));
                pass(server, accepted);
            } catch (IOException e) {
                // Closed: the way to stop it.
            }
        });
    }

    int port() {
        return listener.getLocalPort();
    }

    void cut() throws IOException {
        client.close();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        if (client != null) {
            client.close();
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void pass(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            in.transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One of the two has ended.
        }
    }
}
