package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is wrong gets one line that names it and exit code 2, and nothing is sent. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WrongUsageIT {

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

    @ParameterizedTest(name = "P2 {0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--bogus                      | Unknown option: '--bogus'",
                "--concurrency=0              | --concurrency = 0: expected 1 or more",
                "--concurrency=-7             | --concurrency = -7: expected 1 or more",
                "--concurrency=1073741824     | --concurrency = 1073741824: expected at most 1073741823",
                "--max-queue=-1               | --max-queue = -1: expected 0 to 1073741823",
                "--window=0                   | --window = 0: expected 1 to 1048576",
                "--attempt-timeout=0          | --attempt-timeout = 0: expected more than 0",
                "--attempt-timeout=-5ms       | --attempt-timeout = \"-5ms\": expected the like of 250ms, 1.5s, 2m or PT0.25S",
                "--cleanup-reserve=PT-1S      | --cleanup-reserve = PT-1S: expected 0 or more",
                "--max-retries=32             | --max-retries = 32: expected 0 to 31",
                "--max-retries=many           | --max-retries = \"many\": expected a whole number",
                "--max-backoff=PT9223372037S  | --max-backoff = PT2562047H47M17S: expected at most PT2562047H47M16.854775807S",
                "--jitter=loud                | --jitter = \"loud\": expected none, full, equal, decorrelated, or symmetric: and a percentage of 1 to 100",
                "--retryable-methods=FETCH    | --retryable-methods = \"FETCH\": expected none, or GET, HEAD, OPTIONS, TRACE, PUT, DELETE, POST, PATCH with commas between them",
                "--retryable-statuses=42      | --retryable-statuses = 42: expected statuses of 200 to 999",
                "--retryable-statuses=4xx     | --retryable-statuses = \"4xx\": expected none, or statuses with commas between them",
                "--delivery=twice             | --delivery = \"twice\": expected at-most-once or at-least-once or keyed",
                "--server-delay-jitter-percent=101 | --server-delay-jitter-percent = 101: expected 0 to 100",
                "--retry-forbidding-header=a:b | --retry-forbidding-header = \"a:b\": expected none, or a header name",
                "--budget-ratio=2             | --budget-ratio = 2: expected 0 to 1 with at most 6 decimals",
                "--budget-window=0            | --budget-window = PT0S: expected whole milliseconds, PT1S to PT1M",
                "--budget=some                | --budget = \"some\": expected none or standard",
                "--breaker=open               | --breaker = \"open\": expected none or standard",
                "--breaker-trials=65          | --breaker-trials = 65: expected 1 to 64",
                "--breaker-count-window=10    | --breaker-minimum-calls = 20: expected 1 to 10",
                "--metadata=http              | Invalid value for option '--metadata': \"http\": expected none or envoy or grpc or escapement",
                "--network-margin=5ms         | --network-margin = 5ms: expected --metadata=envoy, grpc or escapement beside it",
                "--retry-owner=edge           | --retry-owner = \"edge\": expected --metadata=escapement beside it",
                "--operation-prefix=a,b       | --operation-prefix = \"a,b\": expected visible ASCII without comma, semicolon, quote and backslash, 1 to 109 characters",
                "--max-body=-1                | --max-body = -1: expected 0 to 1073741824",
                "--demo=yes                   | Invalid value for option '--demo': 'yes' is not a boolean"
            })
    void namesTheOption(String option, String complaint) throws Exception {
        assertRefused(Launch.withInput("a GET " + server.url("/") + "\n", option), complaint);
    }

    @Test
    @DisplayName("P2 several faults stand on one line, in the fixed order")
    void listsSeveralFaults() throws Exception {
        assertRefused(
                Launch.run("--max-retries=32", "--initial-backoff=PT-1S", "--attempt-timeout=0"),
                "--attempt-timeout = 0: expected more than 0; --max-retries = 32: expected 0 to 31;"
                        + " --initial-backoff = PT-1S: expected 0 or more");
    }

    @Test
    @DisplayName("P2 a text that says no value keeps no other fault from being told, whatever it is a fault of")
    void listsFaultsOfEverything() throws Exception {
        assertRefused(
                Launch.run("--attempt-timeout=soon", "--max-retries=32", "--window=0", "--concurrency=0"),
                "--max-retries = 32: expected 0 to 31; --attempt-timeout = \"soon\": expected the like of 250ms, 1.5s, 2m"
                        + " or PT0.25S; --window = 0: expected 1 to 1048576; --concurrency = 0: expected 1 or more");
    }

    @Test
    @DisplayName("P2 a fault of a policy file is told by the file and the key, one of the command line by the option")
    void namesThePolicyFile() throws Exception {
        Path file = directory.resolve("policy.properties");
        Files.writeString(file, "max-retries=32\ninitial-backof=1ms\njitter=loud\n");

        assertRefused(
                Launch.run("--policy=" + file, "--jitter=none", "--attempt-timeout=0"),
                "--attempt-timeout = 0: expected more than 0; " + file + ": max-retries = 32: expected 0 to 31; " + file
                        + ": initial-backof = \"1ms\": expected a known key; the nearest is initial-backoff");
        Path missing = directory.resolve("missing.properties");
        assertRefused(
                Launch.run("--policy=" + missing),
                "--policy = " + missing + ": expected a readable properties file (no such file)");
        Files.writeString(file, "max-retries=\\u00zz\n");
        assertRefused(
                Launch.run("--policy=" + file),
                "--policy = " + file + ": expected a readable properties file (Malformed \\uxxxx encoding.)");
    }

    @Test
    void namesOptionsThatExcludeEachOther() throws Exception {
        assertRefused(Launch.run("--demo", "list.txt"), "--demo and FILE: expected one of them at most");
        assertRefused(
                Launch.run("--insecure", "--trust=ca.pem"), "--insecure and --trust: expected one of them at most");
        assertRefused(Launch.run("a.txt", "b.txt"), "Unmatched argument at index 1: 'b.txt'");
    }

    @Test
    void namesTheFileThatCannotBeRead() throws Exception {
        Path missing = directory.resolve("missing.txt");
        assertRefused(Launch.run(missing.toString()), missing + ": no such file");
        assertRefused(Launch.run(directory.toString()), directory + ": cannot be read or copied: Is a directory");

        Launch.Ended trust = Launch.run("--trust=" + missing);
        assertThat(trust.err())
                .startsWith(
                        "escapement-checker: --trust = " + missing + ": expected a readable PEM file of certificates")
                .hasLineCount(1);
        assertThat(trust.exit()).isEqualTo(2);
    }

    @Test
    @DisplayName("a wrong last line stops everything before the first request")
    void namesTheLine() throws Exception {
        Path file = directory.resolve("list.txt");
        Files.writeString(file, ("a GET " + server.url("/") + "\n").repeat(1_000) + "b FETCH " + server.url("/"));

        assertRefused(
                Launch.run(file.toString()),
                file + ":1001: method \"FETCH\": expected GET, HEAD, OPTIONS, TRACE, PUT, DELETE, POST or PATCH");
    }

    @ParameterizedTest(name = "\"{0}\": {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a GET                  | expected \"id METHOD url\", found 2 words",
                "a GET nowhere          | URI \"nowhere\": expected scheme http or https",
                "a GET http://h:99999/  | URI \"http://h:99999/\": expected a port of 1 to 65535",
                "a GET http://hö.example/ | URI \"http://h\\u00f6.example/\": expected a host"
            })
    void namesTheLineOfStandardInput(String line, String complaint) throws Exception {
        assertRefused(Launch.withInput("a GET " + server.url("/") + "\n" + line), "standard input:2: " + complaint);
    }

    @Test
    @DisplayName("an id that would paint the terminal is refused, and does not paint it")
    void refusesControlCharacters() throws Exception {
        assertRefused(
                Launch.withInput("a\u001b[31m GET " + server.url("/"), "-"),
                "standard input:1: id \"a\\u001b[31m\": expected visible characters only");
    }

    private void assertRefused(Launch.Ended ended, String complaint) {
        assertThat(ended.err()).isEqualTo("escapement-checker: " + complaint + "\n");
        assertThat(ended.out()).isEmpty();
        assertThat(ended.exit()).isEqualTo(2);
        assertThat(server.requests).hasValue(0);
    }
}
