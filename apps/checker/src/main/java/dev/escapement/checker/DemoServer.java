package dev.escapement.checker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A server on loopback that misbehaves by script, and knows whether it was treated as the script says (V4).
 *
 * <p>{@code GET /alpha} is answered by 503 and then by 200; {@code POST /beta} by 503, and must not be repeated. Everything
 * else is 404 and spoils the script. Thread-safe.
 */
final class DemoServer implements AutoCloseable {

    private static final List<String> ALPHA = List.of("GET /alpha 503", "GET /alpha 200");
    private static final List<String> BETA = List.of("POST /beta 503");
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final HttpServer server;

    /** What was answered to alpha, to beta, and to anything else; guarded by this. */
    private final List<String> alpha = new ArrayList<>();

    private final List<String> beta = new ArrayList<>();
    private final List<String> others = new ArrayList<>();

    private DemoServer(HttpServer server) {
        this.server = server;
    }

    /** Starts on a free port. */
    static DemoServer start() throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0), 0);
        DemoServer demo = new DemoServer(http);
        http.createContext("/", demo::answer);
        http.start();
        return demo;
    }

    /** The list that the script is written for. */
    InputStream list() {
        String origin = "http://127.0.0.1:" + server.getAddress().getPort();
        String list = "alpha GET " + origin + "/alpha\nbeta POST " + origin + "/beta\n";
        return new ByteArrayInputStream(list.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether exactly what the script says was asked: alpha twice, beta once, nothing else. */
    synchronized boolean scriptWasMet() {
        return alpha.equals(ALPHA) && beta.equals(BETA) && others.isEmpty();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            int status =
                    next(exchange.getRequestMethod(), exchange.getRequestURI().toString());
            exchange.sendResponseHeaders(status, -1);
        }
    }

    private synchronized int next(String method, String target) {
        String asked = method + " " + target;
        return switch (asked) {
            case "GET /alpha" -> record(alpha, asked, alpha.isEmpty() ? 503 : 200);
            case "POST /beta" -> record(beta, asked, 503);
            default -> record(others, asked, 404);
        };
    }

    private static int record(List<String> log, String asked, int status) {
        log.add(asked + " " + status);
        return status;
    }

    /** Stops at once. */
    @Override
    public void close() {
        server.stop(0);
    }
}
