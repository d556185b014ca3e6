package dev.escapement.netty;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/**
 * The JDK's TLS on loopback, one connection after the other, each served by the same few lines; what they return or throw is told
 * in order.
 */
final class TlsServer implements AutoCloseable {

    /** What is done with one connection. */
    interface Service {

        String serve(SSLSocket socket) throws IOException;
    }

    private final SSLServerSocket listener;
    private final Thread thread;
    private final LinkedBlockingQueue<CompletableFuture<String>> results = new LinkedBlockingQueue<>();

    TlsServer(SSLContext context, Consumer<SSLServerSocket> settings, Service service) throws IOException {
        listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        settings.accept(listener);
        thread = new Thread(() -> serveAll(service), "TLS server");
        thread.setDaemon(true);
        thread.start();
    }

    private void serveAll(Service service) {
        while (!listener.isClosed()) {
            CompletableFuture<String> result = new CompletableFuture<>();
            try (SSLSocket socket = (SSLSocket) listener.accept()) {
                results.add(result);
                result.complete(service.serve(socket));
            } catch (IOException e) {
                result.completeExceptionally(e);
            }
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /** What came of the next connection; the exception is told as its text. */
    String next() throws InterruptedException {
        CompletableFuture<String> result = results.poll(20, TimeUnit.SECONDS);
        if (result == null) {
            throw new AssertionError("no further connection");
        }
        try {
            return result.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return e.getCause().toString();
        } catch (TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** Reads a request without a body, whole. */
    static void readRequest(SSLSocket socket) throws IOException {
        InputStream in = socket.getInputStream();
        int ends = 0;
        while (ends < 4) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            ends = next == "\r\n\r\n".charAt(ends) ? ends + 1 : next == '\r' ? 1 : 0;
        }
    }

    static void respond(SSLSocket socket, String response) throws IOException {
        socket.getOutputStream().write(response.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** How the client ends: in order by close_notify, or else the reading throws. */
    static String readEnd(SSLSocket socket) throws IOException {
        int next = socket.getInputStream().read();
        return next < 0 ? "close_notify" : "a byte";
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
