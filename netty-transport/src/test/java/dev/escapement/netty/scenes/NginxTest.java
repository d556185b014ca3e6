package dev.escapement.netty.scenes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.call.PlannedCall;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.netty.Certificates;
import dev.escapement.netty.LeakWatch;
import dev.escapement.netty.NettyTransport;
import dev.escapement.netty.PoolStats;
import dev.escapement.netty.TlsSettings;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * nginx as the upstream, where it is installed: it closes connections after seven requests or a second, and is reloaded while calls run.
 * Every call ends once and as it may, and no POST is seen more often than it was written.
 */
@ExtendWith(LeakWatch.class)
class NginxTest {

    private static final int CALLS = 400;
    private static final int WINDOW = 16;
    private static final int RELOAD_EVERY = 50;

    private static final int LARGE = 4 * 1024 * 1024;
    private static final int UPLOAD = 2 * 1024 * 1024;

    @TempDir
    Path directory;

    @Timeout(300)
    @ParameterizedTest(name = "TLS: {0}")
    @DisplayName("E3 E6 R10 calls to an nginx that is reloaded end as they may, and no POST is seen twice unasked")
    @ValueSource(booleans = {false, true})
    void everyCallEndsAsItMay(boolean tls) throws Exception {
        Optional<Path> executable = Nginx.installed();
        assumeTrue(executable.isPresent(), "nginx is not installed: apt-get install nginx-light");
        byte[] large = "Every word of it is written.\n".repeat(LARGE / 29).getBytes(StandardCharsets.US_ASCII);
        Files.write(Files.createDirectories(directory.resolve("files")).resolve("large"), large);
        Files.write(directory.resolve("files").resolve("chunked"), large);
        Certificates certificates = Certificates.of(directory, "ip:127.0.0.1");
        Path trusted = certificates.pem(directory);

        List<Report> reports = new ArrayList<>();
        List<String> logged;
        ExecutorService reloads = Executors.newSingleThreadExecutor();
        NettyTransport transport = NettyTransport.builder()
                .eventLoopThreads(2)
                .tls(TlsSettings.ofDefaults().withTrustCertificates(trusted))
                .build();
        try (Nginx nginx = Nginx.start(executable.get(), directory, trusted, certificates.keyPem(directory))) {
            Client client = client(transport);
            List<Future<?>> reloading = new ArrayList<>();
            client.callAll(plan(nginx.origin(tls)), WINDOW, (index, report) -> {
                        check((int) index, report, large);
                        report.release();
                        reports.add(report);
                        if (index % RELOAD_EVERY == RELOAD_EVERY / 2) {
                            reloading.add(reloads.submit(() -> {
                                nginx.reload();
                                return null;
                            }));
                        }
                    })
                    .get(120, TimeUnit.SECONDS);
            for (Future<?> reload : reloading) {
                reload.get(30, TimeUnit.SECONDS);
            }
            client.close(Duration.ofSeconds(5)).get(10, TimeUnit.SECONDS);
            assertThat(client.figures().permitsHeld() + client.figures().asleep())
                    .isZero();
            transport.close();
            logged = nginx.stop();
        } finally {
            reloads.shutdown();
        }
        PoolStats stats = transport.stats();
        assertThat(stats.active() + stats.idle() + stats.connecting() + stats.waiting())
                .as("%s", stats)
                .isZero();
        assertThat(reports).hasSize(CALLS);
        compare(reports, logged);
        System.out.println((tls ? "nginx over TLS: " : "nginx: ") + outcomes(reports) + ", " + stats);
    }

    private static Client client(NettyTransport transport) {
        return Client.builder(transport, transport.schedulers())
                .concurrency(WINDOW)
                .breaker(BreakerSettings.none())
                .policy(Policy.builder(Duration.ofSeconds(60))
                        .attemptTimeout(Duration.ofSeconds(20))
                        .maxRetries(5)
                        .initialBackoff(Duration.ofMillis(1))
                        .maxBackoff(Duration.ofMillis(10))
                        .budget(BudgetSettings.none())
                        .build())
                .build();
    }

    /** The index says what is asked for, and the target names the call in nginx's log. */
    private static Iterator<PlannedCall> plan(String origin) {
        byte[] upload = new byte[UPLOAD];
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < CALLS;
            }

            @Override
            public PlannedCall next() {
                int index = next++;
                URI uri = URI.create(origin + path(index) + "?" + index);
                Body body = switch (index % 10) {
                    case 2, 8 -> Body.of("once");
                    case 4, 6 -> Body.of(upload);
                    default -> Body.empty();
                };
                Headers headers = Headers.of("Accept-Encoding", "gzip");
                return new PlannedCall(Request.of(method(index), uri, headers, body), CallOptions.none());
            }
        };
    }

    private static String path(int index) {
        return switch (index % 10) {
            case 2, 4, 8 -> "/upload";
            case 6 -> "/refuse";
            case 5 -> index % 20 == 5 ? "/large" : "/chunked";
            default -> "/small";
        };
    }

    private static Method method(int index) {
        return switch (index % 10) {
            case 2, 4, 8 -> Method.POST;
            case 6 -> Method.PUT;
            case 7 -> Method.HEAD;
            default -> Method.GET;
        };
    }

    private static void check(int index, Report report, byte[] large) {
        String what = index + " " + method(index) + " " + path(index) + ": " + report;
        if (!(report.outcome() instanceof Outcome.Response whole)) {
            // A reload may close a connection in the moment in which a POST is written on it: E3 forbids to repeat
            // that.
            assertThat(method(index)).as(what).isEqualTo(Method.POST);
            assertThat(report.outcome().kind()).as(what).isEqualTo(Outcome.Kind.TRANSPORT_FAILED);
            assertThat(report.suppressed()).as(what).contains(Suppressed.AMBIGUOUS_EFFECT);
            return;
        }
        Response response = whole.response();
        assertThat(response.status()).as(what).isEqualTo(path(index).equals("/refuse") ? 413 : 200);
        byte[] body = bytes(response.body());
        switch (path(index)) {
            case "/small" ->
                assertThat(body)
                        .as(what)
                        .isEqualTo(
                                method(index).equals(Method.HEAD)
                                        ? new byte[0]
                                        : "small".getBytes(StandardCharsets.US_ASCII));
            case "/upload" ->
                assertThat(Result.text(response.body()))
                        .as(what)
                        .isEqualTo(index % 10 == 4 ? Integer.toString(UPLOAD) : "4");
            case "/large" -> assertThat(Arrays.equals(body, large)).as(what).isTrue();
            case "/chunked" ->
                assertThat(Arrays.equals(unzipped(body), large)).as(what).isTrue();
            default -> {}
        }
    }

    private static byte[] bytes(Body body) {
        ByteBuffer content = body.content();
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return bytes;
    }

    private static byte[] unzipped(byte[] bytes) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What nginx saw is what was written: an answered call at least once, none more often than attempts of it may have arrived. */
    private static void compare(List<Report> reports, List<String> logged) {
        Map<Integer, Integer> seen = new HashMap<>();
        for (String line : logged) {
            String[] words = line.split(" ", -1);
            seen.merge(Integer.valueOf(words[1].substring(words[1].indexOf('?') + 1)), 1, Integer::sum);
        }
        for (int i = 0; i < reports.size(); i++) {
            Report report = reports.get(i);
            int arrived = (int) report.attemptReports().stream()
                    .filter(attempt -> attempt.progress().mayHaveArrived())
                    .count();
            assertThat(seen.getOrDefault(i, 0))
                    .as("call %s: %s", i, report)
                    .isBetween(report.outcome() instanceof Outcome.Response ? 1 : 0, arrived);
        }
    }

    private static Map<String, Integer> outcomes(List<Report> reports) {
        Map<String, Integer> outcomes = new TreeMap<>();
        reports.forEach(report ->
                outcomes.merge(Result.word(report.outcome()) + " by attempt " + report.attempts(), 1, Integer::sum));
        return outcomes;
    }
}
