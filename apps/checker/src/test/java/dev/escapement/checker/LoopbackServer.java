package dev.escapement.checker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/**
 * A server for the checker's processes: {@code /status/n} answers n, {@code /flaky} answers 503 and then 200,
 * {@code /hang} answers when the server closes. Anything else is 200.
 */
final class LoopbackServer implements AutoCloseable {

    /** Counted down by the first request that hangs. */
    final CountDownLatch hanging = new CountDownLatch(1);

    final AtomicInteger requests = new AtomicInteger();

    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicInteger flaky = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    private LoopbackServer(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    static LoopbackServer start() throws IOException {
        return new LoopbackServer(HttpServer.create(address(), 0));
    }

    static LoopbackServer start(SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create(address(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new LoopbackServer(server);
    }

    private static InetSocketAddress address() throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0);
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status(exchange.getRequestURI().getPath()), -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int status(String path) throws InterruptedException {
        if (path.startsWith("/status/")) {
            return Integer.parseInt(path.substring("/status/".length()));
        }
        if (path.equals("/hang")) {
            hanging.countDown();
            closing.await();
        }
        return path.equals("/flaky") && flaky.getAndIncrement() == 0 ? 503 : 200;
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
