package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.ReceivedRequest;
import dev.escapement.fixtures.ScriptedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar against servers that misbehave: what its summary, its policy file, its advice and its headers say. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SummaryIT {

    private static final String AMPLE = "--overall-timeout=10m";

    @TempDir
    private Path directory;

    private LoopbackServer server;

    @BeforeEach
    void start() throws Exception {
        server = LoopbackServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    @DisplayName("O4 G1 G2 the summary counts calls, attempts, reasons, budget and breakers, and suggests a timeout")
    void sumsUp() throws Exception {
        int refusing = ScriptedServer.refusingPort();
        String list = ("well GET " + server.url("/a") + "\n").repeat(20)
                + "sick GET " + server.url("/status/503") + "\n"
                + "spared GET " + server.url("/b") + "\n"
                + "refused GET http://127.0.0.1:" + refusing + "/\n";

        Launch.Ended ended = Launch.withInput(
                list,
                AMPLE,
                "--summary",
                "--concurrency=1",
                "--initial-backoff=1ms",
                "--breaker-consecutive-failures=2",
                "--breaker-open-period=1h",
                "--budget-floor=50");

        List<String> lines = ended.lines();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(lines.get(21)).isEqualTo("spared outcome=REJECTED attempts=0 retry_delays_ms=[]");
        assertThat(lines.subList(23, 28))
                .containsExactly(
                        "all_joined=23 max_concurrency=1",
                        "calls=23 attempts=24 amplification=1.04",
                        "outcomes RESPONSE=21 TRANSPORT_FAILED=1 REJECTED=1 ambiguous=0",
                        "suppressed ATTEMPTS_USED=2",
                        "timeouts NOT_STARTED=0 PREFIX_WRITTEN=0 UNKNOWN=0 COMPLETE=0 late_replies=0");
        assertThat(lines.get(29)).startsWith("attempt_ms answered=22 timed=22 p50=");
        assertThat(lines.get(30)).matches("suggested attempt_timeout=[1-9][0-9]*(ns|us|ms|s)");
        assertThat(lines.get(31)).startsWith("budget calls=");
        assertThat(lines.get(32)).isEqualTo("breakers CLOSED=0 OPEN=2 HALF_OPEN=0 FORCED_OPEN=0");
        assertThat(lines.subList(33, lines.size()))
                .containsExactlyInAnyOrder(
                        opened("http://127.0.0.1:" + server.port(), 1), opened("http://127.0.0.1:" + refusing, 0));
    }

    private static String opened(String endpoint, int rejected) {
        return "breaker " + endpoint + " state=OPEN admits_percent=0 openings=1 rejected=" + rejected
                + " calls=0 failed=0 slow=0";
    }

    @Test
    @DisplayName("O5 timeouts are counted by progress, in one object after the reports")
    void countsTimeouts() throws Exception {
        String list = "hangs GET " + server.url("/hang") + "\nposted POST " + server.url("/hang") + "\n";

        Launch.Ended ended = Launch.withInput(
                list, AMPLE, "--json", "--summary", "--attempt-timeout=200ms", "--initial-backoff=1ms");

        Map<String, Object> figures = JsonReader.object(ended.lines().get(3));
        assertThat(ended.lines()).hasSize(4);
        assertThat(figures)
                .containsEntry("calls", 2L)
                .containsEntry("attempts", 3L)
                .containsEntry("suggested_attempt_timeout_ns", null);
        // How far each got in that time is the machine's to say.
        assertThat(((Map<?, ?>) figures.get("timeouts"))
                        .values().stream().mapToLong(count -> (Long) count).sum())
                .isEqualTo(3);
    }

    @Test
    @DisplayName("P5 advice is one line on standard error, and no line of a log; the run is as it was")
    void advises() throws Exception {
        Launch.Ended ended = Launch.run("--demo", "--max-retries=2");

        assertThat(ended.err())
                .isEqualTo("escapement-checker: advice: in an outage each call asks for up to 3 attempts,"
                        + " and no budget bounds them\n");
        assertThat(ended.out()).isEqualTo("""
                        alpha status=200 attempts=2 retry_delays_ms=[10]
                        beta status=503 attempts=1 retry_delays_ms=[]
                        all_joined=2 max_concurrency=2
                        """);
        assertThat(ended.exit()).isZero();
    }

    @Test
    @DisplayName("P1 a policy comes from a file, and the command line wins over it")
    void readsAPolicy() throws Exception {
        Path file = directory.resolve("policy.properties");
        Files.writeString(
                file, "overall-timeout = 10m\ninitial-backoff = 30ms\nmax-backoff = 30ms\njitter = full\n# the end\n");

        Launch.Ended ended = Launch.withInput("flaky GET " + server.url("/flaky"), "--policy=" + file, "--jitter=none");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.lines()).first().isEqualTo("flaky status=200 attempts=2 retry_delays_ms=[30]");
    }

    @Test
    @DisplayName("M1 servers are told the operation, the attempt and who retries, where that is asked for")
    void tellsServers() throws Exception {
        try (ScriptedServer scripted = ScriptedServer.start()) {
            scripted.otherwise().readRequest().respond(200, "");

            Launch.Ended ended = Launch.withInput(
                    "# first\na GET " + scripted.uri("/a"),
                    AMPLE,
                    "--metadata=escapement",
                    "--network-margin=5ms",
                    "--retry-owner=edge",
                    "--operation-prefix=nightly-");

            assertThat(ended.exit()).isZero();
            ReceivedRequest received = scripted.request(1);
            assertThat(received.header("Escapement-Attempt")).contains("1");
            assertThat(received.header("Escapement-Max-Attempts")).contains("2");
            assertThat(received.header("Escapement-Operation")).contains("nightly-2");
            assertThat(received.header("Escapement-Retry-Owner")).contains("edge");
            assertThat(received.header("Escapement-Remaining-Ms")).isPresent();
        }
    }
}
