package dev.escapement.gateway;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.ScriptedServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No request without its one answer, whatever operators do meanwhile: another configuration each second, and a stop under load. The long form
 * reloads for a minute: {@code -Dgateway.reloads=60}.
 */
class OneAnswerIT {

    private static final int CLIENTS = 12;
    private static final int RELOADS = Integer.getInteger("gateway.reloads", 5);

    @TempDir
    Path directory;

    private final AtomicLong answers = new AtomicLong();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger announced = new AtomicInteger();

    /** Set once, before the signal. */
    private volatile boolean stopping;

    @Test
    @DisplayName(
            "P6 a reload a second closes no connection, and each answer is by one version; SIGTERM loses no request; exit code 0")
    void reloadsAndAStop() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.otherwise().serve(request -> response(200, request.target()));
            Path config = write(server, 0);
            try (Shipped gateway = Shipped.start(config)) {
                InetSocketAddress address = gateway.address();
                List<CompletableFuture<Void>> clients = new ArrayList<>();
                var threads = Executors.newFixedThreadPool(CLIENTS);
                for (int i = 0; i < CLIENTS; i++) {
                    int client = i;
                    clients.add(CompletableFuture.runAsync(() -> untilRefused(address, client), threads));
                }
                reload(gateway, server, config);
                assertThat(connections).hasValue(CLIENTS);
                assertThat(announced).hasValue(0);
                long before = answers.get();

                stopping = true;
                gateway.signal("TERM");

                CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new))
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join();
                assertThat(gateway.ended()).isZero();
                assertThat(answers.get()).isGreaterThan(before);
                assertThat(announced.get()).isPositive();
                threads.shutdown();
            }
            // In the log each request has its line, and every version was in force for some.
            List<String> lines = Files.readAllLines(directory.resolve("access.log"));
            assertThat(lines).hasSize((int) answers.get()).allMatch(line -> line.contains("\"status\":200"));
            assertThat(lines.stream()
                            .map(line -> line.replaceAll(".*\"config\":\"([0-9a-f]{8})\".*", "$1"))
                            .distinct())
                    .hasSize(RELOADS + 1);
        }
    }

    /** Goes over to another version each second, by a file that is put in the old one's place. */
    private void reload(Shipped gateway, ScriptedServer server, Path config) throws Exception {
        for (int version = 1; version <= RELOADS; version++) {
            // The pace of the load, nothing that is waited for.
            TimeUnit.SECONDS.sleep(1);
            Files.move(
                    write(server, version),
                    config,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            gateway.signal("HUP");
            int expected = version + 1;
            Stand.await(
                    "versions in force",
                    () -> gateway.told().stream()
                            .filter(line -> line.contains("is in force"))
                            .count(),
                    inForce -> inForce == expected);
            long soFar = answers.get();
            Stand.await("answers by this version", answers::get, now -> now > soFar + 10L * CLIENTS);
        }
    }

    private Path write(ScriptedServer server, int version) throws IOException {
        return Files.writeString(directory.resolve(version == 0 ? "gateway.yaml" : "next.yaml"), """
                # version %d
                policies:
                  quick: {timeout: %dms}
                upstreams:
                  web: {endpoints: ["%s"], policy: quick, concurrency: %d}
                routes:
                  - {name: all-%d, match: {prefix: /}, upstream: web}
                access-log: {path: "%s"}
                inbound: {max-requests: unlimited}
                shutdown: {drain-delay: 500ms, grace: 10s}
                """.formatted(
                version, 20_000 + version, server.uri(""), 100 + version, version, directory.resolve("access.log")));
    }

    /** Sends one request after the other, each answered once and by its own answer, until nobody listens any more. */
    private void untilRefused(InetSocketAddress address, int client) {
        int sent = 0;
        int onThis = 0;
        try {
            while (true) {
                Wire wire;
                try {
                    wire = new Wire(address);
                } catch (IOException nobodyListens) {
                    return;
                }
                connections.incrementAndGet();
                boolean closes = false;
                for (onThis = 0; !closes; onThis++) {
                    String path = "/" + client + "/" + ++sent;
                    wire.send("GET " + path + " HTTP/1.1\r\nHost: g\r\n\r\n");
                    String head = wire.head();
                    assertThat(head).startsWith("HTTP/1.1 200 ");
                    closes = head.contains("\r\nConnection: close\r\n");
                    wire.readTo(path);
                    answers.incrementAndGet();
                }
                announced.incrementAndGet();
                assertThat(wire.rest()).isEmpty();
                wire.close();
            }
        } catch (IOException lost) {
            // The kernel may have taken a connection that the gateway never saw, between its last look and its last
            // close.
            if (!stopping || onThis > 0) {
                throw new AssertionError("request " + sent + " of client " + client + " has no answer", lost);
            }
        }
    }
}
