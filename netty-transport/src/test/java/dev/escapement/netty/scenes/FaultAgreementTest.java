package dev.escapement.netty.scenes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.explorer.Explorer;
import dev.escapement.fixtures.explorer.Finding;
import dev.escapement.fixtures.explorer.Scenario;
import dev.escapement.http.Method;
import dev.escapement.netty.Certificates;
import dev.escapement.netty.LeakWatch;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Report;
import dev.escapement.transport.Progress;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the explorer lets its simulated transport do is what a real one does on a real wire: the same call, once with a fault of the
 * explorer's and once in the scene that is its counterpart, ends its first attempt in the same way, as far on its way, and is repeated or not
 * for the same reason.
 *
 * <p>Without a counterpart are STALE, which takes two connections that die between lending and writing, NAME_RESOLUTION and POOL_EXHAUSTED,
 * which no server can bring about, UNSOLICITED, and CLOSED_LOCALLY.
 */
@ExtendWith(LeakWatch.class)
class FaultAgreementTest {

    private static final Pattern END = Pattern.compile(" after (\\d+) attempts(?:, (\\w+))?$");

    @TempDir
    static Path directory;

    private static SSLContext identity;
    private static Path trusted;

    @BeforeAll
    static void makeCertificate() throws Exception {
        Certificates certificates = Certificates.of(directory, "ip:127.0.0.1");
        identity = certificates.server();
        trusted = certificates.pem(directory);
    }

    @ParameterizedTest(name = "{0}, {1}, and {2}")
    @DisplayName("E1 E3 E9 V1 scenes and the explorer's faults agree")
    @CsvSource(
            delimiter = '|',
            value = {
                "no connection                               | plain | fail refused",
                "a black hole behind the connect             | tls   | fail connect-timeout",
                "HTTP in answer to a handshake               | tls   | fail tls",
                "the end in the handshake                    | tls   | fail reset",
                "the attempt ends before the handshake       | tls   | hang",
                "closed without an answer                    | plain | write-all; fail reset",
                "reset without an answer                     | tls   | write-all; fail reset",
                "the upload is reset                         | plain | write 70000; fail reset",
                "closed in the head                          | plain | write-all; begin-reply; fail truncated",
                "reset in the body                           | tls   | write-all; begin-reply; fail truncated",
                "a body until the end without a goodbye      | tls   | write-all; begin-reply; fail truncated",
                "a refusal of a body that is not read and does not come whole | plain | write 70000; begin-reply; fail truncated",
                "garbage                                     | plain | write-all; begin-reply; fail malformed",
                "a length beside chunks                      | tls   | write-all; begin-reply; fail malformed",
                "nonsense during the upload                  | plain | write 70000; begin-reply; fail malformed",
                "a length beyond the bound                   | plain | write-all; begin-reply; fail too-large",
                "one more than is allowed                    | plain | write-all; begin-reply; fail too-many-interim",
                "never an answer                             | plain | write-all; hang",
                "never an answer                             | tls   | write-all; hang",
                "the upload stands still until the timeout   | plain | write 70000; hang",
                "fixed length                                | plain | write-all; begin-reply; answer 200",
                "408 in answer to the request                | plain | connect-reused; write-all; begin-reply; answer 408"
            })
    void agree(String name, String mode, String fault) throws Exception {
        for (Method method : new Method[] {Method.PUT, Method.POST}) {
            assertThat(onTheWire(name, Mode.of(mode), method))
                    .as("%s %s", method, name)
                    .isEqualTo(explored(method, fault));
        }
    }

    private static String onTheWire(String name, Mode mode, Method method) throws Exception {
        Scene scene = Scene.named(name);
        try (Stage stage = new Stage(scene.asked(scene.ask().with(method, 1)), mode, identity, trusted)) {
            Report report = stage.call();
            report.release();
            AttemptReport first = report.attemptReports().get(0);
            return describe(
                    Result.word(first.outcome()),
                    first.progress(),
                    first.replyStarted(),
                    report.attempts(),
                    report.suppressed().map(Enum::name).orElse(null));
        }
    }

    private static String explored(Method method, String fault) {
        Finding finding =
                Explorer.explore(Scenario.parse("policy overall-timeout=1s attempt-timeout=20ms max-retries=1 "
                        + "initial-backoff=0ms jitter=none budget=none\ncall 1 at 0ms " + method + "\n  attempt "
                        + fault));
        assertThat(finding.difference()).isEmpty();
        String outcome = "ATTEMPT_TIMEOUT";
        Progress progress = Progress.NOT_STARTED;
        boolean replied = false;
        int attempts = 0;
        String suppressed = null;
        for (String line : finding.trace()) {
            String[] words = line.split(" ", 7); // instant, door, "call", its number, the attempt's, yes or no, detail
            boolean ofFirst = words[4].equals("1");
            switch (words[1]) {
                case "WRITTEN" -> progress = ofFirst ? later(progress, Progress.PREFIX_WRITTEN) : progress;
                case "REQUEST_SENT" -> progress = ofFirst ? Progress.COMPLETE : progress;
                case "REPLY_STARTED" -> replied |= ofFirst;
                case "RESULT" -> outcome = ofFirst ? words[6].replaceFirst("^status (\\d+).*|:.*", "$1") : outcome;
                case "REPORT" -> {
                    Matcher end = END.matcher(words[6]);
                    assertThat(end.find()).as(line).isTrue();
                    attempts = Integer.parseInt(end.group(1));
                    suppressed = end.group(2);
                }
                default -> {}
            }
        }
        return describe(outcome, progress, replied, attempts, suppressed);
    }

    private static Progress later(Progress one, Progress other) {
        return Comparator.<Progress>naturalOrder().compare(one, other) < 0 ? other : one;
    }

    private static String describe(
            String outcome, Progress progress, boolean replied, int attempts, String suppressed) {
        return outcome + " " + progress + (replied ? ", reply begun" : "")
                + (attempts > 1 ? ", repeated" : suppressed == null ? "" : ", not repeated: " + suppressed);
    }
}
