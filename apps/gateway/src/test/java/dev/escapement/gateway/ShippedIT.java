package dev.escapement.gateway;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.fixtures.ScriptedServer;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shipped jar, driven by the programs that people drive it with. */
class ShippedIT {

    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");

    @TempDir
    Path directory;

    private Path config(String endpoint) throws Exception {
        return Files.writeString(
                directory.resolve("gateway.yaml"), """
                policies:
                  quick: {timeout: 5s}
                upstreams:
                  web: {endpoints: ["%s"], policy: quick}
                routes:
                  - {name: all, match: {prefix: /}, upstream: web}
                access-log: {path: "%s"}
                shutdown: {drain-delay: 200ms, grace: 8s}
                """.formatted(endpoint, directory.resolve("access.log")));
    }

    private static void assertWhole(String wrk) {
        assertThat(wrk).doesNotContain("Socket errors", "Non-2xx");
        Matcher requests = REQUESTS.matcher(wrk);
        assertThat(requests.find()).as(wrk).isTrue();
        assertThat(Integer.parseInt(requests.group(1))).isPositive();
    }

    @Test
    @DisplayName("curl gets what the demo promises of each of its upstreams")
    void curlAtTheDemo() throws Exception {
        assumeTrue(Shipped.has("curl"), "curl is not installed");
        try (Shipped gateway = Shipped.start("--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0")) {
            assertThat(Shipped.run("curl", "-si", gateway.uri("/"))).startsWith("HTTP/1.1 200 ");
            assertThat(Shipped.run("curl", "-si", gateway.uri("/flaky"))).startsWith("HTTP/1.1 200 ");
            assertThat(Shipped.run("curl", "-si", gateway.uri("/slow"))).startsWith("HTTP/1.1 200 ");
            assertThat(Shipped.run("curl", "-si", gateway.uri("/down")))
                    .startsWith("HTTP/1.1 502 ")
                    .contains("\"reason\":\"connect\"");
            assertThat(Shipped.run("curl", "-siS", "--max-time", "20", gateway.uri("/stalls")))
                    .contains("curl: (");
            assertThat(Shipped.run("curl", "-si", "-X", "POST", "-d", "hello", gateway.uri("/early")))
                    .startsWith("HTTP/1.1 ");
            assertThat(Shipped.run("curl", "-s", gateway.admin("/health/ready")))
                    .contains("ready");

            gateway.signal("TERM");

            assertThat(gateway.ended()).isZero();
        }
    }

    @Test
    @DisplayName("curl uploads with and without an expectation, in chunks, and asks for a head alone")
    void curlUploads() throws Exception {
        assumeTrue(Shipped.has("curl"), "curl is not installed");
        try (ScriptedServer server = ScriptedServer.start()) {
            server.otherwise()
                    .serve(request -> response(200, "got " + request.bodyText().length()));
            Path large = Files.writeString(directory.resolve("large"), "x".repeat(2_000_000));
            Path small = Files.writeString(directory.resolve("small"), "x".repeat(1_000));
            try (Shipped gateway = Shipped.start(config(server.uri("").toString()))) {
                String uri = gateway.uri("/up");
                assertThat(Shipped.run("curl", "-s", "--data-binary", "@" + small, uri))
                        .isEqualTo("got 1000");
                assertThat(Shipped.run("curl", "-s", "-H", "Expect: 100-continue", "--data-binary", "@" + large, uri))
                        .isEqualTo("got 2000000");
                assertThat(Shipped.run(
                                "curl", "-s", "-H", "Transfer-Encoding: chunked", "--data-binary", "@" + large, uri))
                        .isEqualTo("got 2000000");
                assertThat(Shipped.run("curl", "-sI", uri)).contains("Content-Length: 5");
                assertThat(Shipped.run("curl", "-s", "--http1.0", uri)).isEqualTo("got 0");
            }
        }
    }

    @Test
    @DisplayName(
            "wrk sees no failure, h2load neither, whoever upstream is nginx with short keep-alive; SIGTERM ends with 0")
    void nginxBehind() throws Exception {
        assumeTrue(Shipped.has("nginx") && Shipped.has("wrk"), "nginx or wrk is not installed");
        int port = freePort();
        Files.writeString(directory.resolve("index.html"), "x".repeat(128));
        try (AutoCloseable nginx = Shipped.nginx(
                        directory,
                        "server { listen 127.0.0.1:" + port + "; keepalive_requests 50; root " + directory + "; }");
                Shipped gateway = Shipped.start(config("http://127.0.0.1:" + port))) {
            assertThat(nginx).isNotNull();
            Stand.await(
                    "nginx",
                    () -> Shipped.run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", gateway.uri("/")),
                    "200"::equals);

            assertWhole(Shipped.run("wrk", "-t1", "-c16", "-d3s", gateway.uri("/")));
            if (Shipped.has("h2load")) {
                assertThat(Shipped.run("h2load", "--h1", "-n2000", "-c8", gateway.uri("/")))
                        .contains("2000 succeeded, 0 failed, 0 errored");
            }

            gateway.signal("TERM");
            assertThat(gateway.ended()).isZero();
        }
    }

    @Test
    @DisplayName("behind nginx, whose word about the client is believed as far as the configuration says")
    void nginxInFront() throws Exception {
        assumeTrue(Shipped.has("nginx") && Shipped.has("wrk"), "nginx or wrk is not installed");
        int port = freePort();
        try (ScriptedServer server = ScriptedServer.start()) {
            server.otherwise()
                    .serve(request -> response(200, "from " + request.headers().all("X-Forwarded-For")));
            Path config = config(server.uri("").toString());
            Files.writeString(config, Files.readString(config) + "trusted-proxies: [\"127.0.0.0/8\"]\n");
            try (Shipped gateway = Shipped.start(config)) {
                String http =
                        "upstream gateway { server %s:%d; keepalive 16; } server { listen 127.0.0.1:%d; location / { proxy_pass"
                                + " http://gateway; proxy_http_version 1.1; proxy_set_header Connection \"\"; proxy_set_header"
                                + " X-Forwarded-For 203.0.113.9; } }";
                try (AutoCloseable nginx = Shipped.nginx(
                        directory,
                        http.formatted(
                                gateway.address().getHostString(),
                                gateway.address().getPort(),
                                port))) {
                    assertThat(nginx).isNotNull();
                    String uri = "http://127.0.0.1:" + port + "/";
                    Stand.await("nginx", () -> Shipped.run("curl", "-s", uri), "from [203.0.113.9, 127.0.0.1]"::equals);

                    assertWhole(Shipped.run("wrk", "-t1", "-c16", "-d3s", uri));
                    assertThat(Files.readString(directory.resolve("access.log")))
                            .contains("\"client\":\"203.0.113.9\"", "\"client_source\":\"x-forwarded-for\"");
                }
            }
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
