package dev.escapement.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shipped jar, its configuration and its signals. */
@Timeout(120)
class ProcessIT {

    @TempDir
    private Path directory;

    private HttpServer upstream;

    @BeforeEach
    void startUpstream() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        upstream.start();
    }

    @AfterEach
    void stopUpstream() {
        upstream.stop(0);
    }

    /** A configuration that leads this path to the upstream. */
    private String leading(String prefix) {
        return """
                listen: 127.0.0.1:0
                admin: 127.0.0.1:0
                upstreams: {u: {endpoints: "http://127.0.0.1:%d"}}
                routes: [{name: r, match: {prefix: %s}, upstream: u}]
                access-log: {path: %s}
                shutdown: {drain-delay: 0s, grace: 10s}
                """.formatted(upstream.getAddress().getPort(), prefix, directory.resolve("access.log"));
    }

    /** As editors and deployments do: a rename over the file. */
    private Path write(String text) throws IOException {
        Path next = Files.writeString(directory.resolve("next.yaml"), text);
        return Files.move(
                next,
                directory.resolve("gateway.yaml"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    @Test
    @DisplayName(
            "SIGHUP and a changed file bring another version into force, a bad one changes nothing, SIGTERM ends well")
    void aLifeWithReloads() throws Exception {
        Path file = write(leading("/a"));
        try (Launched gateway = Launched.jar(directory, "--config", file.toString())) {
            int port = gateway.ports()[0];
            assertThat(get(port, "/a").statusCode()).isEqualTo(204);
            assertThat(get(port, "/b").statusCode()).isEqualTo(404);

            write(leading("/b"));
            gateway.signal("HUP");
            gateway.hears("is in force");
            assertThat(get(port, "/b").statusCode()).isEqualTo(204);

            write(leading("/b").replace("upstream: u", "upstream: w"));
            gateway.hears("gateway.yaml:4:51: routes[0].upstream: no upstream \"w\"; did you mean \"u\"?");
            gateway.hears("stays in force");
            assertThat(get(port, "/b").statusCode()).isEqualTo(204);

            write(leading("/c"));
            gateway.hears("is in force");
            assertThat(get(port, "/c").statusCode()).isEqualTo(204);

            gateway.signal("TERM");
            assertThat(gateway.ends()).isZero();
        }
    }

    @Test
    @DisplayName("SIGUSR1 writes the access log to the file of its name again, after it was renamed")
    void theLogIsOpenedAgain() throws Exception {
        Path log = directory.resolve("access.log");
        try (Launched gateway =
                Launched.jar(directory, "--config", write(leading("/")).toString())) {
            int port = gateway.ports()[0];
            get(port, "/before");
            while (!Files.exists(log) || Files.size(log) == 0) {
                Thread.onSpinWait();
            }
            Files.move(log, directory.resolve("access.log.1"));
            gateway.signal("USR1");
            while (!Files.exists(log)) {
                Thread.onSpinWait();
            }
            get(port, "/after");

            gateway.signal("TERM");
            assertThat(gateway.ends()).isZero();
        }
        assertThat(Files.readString(directory.resolve("access.log.1")))
                .contains("/before")
                .doesNotContain("/after");
        assertThat(Files.readString(log)).contains("/after").doesNotContain("/before");
    }

    @Test
    @DisplayName("A second signal ends at once what the first began to end well")
    void theSecondSignalEndsAtOnce() throws Exception {
        String patient = leading("/").replace("drain-delay: 0s, grace: 10s", "drain-delay: 10m, grace: 10m");
        try (Launched gateway =
                Launched.jar(directory, "--config", write(patient).toString())) {
            int[] ports = gateway.ports();
            assertThat(get(ports[1], "/health/ready").statusCode()).isEqualTo(200);

            gateway.signal("TERM");
            gateway.hears("stopping");
            assertThat(get(ports[1], "/health/ready").statusCode()).isEqualTo(503);
            assertThat(get(ports[0], "/").statusCode()).isEqualTo(204);
            gateway.signal("INT");

            gateway.ends();
        }
    }

    @Test
    @DisplayName("A configuration with faults does not start: exit 2 and every fault; --check says the same")
    void faultsDoNotStart() throws Exception {
        Path file = write("listen: here\nroutes: []\n");
        for (String option : new String[] {"--config", "--check"}) {
            try (Launched gateway = Launched.jar(directory, option, file.toString())) {
                assertThat(gateway.ends()).isEqualTo(2);
                assertThat(gateway.said())
                        .hasSize(2)
                        .anyMatch(line -> line.startsWith(file + ":1:9: listen: \"here\": expected "))
                        .anyMatch(line -> line.startsWith(file + ":1:1: no \"upstreams\""));
            }
        }
    }
}
