package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.ScriptedServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar as people run it, against servers on loopback. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CheckerIT {

    /** More time than the slowest machine needs, where time is not the point. */
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
    @DisplayName("V4 the demo, byte for byte")
    void demo() throws Exception {
        Launch.Ended ended = Launch.run("--demo");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).isEqualTo("""
                        alpha status=200 attempts=2 retry_delays_ms=[10]
                        beta status=503 attempts=1 retry_delays_ms=[]
                        all_joined=2 max_concurrency=2
                        """);
        assertThat(ended.exit()).isZero();
    }

    @Test
    @DisplayName("V4 a demo whose script was not met ends with 1")
    void demoNotMet() throws Exception {
        Launch.Ended once = Launch.run("--demo", "--max-retries", "0");
        assertThat(once.lines()).first().isEqualTo("alpha status=503 attempts=1 retry_delays_ms=[]");
        assertThat(once.exit()).isEqualTo(1);

        Launch.Ended repeatedPost = Launch.run("--demo", "--retryable-methods", "GET,POST");
        assertThat(repeatedPost.lines()).element(1).isEqualTo("beta status=503 attempts=2 retry_delays_ms=[10]");
        assertThat(repeatedPost.exit()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "V4 the demo as JSON: every attempt with its answer, the delay exact, the reason of the retry not made")
    void demoAsJson() throws Exception {
        Launch.Ended ended = Launch.run("--demo", "--json", "--seed=17", "--policy-version=v4");

        assertThat(ended.exit()).isZero();
        List<Map<String, Object>> objects =
                ended.lines().stream().map(JsonReader::object).toList();
        assertThat(objects).hasSize(3);
        assertThat(objects.get(0))
                .containsEntry("id", "alpha")
                .containsEntry("attempts", 2L)
                .containsEntry("retry_delays_ns", List.of(10_000_000L))
                .containsEntry("suppressed", null)
                .containsEntry("policy_version", "v4");
        assertThat(objects.get(1))
                .containsEntry("id", "beta")
                .containsEntry("attempts", 1L)
                .containsEntry("suppressed", "METHOD_NOT_RETRYABLE");
        assertThat(objects.get(2))
                .isEqualTo(Map.of("all_joined", 2L, "max_concurrency", 2L, "seed", 17L, "complete", true));
    }

    @Test
    @DisplayName("W2 reports come in input order, whatever ends first; one above 400 ends with 1")
    void ordersReports() throws Exception {
        String list = "# a comment, and an empty line\n\n"
                + "flaky GET " + server.url("/flaky") + "\n"
                + "gone\tDELETE\t" + server.url("/status/404") + "\r\n"
                + "twin HEAD " + server.url("/a") + "\n"
                + "twin HEAD " + server.url("/b");

        Launch.Ended ended =
                Launch.withInput(list, AMPLE, "--jitter=none", "--initial-backoff=30ms", "--max-backoff=30ms");

        assertThat(ended.lines())
                .containsExactly(
                        "flaky status=200 attempts=2 retry_delays_ms=[30]",
                        "gone status=404 attempts=1 retry_delays_ms=[]",
                        "twin status=200 attempts=1 retry_delays_ms=[]",
                        "twin status=200 attempts=1 retry_delays_ms=[]",
                        "all_joined=4 max_concurrency=16");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.exit()).isEqualTo(1);
    }

    @Test
    @DisplayName("A7 what brings no answer is told by its kind")
    void tellsOutcomes() throws Exception {
        String refused = "refused GET http://127.0.0.1:" + ScriptedServer.refusingPort() + "/\n";
        assertThat(Launch.withInput(refused, AMPLE, "--jitter=none", "--initial-backoff=1ms")
                        .lines())
                .first()
                .isEqualTo("refused outcome=TRANSPORT_FAILED attempts=2 retry_delays_ms=[1]");

        String silent = "hangs GET " + server.url("/hang") + "\nposted POST " + server.url("/hang") + "\n";
        Launch.Ended ended = Launch.withInput(
                silent, AMPLE, "--attempt-timeout=200ms", "--jitter=none", "--initial-backoff=1ms", "-");
        assertThat(ended.lines())
                .containsExactly(
                        "hangs outcome=ATTEMPT_TIMEOUT attempts=2 retry_delays_ms=[1]",
                        "posted outcome=ATTEMPT_TIMEOUT attempts=1 retry_delays_ms=[]",
                        "all_joined=2 max_concurrency=16");
        assertThat(ended.exit()).isEqualTo(1);
    }

    @Test
    @DisplayName("R6 an answer whose retry cannot fit is the deadline's")
    void tellsTheDeadline() throws Exception {
        Launch.Ended ended = Launch.withInput(
                "late GET " + server.url("/status/503"), "--overall-timeout=5s", "--attempt-timeout=5s");

        assertThat(ended.lines()).first().isEqualTo("late outcome=OVERALL_DEADLINE attempts=1 retry_delays_ms=[]");
        assertThat(ended.exit()).isEqualTo(1);
    }

    @Test
    @DisplayName("P3 a budget of 0 sends nothing")
    void sendsNothingWithoutBudget() throws Exception {
        Launch.Ended ended = Launch.withInput("a GET " + server.url("/a"), "--overall-timeout=0");

        assertThat(ended.lines()).first().isEqualTo("a outcome=OVERALL_DEADLINE attempts=0 retry_delays_ms=[]");
        assertThat(server.requests).hasValue(0);
    }

    @Test
    @DisplayName("L2 a window above the concurrency waits for permits, as many as may")
    void rejectsBeyondTheQueue() throws Exception {
        Launch.Ended ended = Launch.withInput(
                ("a GET " + server.url("/hang") + "\n").repeat(2),
                AMPLE,
                "--concurrency=1",
                "--window=2",
                "--max-queue=0",
                "--attempt-timeout=200ms",
                "--max-retries=0");

        // The two have homes of their own: which of them enters first is open.
        assertThat(ended.lines().subList(0, 2))
                .containsExactlyInAnyOrder(
                        "a outcome=ATTEMPT_TIMEOUT attempts=1 retry_delays_ms=[]",
                        "a outcome=REJECTED attempts=0 retry_delays_ms=[]");
        assertThat(ended.lines()).last().isEqualTo("all_joined=2 max_concurrency=1");
    }

    @Test
    @DisplayName("V4 a list from a file, all answered, ends with 0; so does an empty one")
    void endsWithZero() throws Exception {
        Path file = directory.resolve("list.txt");
        Files.writeString(file, "a GET " + server.url("/status/399") + "\n");

        assertThat(Launch.run(AMPLE, file.toString()).exit()).isZero();
        assertThat(Launch.run()).isEqualTo(new Launch.Ended(0, "all_joined=0 max_concurrency=16\n", ""));
    }

    @Test
    @DisplayName("help and version go to standard output and end with 0")
    void helps() throws Exception {
        Launch.Ended help = Launch.run("--help");
        assertThat(help.out()).startsWith("Usage: escapement-checker [options] [FILE]\n");
        assertThat(help.err()).isEmpty();
        assertThat(help.exit()).isZero();
        assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));

        Launch.Ended version = Launch.run("--version");
        assertThat(version.out()).matches("escapement-checker [0-9]+\\.[0-9]+\\.[0-9]+\\S*\n");
        assertThat(version.exit()).isZero();
    }

    @Test
    @DisplayName("G5 100,000 endpoints are checked in 32 MB, and summed up")
    void checksAHundredThousandInLittleMemory() throws Exception {
        int endpoints = 100_000;
        Path file = directory.resolve("long.txt");
        Files.writeString(
                file,
                IntStream.range(0, endpoints)
                        .mapToObj(i -> "e" + i + " GET " + server.url("/" + i) + "\n")
                        .collect(Collectors.joining()));

        Launch.Ended ended = Launch.reading(List.of("-Xmx32m"), AMPLE, "--summary", file.toString())
                .ended();

        assertThat(ended.err()).isEmpty();
        assertThat(ended.exit()).isZero();
        List<String> lines = ended.lines();
        assertThat(lines.get(endpoints)).isEqualTo("all_joined=100000 max_concurrency=16");
        assertThat(lines.get(endpoints + 1)).isEqualTo("calls=100000 attempts=100000 amplification=1.00");
        for (int i = 0; i < endpoints; i++) {
            assertThat(lines.get(i)).isEqualTo("e" + i + " status=200 attempts=1 retry_delays_ms=[]");
        }
        assertThat(server.requests).hasValue(endpoints);
    }

    @Test
    @DisplayName("S1 Ctrl-C takes no more endpoints, gives running ones their grace, and prints what is done")
    void stopsInGoodOrder() throws Exception {
        Path file = directory.resolve("list.txt");
        Files.writeString(
                file,
                "first GET " + server.url("/first") + "\nhangs GET " + server.url("/hang") + "\n"
                        + ("more GET " + server.url("/more") + "\n").repeat(1_000));
        Launch launch = Launch.of(AMPLE, "--concurrency=2", file.toString());
        server.hanging.await();

        launch.signal("INT");
        Launch.Ended ended = launch.ended();

        List<String> lines = ended.lines();
        assertThat(lines)
                .hasSizeBetween(3, 20)
                .startsWith(
                        "first status=200 attempts=1 retry_delays_ms=[]",
                        "hangs outcome=CANCELLED attempts=1 retry_delays_ms=[]");
        assertThat(lines.subList(2, lines.size() - 1)).allMatch(line -> line.startsWith("more "));
        assertThat(lines).last().isEqualTo("all_joined=" + (lines.size() - 1) + " max_concurrency=2");
        assertThat(ended.err())
                .isEqualTo("escapement-checker: stopped after " + (lines.size() - 1) + " of 1002 endpoints\n");
        assertThat(ended.exit()).isEqualTo(130);
    }

    @Test
    @DisplayName("a reader that goes away ends the program quietly")
    void endsQuietlyWhenNobodyReads() throws Exception {
        Path file = directory.resolve("list.txt");
        Files.writeString(file, ("a GET " + server.url("/a") + "\n").repeat(50_000));
        Launch launch = Launch.of(AMPLE, file.toString());
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(launch.standardOutput(), StandardCharsets.UTF_8))) {
            assertThat(reader.readLine()).isEqualTo("a status=200 attempts=1 retry_delays_ms=[]");
        }

        Launch.Ended ended = launch.afterReading();

        assertThat(ended.err()).isEmpty();
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(server.requests.get()).isLessThan(50_000);
    }
}
