package dev.escapement.gateway.demo;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An upstream that answers each connection once, with the same bytes, as soon as it has seen the head of a request, and then waits for its
 * end. Thread-safe.
 */
final class Misbehaving implements AutoCloseable {

    private static final int BACKLOG = 128;

    private final ServerSocket server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final byte[] answer;

    private Misbehaving(String answer) throws IOException {
        this.answer = answer.getBytes(StandardCharsets.US_ASCII);
        threads.execute(this::accept);
    }

    /** Promises twice as much as it sends. */
    static Misbehaving stalling() throws IOException {
        String half = "half of what was promised\n";
        return new Misbehaving("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + 2 * half.length()
                + "\r\n\r\n" + half);
    }

    /** Says all that it has to say before it has read the body. */
    static Misbehaving early() throws IOException {
        String body = "answered before the body was read\n";
        return new Misbehaving("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = server.accept();
                connections.add(connection);
                threads.execute(() -> serve(connection));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            if (readsHead(in)) {
                OutputStream out = connection.getOutputStream();
                out.write(answer);
                out.flush();
            }
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The other side has gone, which is what this one waits for.
        } finally {
            connections.remove(connection);
        }
    }

    /** Whether an empty line came before the end. */
    private static boolean readsHead(InputStream in) throws IOException {
        int lineLength = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n' && lineLength == 0) {
                return true;
            }
            if (next != '\r') {
                lineLength = next == '\n' ? 0 : lineLength + 1;
            }
        }
        return false;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket connection : connections) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            threads.shutdownNow();
        }
    }
}
