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
                "--attempt-timeout=-5ms       | Invalid value for option '--attempt-timeout': \"-5ms\" is not a duration: expected the like of 250ms, 1.5s, 2m or PT0.25S",
                "--cleanup-reserve=PT-1S      | --cleanup-reserve = PT-1S: expected 0 or more",
                "--max-retries=32             | --max-retries = 32: expected 0 to 31",
                "--max-retries=many           | Invalid value for option '--max-retries': 'many' is not an int",
                "--max-backoff=PT9223372037S  | --max-backoff = PT2562047H47M17S: expected at most PT2562047H47M16.854775807S",
                "--jitter=loud                | Invalid value for option '--jitter': \"loud\": expected none, full, equal, decorrelated, or symmetric: and a percentage of 1 to 100",
                "--retryable-methods=FETCH    | Invalid value for option '--retryable-methods': \"FETCH\": expected none, or GET, HEAD, OPTIONS, TRACE, PUT, DELETE, POST, PATCH with commas between them",
                "--retryable-statuses=42      | --retryable-statuses = 42: expected statuses of 200 to 999",
                "--retryable-statuses=4xx     | Invalid value for option '--retryable-statuses': \"4xx\": expected none, or statuses with commas between them",
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
