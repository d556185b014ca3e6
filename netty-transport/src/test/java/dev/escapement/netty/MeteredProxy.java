package dev.escapement.netty;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Passes one connection's bytes on both ways, but of the server's only so many; then it ends the client's side by a FIN. */
final class MeteredProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final Thread thread;
    private final ByteArrayOutputStream passed = new ByteArrayOutputStream();

    MeteredProxy(int target, int most) throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        thread = daemon(() -> {
            try (Socket client = listener.accept();
                    Socket server = new Socket()) {
                server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                Thread up = daemon(() -> pass(client, server));
                up.start();
                passMetered(server.getInputStream(), client.getOutputStream(), most);
                client.shutdownOutput();
                up.join(20_000);
            } catch (IOException e) {
                // Closed: the way to stop it.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** What the server has said so far. */
    byte[] passed() {
        synchronized (passed) {
            return passed.toByteArray();
        }
    }

    private void passMetered(InputStream from, OutputStream to, int most) throws IOException {
        for (int left = most; left > 0; left--) {
            int next = from.read();
            if (next < 0) {
                return;
            }
            synchronized (passed) {
                passed.write(next);
            }
            to.write(next);
        }
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One of the two has ended.
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "metered proxy");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        try {
            thread.join(20_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
