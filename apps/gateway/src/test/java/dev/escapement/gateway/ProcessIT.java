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
import java.util.List;
import java.util.concurrent.TimeUnit;
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

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer upstream;

    /** Lines of the gateway that were passed over. */
    private int heard;

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

    private HttpResponse<String> get(String uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString());
    }

    /** Passes over what the gateway says until it says that. */
    private void hears(Shipped gateway, String text) {
        long patienceNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < patienceNanos) {
            List<String> told = gateway.told();
            while (heard < told.size()) {
                if (told.get(heard++).contains(text)) {
                    return;
                }
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("nothing like " + text + " in " + gateway.told());
    }

    @Test
    @DisplayName(
            "SIGHUP and a changed file bring another version into force, a bad one changes nothing, SIGTERM ends well")
    void aLifeWithReloads() throws Exception {
        Path file = write(leading("/a"));
        try (Shipped gateway = Shipped.start(file)) {
            hears(gateway, "is in force");
            assertThat(get(gateway.uri("/a")).statusCode()).isEqualTo(204);
            assertThat(get(gateway.uri("/b")).statusCode()).isEqualTo(404);

            write(leading("/b"));
            gateway.signal("HUP");
            hears(gateway, "is in force");
            assertThat(get(gateway.uri("/b")).statusCode()).isEqualTo(204);

            write(leading("/b").replace("upstream: u", "upstream: w"));
            hears(gateway, "gateway.yaml:2:51: routes[0].upstream: no upstream \"w\"; did you mean \"u\"?");
            hears(gateway, "stays in force");
            assertThat(get(gateway.uri("/b")).statusCode()).isEqualTo(204);

            write(leading("/c"));
            hears(gateway, "is in force");
            assertThat(get(gateway.uri("/c")).statusCode()).isEqualTo(204);

            gateway.signal("TERM");
            assertThat(gateway.ended()).isZero();
        }
    }

    @Test
    @DisplayName("SIGUSR1 writes the access log to the file of its name again, after it was renamed")
    void theLogIsOpenedAgain() throws Exception {
        Path log = directory.resolve("access.log");
        try (Shipped gateway = Shipped.start(write(leading("/")))) {
            get(gateway.uri("/before"));
            while (!Files.exists(log) || Files.size(log) == 0) {
                Thread.onSpinWait();
            }
            Files.move(log, directory.resolve("access.log.1"));
            gateway.signal("USR1");
            while (!Files.exists(log)) {
                Thread.onSpinWait();
            }
            get(gateway.uri("/after"));

            gateway.signal("TERM");
            assertThat(gateway.ended()).isZero();
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
        try (Shipped gateway = Shipped.start(write(patient))) {
            assertThat(get(gateway.admin("/health/ready")).statusCode()).isEqualTo(200);

            gateway.signal("TERM");
            hears(gateway, "stopping");
            assertThat(get(gateway.admin("/health/ready")).statusCode()).isEqualTo(503);
            assertThat(get(gateway.uri("/")).statusCode()).isEqualTo(204);
            gateway.signal("INT");

            gateway.ended();
        }
    }

    @Test
    @DisplayName("A configuration with faults does not start: exit 2 and every fault; --check says the same")
    void faultsDoNotStart() throws Exception {
        Path file = write("listen: here\nroutes: []\n");
        for (String option : List.of("--config", "--check")) {
            try (Shipped gateway = Shipped.start(option, file.toString())) {
                assertThat(gateway.ended()).isEqualTo(2);
                hears(gateway, file + ":1:1: no \"upstreams\"");
                hears(gateway, file + ":1:9: listen: \"here\": expected ");
            }
            heard = 0;
        }
    }
}
