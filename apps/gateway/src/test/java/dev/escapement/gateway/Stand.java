package dev.escapement.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.call.ClientFigures;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.gateway.config.Addresses;
import dev.escapement.gateway.reload.ConfigSource;
import dev.escapement.gateway.upstream.Upstream;
import dev.escapement.netty.PoolStats;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A gateway in front of one scripted upstream, with its log; and nothing left of a request when it is closed. */
final class Stand implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    final ScriptedServer upstream = ScriptedServer.start();
    final Gateway gateway;
    final List<String> told = new CopyOnWriteArrayList<>();
    private final Path log;
    private final String text;

    private Stand(Settings settings) throws IOException {
        log = Files.createTempFile("access", ".log");
        text = """
                listen: 127.0.0.1:0
                admin: 127.0.0.1:0
                name: edge-1
                access-log: {path: "%s"}
                shutdown: {drain-delay: 0ms, grace: 2s}
                %s
                policies:
                  only: {%s}
                upstreams:
                  web: {endpoints: ["%s"], policy: only%s}
                routes:
                  - {name: all, match: {%s}, upstream: web%s}
                """.formatted(
                        log,
                        settings.top,
                        settings.policy,
                        settings.endpoint.isEmpty() ? upstream.uri("") : settings.endpoint,
                        settings.upstream,
                        settings.match,
                        settings.route);
        gateway = Gateway.start(
                ConfigSource.ofText("test.yaml", text.getBytes(StandardCharsets.UTF_8)), Addresses.OF_TEXT, told::add);
    }

    /** What is other than usual, in the words of a configuration. */
    static final class Settings {

        private String policy = "";
        private String upstream = "";
        private String endpoint = "";
        private String match = "prefix: /";
        private String route = "";
        private String top = "";

        /** More of the upstream, each setting with a comma before it. */
        Settings upstream(String settings) {
            upstream = settings;
            return this;
        }

        /** Another endpoint than the scripted one. */
        Settings endpoint(String uri) {
            endpoint = uri;
            return this;
        }

        Settings match(String settings) {
            match = settings;
            return this;
        }

        /** More of the route, each setting with a comma before it. */
        Settings route(String settings) {
            route = settings;
            return this;
        }

        /** Another setting at the top. */
        Settings top(String line) {
            top = line;
            return this;
        }

        Stand start() throws IOException {
            return new Stand(this);
        }
    }

    /** With that policy. */
    static Stand of(String policy) throws IOException {
        return with(policy).start();
    }

    /** With that policy, and more to be said. */
    static Settings with(String policy) {
        Settings settings = new Settings();
        settings.policy = policy;
        return settings;
    }

    Wire connect() throws IOException {
        return new Wire(gateway.address());
    }

    /** Sends a request on a connection of its own, and reads all that comes. */
    String exchange(String request) throws IOException {
        try (Wire wire = connect()) {
            return wire.send(request).rest();
        }
    }

    /** GET of that path, with those lines, on a connection that closes after it. */
    static String get(String path, String... lines) {
        return "GET " + path + " HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n" + String.join("\r\n", lines)
                + (lines.length == 0 ? "\r\n" : "\r\n\r\n");
    }

    /** Goes over to the same configuration with something else in it. */
    void reload(String what, String instead) {
        assertThat(text).contains(what);
        byte[] next = text.replace(what, instead).getBytes(StandardCharsets.UTF_8);
        assertThat(gateway.store().load(next).faults()).isEmpty();
    }

    /** What the operators' port says. */
    String admin(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The log's line of that number, from 1, once it is there. */
    String logged(int line) throws Exception {
        List<String> lines =
                await("line " + line + " of the log", () -> Files.readAllLines(log), all -> all.size() >= line);
        return lines.get(line - 1);
    }

    private Upstream web() {
        return gateway.store().version().upstreams().get("web");
    }

    /** Waits until nothing of any request is held any more. */
    void awaitQuiet() throws Exception {
        await("permits", () -> web().client().figures(), (ClientFigures figures) -> figures.permitsHeld() == 0);
        await(
                "connections",
                () -> web().transport().stats(),
                (PoolStats stats) -> stats.active() == 0 && stats.connecting() == 0);
    }

    PoolStats pool() {
        return web().transport().stats();
    }

    /** What can be looked at again and again. */
    interface Look<T> {
        T look() throws Exception;
    }

    static <T> T await(String what, Look<T> look, Predicate<T> until) throws Exception {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        for (T seen = look.look(); ; seen = look.look()) {
            if (until.test(seen)) {
                return seen;
            }
            if (System.nanoTime() > endNanos) {
                throw new AssertionError(what + " is still " + seen);
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Override
    public void close() throws IOException {
        upstream.close();
        gateway.stop();
        gateway.ended().orTimeout(20, TimeUnit.SECONDS).join();
        Files.deleteIfExists(log);
    }
}
