package dev.escapement.gateway.admin;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.escapement.gateway.record.Metrics;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The operators' port: reads by GET, acts by POST, and answers to its own names alone.
 *
 * <p>It stands on the JDK's server with a few threads of its own and shares nothing with the loops that serve clients, so that it answers
 * while they are busy. What a page of somewhere else could make a browser do is refused: foreign names ({@link AdminHosts}), actions
 * with a foreign {@code Origin}; no header lets another origin read. Requests without a browser are trusted: whoever reaches the port may
 * act, which is why it listens on loopback by default.
 */
public final class AdminServer implements AutoCloseable {

    /** At most: a caller that is slow holds one, and others are answered meanwhile. */
    private static final int THREADS = 32;

    private static final long IDLE_SECONDS = 30;

    /** Connections that wait to be accepted. */
    private static final int BACKLOG = 50;

    /** Of a request's body: none is needed. */
    private static final int MOST_BODY = 64 * 1024;

    /** The JDK's server has no limits of its own but these, which are the process's: a caller that stands still frees its thread. */
    private static final Map<String, String> LIMITS = Map.of(
            "sun.net.httpserver.maxReqTime", "10",
            "sun.net.httpserver.maxRspTime", "10",
            "jdk.httpserver.maxConnections", "64",
            "sun.net.httpserver.nodelay", "true");

    private static final Map<String, String> ALWAYS = Map.of(
            "Cache-Control", "no-store",
            "X-Content-Type-Options", "nosniff",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Referrer-Policy", "no-referrer");

    private final HttpServer server;
    private final ExecutorService threads;
    private final AdminHosts hosts;
    private final AdminPages pages;

    private AdminServer(HttpServer server, AdminHosts hosts, AdminPages pages) {
        this.server = server;
        this.hosts = hosts;
        this.pages = pages;
        AtomicInteger count = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(0, THREADS, IDLE_SECONDS, SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "admin-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Opens the port.
     *
     * @param address where; its host is one of the names that are answered to
     * @param metrics told of together with the view's gauges from now on
     * @throws IOException if the address cannot be had
     */
    public static AdminServer start(InetSocketAddress address, AdminView view, Metrics metrics) throws IOException {
        LIMITS.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        });
        HttpServer server = HttpServer.create(address, BACKLOG);
        metrics.registry().register(new ViewCollector(view, metrics));
        AdminServer admin =
                new AdminServer(server, new AdminHosts(address.getHostString()), new AdminPages(view, metrics));
        server.createContext("/", admin::handle);
        server.setExecutor(admin.threads);
        server.start();
        return admin;
    }

    /** Where it listens: the port that was had, where 0 was asked for. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Closes the port and every connection. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = refused(exchange).orElseGet(() -> asked(exchange));
            boolean wantsBody = !exchange.getRequestMethod().equals("HEAD");
            ALWAYS.forEach(exchange.getResponseHeaders()::set);
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.sendResponseHeaders(answer.status(), wantsBody ? answer.body().length : -1);
            if (wantsBody) {
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(answer.body());
                }
            }
        }
    }

    private Answer asked(HttpExchange exchange) {
        Optional<String> accept =
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("Accept"));
        try {
            return pages.answer(
                    exchange.getRequestMethod(), exchange.getRequestURI().getPath(), accept);
        } catch (IOException | RuntimeException e) {
            return Answer.text(500, "the gateway could not tell: " + e);
        }
    }

    /** Why this request is not looked at, if it is not. */
    private Optional<Answer> refused(HttpExchange exchange) throws IOException {
        List<String> host = exchange.getRequestHeaders().getOrDefault("Host", List.of());
        if (host.size() != 1 || !hosts.serves(host.get(0), exchange.getLocalAddress())) {
            return Optional.of(Answer.text(421, "this port answers to loopback and to its own name alone"));
        }
        if (exchange.getRequestMethod().equals("POST") && isForeign(exchange, host.get(0))) {
            return Optional.of(Answer.text(403, "pages of another origin may not act here"));
        }
        try (InputStream body = exchange.getRequestBody()) {
            if (body.readNBytes(MOST_BODY + 1).length > MOST_BODY) {
                return Optional.of(Answer.text(413, "no body is needed").with("Connection", "close"));
            }
        }
        return Optional.empty();
    }

    /** Browsers name the origin of a page that makes them POST; nobody else does. */
    private static boolean isForeign(HttpExchange exchange, String host) {
        @Nullable String origin = exchange.getRequestHeaders().getFirst("Origin");
        @Nullable String site = exchange.getRequestHeaders().getFirst("Sec-Fetch-Site");
        boolean foreignOrigin = origin != null && !origin.equalsIgnoreCase("http://" + host);
        boolean foreignSite = site != null && !site.equals("same-origin") && !site.equals("none");
        return foreignOrigin || foreignSite;
    }
}
