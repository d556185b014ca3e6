package dev.escapement.gateway.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An upstream that speaks proper HTTP and reads what it is sent. Thread-safe. */
final class WellBehaved implements AutoCloseable {

    private static final long SLOW_MILLIS = 300;

    static {
        // Else the JDK's server sends the body of an answer when its head was acknowledged, 40 ms later.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService workers = Executors.newCachedThreadPool();

    private WellBehaved(HttpHandler handler) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(workers);
        server.createContext("/", handler);
        server.start();
    }

    static WellBehaved healthy() throws IOException {
        return new WellBehaved(exchange -> answer(exchange, 200, "healthy"));
    }

    /** Refuses the first request and every other one after it. */
    static WellBehaved flaky() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        return new WellBehaved(exchange -> {
            boolean refused = requests.getAndIncrement() % 2 == 0;
            answer(exchange, refused ? 503 : 200, refused ? "not now" : "now");
        });
    }

    static WellBehaved slow() throws IOException {
        return new WellBehaved(exchange -> {
            try {
                TimeUnit.MILLISECONDS.sleep(SLOW_MILLIS);
            } catch (InterruptedException e) {
                exchange.close();
                return;
            }
            answer(exchange, 200, "after " + SLOW_MILLIS + " ms");
        });
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] body = (text + ": " + exchange.getRequestMethod() + " " + exchange.getRequestURI() + "\n")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            boolean bodiless = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(status, bodiless ? -1 : body.length);
            if (!bodiless) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        workers.shutdownNow();
    }
}
