package dev.escapement.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.record.GivenRecord;
import dev.escapement.gateway.record.GivenRequest;
import dev.escapement.gateway.record.Metrics;
import dev.escapement.gateway.record.ParsedJson;
import dev.escapement.gateway.record.RequestRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operators' port by its bytes: who is answered, to what, and how. */
@Timeout(30)
class AdminServerTest {

    /** Less than the port gives a caller that is slow, so that nobody waits for one. */
    private static final int PATIENCE_MILLIS = 8_000;

    private final GivenView view = new GivenView();
    private final Metrics metrics = new Metrics(() -> 0);
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server = AdminServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), view, metrics);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** What came back. */
    private record Answered(int status, String head, String body) {

        String header(String name) {
            Matcher line = Pattern.compile("(?imd)^" + name + ": (.*)\r$").matcher(head);
            return line.find() ? line.group(1) : "";
        }

        Map<String, Object> json() {
            assertThat(header("Content-Type")).isEqualTo("application/json");
            return ParsedJson.object(body);
        }
    }

    /** Sends a head and reads what comes back to its end. */
    private Answered send(String head) throws IOException {
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            String closing = head.replaceFirst("\r\n", "\r\nConnection: close\r\n");
            socket.getOutputStream().write(closing.getBytes(StandardCharsets.ISO_8859_1));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int end = all.indexOf("\r\n\r\n");
            return new Answered(
                    Integer.parseInt(all.substring(9, 12)), all.substring(0, end + 2), all.substring(end + 4));
        }
    }

    private Answered ask(String method, String path, String... fields) throws IOException {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        boolean named = false;
        for (String field : fields) {
            head.append(field).append("\r\n");
            named |= field.startsWith("Host:");
        }
        return send(head + (named ? "" : "Host: localhost:9901\r\n") + "\r\n");
    }

    private Answered get(String path, String... fields) throws IOException {
        return ask("GET", path, fields);
    }

    @Test
    @DisplayName("Health: it is ready once it listens, and no longer while it drains; upstreams do not matter")
    void readiness() throws IOException {
        view.upstreams = List.of();
        assertThat(get("/health/ready").status()).isEqualTo(200);
        view.stage = AdminView.Stage.STARTING;
        assertThat(get("/health/ready")).returns(503, Answered::status).returns("starting\n", Answered::body);
        view.stage = AdminView.Stage.DRAINING;
        assertThat(get("/health/ready")).returns(503, Answered::status).returns("draining\n", Answered::body);
    }

    @Test
    @DisplayName("Health: it lives, draining or not, unless a loop has not turned for ten seconds")
    void liveness() throws IOException {
        view.stage = AdminView.Stage.DRAINING;
        view.stall = Duration.ofSeconds(10);
        assertThat(get("/health/live").status()).isEqualTo(200);
        view.stall = Duration.ofMillis(10_001);
        assertThat(get("/health/live").status()).isEqualTo(503);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST.:80", "127.0.0.1:9901", "127.8.9.1", "[::1]:9901", "[::1]"})
    @DisplayName("Host: loopback by name or address is answered")
    void loopbackIsAnswered(String host) throws IOException {
        assertThat(get("/health/live", "Host: " + host).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "localhost.evil.example",
                "127.0.0.1.evil.example:80",
                "10.0.0.1",
                "",
                "[::2]",
                "a:b:c"
            })
    @DisplayName("Host: another name is refused, whatever it leads to (421)")
    void foreignNamesAreRefused(String host) throws IOException {
        assertThat(get("/metrics", "Host: " + host).status()).isEqualTo(421);
    }

    @Test
    @DisplayName("Host: none at all, or two, are refused (421)")
    void oneHostIsNeeded() throws IOException {
        assertThat(send("GET /metrics HTTP/1.1\r\n\r\n").status()).isEqualTo(421);
        assertThat(get("/metrics", "Host: localhost", "Host: localhost").status())
                .isEqualTo(421);
    }

    @Test
    @DisplayName("Host: the configured name and the address that was connected to are answered")
    void configuredNameIsAnswered() throws Exception {
        AdminHosts hosts = new AdminHosts("Admin.Example");
        InetSocketAddress local = new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 1, 2, 3}), 9901);

        assertThat(hosts.serves("admin.example:9901", local)).isTrue();
        assertThat(hosts.serves("10.1.2.3:9901", local)).isTrue();
        assertThat(hosts.serves("10.1.2.4:9901", local)).isFalse();
        assertThat(hosts.serves("other.example:9901", local)).isFalse();
        assertThat(hosts.serves("localhost:evil", local)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | / | GET, HEAD",
                "POST | /metrics | GET, HEAD",
                "DELETE | /config | GET, HEAD",
                "PUT | /upstreams | GET, HEAD",
                "GET | /reload | POST",
                "HEAD | /drain | POST",
                "GET | /drain | POST"
            })
    @DisplayName("Methods: GET reads and POST acts; anything else is 405 and acts on nothing")
    void otherMethodsAreRefused(String method, String path, String allowed) throws IOException {
        assertThat(ask(method, path)).returns(405, Answered::status).returns(allowed, answer -> answer.header("Allow"));
        assertThat(view.drains).isZero();
    }

    @Test
    @DisplayName("Methods: HEAD reads without a body")
    void headHasNoBody() throws IOException {
        assertThat(ask("HEAD", "/health/live")).returns(200, Answered::status).returns("", Answered::body);
    }

    @Test
    @DisplayName("Paths: what is not there is 404")
    void unknownPath() throws IOException {
        assertThat(get("/server-status").status()).isEqualTo(404);
        assertThat(get("/../config").status()).isEqualTo(404);
    }

    @Test
    @DisplayName("Browsers: a page of another origin may neither act nor read, nor hold the page in a frame")
    void otherOriginsAreRefused() throws IOException {
        assertThat(ask("POST", "/drain", "Origin: http://evil.example").status())
                .isEqualTo(403);
        assertThat(ask("POST", "/drain", "Origin: null").status()).isEqualTo(403);
        assertThat(ask("POST", "/drain", "Sec-Fetch-Site: cross-site").status()).isEqualTo(403);
        assertThat(view.drains).isZero();
        assertThat(ask("POST", "/drain", "Origin: http://localhost:9901", "Sec-Fetch-Site: same-origin")
                        .status())
                .isEqualTo(202);

        Answered read = get("/upstreams", "Origin: http://evil.example");
        assertThat(read.head().toLowerCase(Locale.ROOT)).doesNotContain("access-control");
        assertThat(read.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
    }

    @Test
    @DisplayName("Bodies: more than is sensible is refused (413), and nothing is done")
    void bodiesAreBounded() throws IOException {
        String body = "x".repeat(70_000);
        Answered answer = send("POST /drain HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000\r\n\r\n" + body);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(view.drains).isZero();
        assertThat(send("POST /drain HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
                        .status())
                .isEqualTo(202);
    }

    @Test
    @DisplayName("Drain: it begins a stop and does not wait for it")
    void drains() throws IOException {
        assertThat(ask("POST", "/drain").status()).isEqualTo(202);
        assertThat(view.drains).isEqualTo(1);
        assertThat(get("/health/ready").status()).isEqualTo(503);
    }

    @Test
    @DisplayName("Reload: 200 with the version, or 422 with every fault")
    void reloads() throws IOException {
        assertThat(ask("POST", "/reload").json())
                .containsEntry("version", "0a1b2c3d")
                .containsEntry("changed", true);

        view.reload =
                new ReloadView("0a1b2c3d", false, List.of("a.yaml:1:2: listen: \"x\"", "a.yaml:3:4: routes[0]: none"));
        Answered refused = ask("POST", "/reload");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json()).containsEntry("faults", view.reload.faults()).containsEntry("changed", false);
    }

    @Test
    @DisplayName("Configuration: the version, the effective values, and the last error with its lines")
    void tellsTheConfiguration() throws IOException {
        assertThat(get("/config").json())
                .containsEntry("version", "0a1b2c3d")
                .containsEntry("effective", view.config.effective())
                .containsEntry("versions_alive", 1L)
                .doesNotContainKey("last_error");

        view.config = GivenView.config(
                Optional.of(new ConfigView.Failure(Instant.parse("2026-01-02T03:04:05Z"), List.of("a.yaml:1:2: x"))));
        assertThat(get("/config").json())
                .containsEntry("last_error", Map.of("at", "2026-01-02T03:04:05Z", "faults", List.of("a.yaml:1:2: x")));
    }

    @Test
    @DisplayName(
            "Upstreams: per endpoint the breaker and its connections; permits, budget, poisoned by reason, latency")
    void tellsTheUpstreams() throws IOException {
        RequestRecord record = GivenRecord.answered(GivenRequest.get("/"));
        metrics.began(record);
        metrics.ended(record);

        Map<?, ?> orders = (Map<?, ?>) ((List<?>) get("/upstreams").json().get("upstreams")).get(0);

        assertThat(orders.get("name")).isEqualTo("orders");
        assertThat(orders.get("permits")).isEqualTo(Map.of("limit", 64L, "held", 11L, "queue", 128L, "waiting", 2L));
        assertThat(orders.get("budget"))
                .isEqualTo(Map.of("deposits", 100L, "reserved", 3L, "available", 17L, "refused", 1L));
        assertThat(orders.get("attempts")).isEqualTo(2L);
        assertThat(orders.get("outcomes")).isEqualTo(Map.of("2xx", 1L, "reset", 1L));
        assertThat(((Map<?, ?>) orders.get("connections")).get("poisoned"))
                .isEqualTo(Map.of("surplus", 4L, "stale", 2L));
        assertThat(((Map<?, ?>) orders.get("latency_us")).keySet())
                .hasToString("[head, body_in, queue, connect, first_byte, body_out, total]");
        List<?> endpoints = (List<?>) orders.get("endpoints");
        assertThat(endpoints).hasSize(2);
        assertThat(endpoints.get(1).toString())
                .contains("endpoint=http://10.0.0.2:8080", "breaker=open", "in_flight=0", "window={calls=40, failed=4")
                .contains("connections=[{destination=http://10.0.0.2:8080, limit=32, open=6, active=0, idle=6");
    }

    @Test
    @DisplayName("Live page: one file whose policy allows what is in it by hash, and nothing from elsewhere")
    void servesTheLivePage() throws IOException {
        Answered page = get("/");

        assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.header("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'sha256-")
                .contains("connect-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.body())
                .doesNotContain("innerHTML", "http://www.example", " src=", "@import")
                .endsWith("</html>\n");
    }

    @Test
    @DisplayName("Robustness: a fault in what is asked for is told")
    void tellsFaults() throws IOException {
        view.whenAsked = () -> {
            throw new IllegalStateException("a bug");
        };

        assertThat(get("/live.json"))
                .returns(500, Answered::status)
                .extracting(Answered::body)
                .asString()
                .contains("a bug");
    }

    @Test
    @DisplayName("Robustness: callers that send half a head hold up nobody")
    void survivesSilence() throws IOException {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket socket = new Socket(
                        server.address().getAddress(), server.address().getPort());
                silent.add(socket);
                socket.getOutputStream().write("GET /".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(get("/health/live").status()).isEqualTo(200);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }
}
