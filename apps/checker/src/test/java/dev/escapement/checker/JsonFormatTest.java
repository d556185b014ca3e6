package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.report.AttemptDetail;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Effect;
import dev.escapement.report.Failure;
import dev.escapement.report.LaneKind;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Everything a report holds, read back by a reader that knows nothing of the writer. */
class JsonFormatTest {

    private static final Endpoint BETA = new Endpoint(7, "beta\"\\", Request.of(Method.POST, "http://host/b?c=d"));

    private final JsonFormat format = new JsonFormat();

    @Test
    void writesEverythingOfAReport() {
        Outcome busy = new Outcome.Response(
                Response.of(503, Headers.of("Retry-After", "1", "X-Odd", "a\"\\é\u0085"), Body.empty()));
        Outcome answered = new Outcome.Response(Response.of(200, Headers.empty(), Body.of("four")));
        AttemptReport first = new GivenAttempt(
                1,
                busy,
                Progress.COMPLETE,
                true,
                false,
                Effect.POSSIBLE,
                Optional.of(new Failure(
                        TransportFailure.Permanence.TRANSIENT, Effect.POSSIBLE, TransportFailure.Scope.ENDPOINT, true)),
                Optional.of(Duration.ofNanos(1_000_000_001)),
                Optional.empty());
        AttemptReport second = new GivenAttempt(
                2,
                answered,
                Progress.PREFIX_WRITTEN,
                false,
                true,
                Effect.KNOWN,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new AttemptDetail(
                        LaneKind.RETRY,
                        dev.escapement.transport.Endpoint.of("http://host:81"),
                        11,
                        12,
                        OptionalLong.of(13),
                        OptionalLong.of(14),
                        OptionalLong.of(15),
                        OptionalLong.of(16),
                        17,
                        18,
                        true,
                        7)));

        Map<String, Object> read = read(GivenReport.of(answered, first, second)
                .because(Suppressed.ATTEMPTS_USED)
                .having(answered, Effect.POSSIBLE));

        Map<String, Object> whole = Map.of("kind", "RESPONSE", "status", 200L, "headers", List.of(), "body_bytes", 4L);
        assertThat(read)
                .containsOnly(
                        entry("id", "beta\"\\"),
                        entry("line", 7L),
                        entry("method", "POST"),
                        entry("url", "http://host/b?c=d"),
                        entry("outcome", whole),
                        entry("attempts", 2L),
                        entry("retry_delays_ns", List.of(1_000_000_001L)),
                        entry("attempt_reports", read.get("attempt_reports")),
                        entry("policy_version", "v1"),
                        entry("started_ns", 17L),
                        entry("ended_ns", 42L),
                        entry("replaced_connections", 3L),
                        entry("effect", "POSSIBLE"),
                        entry("ambiguous", true),
                        entry("suppressed", "ATTEMPTS_USED"),
                        entry("last_real_result", whole));
        assertThat(attempt(read, 0))
                .containsOnly(
                        entry("ordinal", 1L),
                        entry(
                                "outcome",
                                Map.of(
                                        "kind",
                                        "RESPONSE",
                                        "status",
                                        503L,
                                        "headers",
                                        List.of(
                                                Map.of("name", "Retry-After", "value", "1"),
                                                Map.of("name", "X-Odd", "value", "a\"\\é\u0085")))),
                        entry("progress", "COMPLETE"),
                        entry("reply_started", true),
                        entry("replaced_connection", false),
                        entry("effect", "POSSIBLE"),
                        entry("ambiguous", true),
                        entry(
                                "failure",
                                Map.of(
                                        "permanence",
                                        "TRANSIENT",
                                        "effect",
                                        "POSSIBLE",
                                        "scope",
                                        "ENDPOINT",
                                        "another_fits",
                                        true)),
                        entry("detail", null),
                        entry("retry_delay_ns", 1_000_000_001L));
        assertThat(attempt(read, 1))
                .containsEntry("progress", "PREFIX_WRITTEN")
                .containsEntry("reply_started", false)
                .containsEntry("replaced_connection", true)
                .containsEntry("effect", "KNOWN")
                .containsEntry("ambiguous", false)
                .containsEntry("failure", null)
                .containsEntry("retry_delay_ns", null);
        assertThat((Map<?, ?>) attempt(read, 1).get("detail"))
                .isEqualTo(Map.ofEntries(
                        entry("lane", "RETRY"),
                        entry("endpoint", "http://host:81"),
                        entry("due_ns", 11L),
                        entry("started_ns", 12L),
                        entry("connected_ns", 13L),
                        entry("sending_ns", 14L),
                        entry("sent_ns", 15L),
                        entry("replied_ns", 16L),
                        entry("ended_ns", 17L),
                        entry("deadline_ns", 18L),
                        entry("reused_connection", true),
                        entry("written_bytes", 7L)));
    }

    @Test
    void forgetsNothingThatAReportCanTell() {
        AttemptReport attempt = GivenReport.attempt(1, Outcome.Cancelled.INSTANCE);
        Map<String, Object> read = read(GivenReport.of(Outcome.Cancelled.INSTANCE, attempt));

        // The attachment is the endpoint itself.
        assertThat(facts(Report.class))
                .hasSizeGreaterThan(10)
                .allSatisfy(fact -> assertThat(names(read)).contains(fact.equals("attachment") ? "id" : fact));
        assertThat(facts(AttemptReport.class))
                .hasSizeGreaterThan(6)
                .allSatisfy(fact -> assertThat(names(attempt(read, 0))).contains(fact));
    }

    /** What a type tells by its accessors, as the names of members. */
    private static List<String> facts(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && method.getParameterCount() == 0
                        && method.getReturnType() != void.class
                        && !method.getName().equals("toString"))
                .map(method -> method.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The names of members without the units of some. */
    private static List<String> names(Map<String, Object> object) {
        return object.keySet().stream()
                .map(name -> name.equals("started_ns") || name.equals("ended_ns")
                        ? name.replace("_ns", "_nanos")
                        : name.replace("_ns", ""))
                .toList();
    }

    @Test
    void writesNullForWhatIsAbsent() {
        assertThat(read(GivenReport.of(Outcome.Cancelled.INSTANCE)))
                .containsEntry("suppressed", null)
                .containsEntry("last_real_result", null)
                .containsEntry("attempt_reports", List.of())
                .containsEntry("retry_delays_ns", List.of())
                .containsEntry("outcome", Map.of("kind", "CANCELLED"));
    }

    @Test
    void writesWhatEachOutcomeCarries() {
        Outcome failed = new Outcome.TransportFailed(
                TransportFailure.of(TransportFailure.Kind.RESET, "line\nbreak", new IllegalStateException("why")));
        Map<String, Object> failure = Map.of(
                "kind", "TRANSPORT_FAILED",
                "failure", "RESET",
                "permanence", "TRANSIENT",
                "scope", "CONNECTION",
                "message", "line\nbreak",
                "cause", "java.lang.IllegalStateException: why");

        assertThat(outcome(failed)).isEqualTo(failure);
        assertThat(outcome(new Outcome.OverallDeadline(Optional.of(failed))))
                .isEqualTo(Map.of("kind", "OVERALL_DEADLINE", "last_real", failure));
        assertThat(outcome(Outcome.OverallDeadline.WITHOUT_RESULT))
                .containsOnly(entry("kind", "OVERALL_DEADLINE"), entry("last_real", null));
        assertThat(outcome(Outcome.AttemptTimeout.INSTANCE)).isEqualTo(Map.of("kind", "ATTEMPT_TIMEOUT"));
        assertThat(outcome(new Outcome.PolicyTimeOverflow(Outcome.PolicyTimeOverflow.Which.BACKOFF)))
                .isEqualTo(Map.of("kind", "POLICY_TIME_OVERFLOW", "which", "BACKOFF"));
        assertThat(outcome(new Outcome.Rejected(Outcome.Rejected.Reason.QUEUE_WAIT)))
                .isEqualTo(Map.of("kind", "REJECTED", "reason", "QUEUE_WAIT"));
        assertThat(outcome(new Outcome.Broken(new IllegalStateException("bug"))))
                .isEqualTo(Map.of("kind", "BROKEN", "cause", "java.lang.IllegalStateException: bug"));
    }

    @Test
    void keepsToOneLineThatATerminalDoesNotActOn() {
        Outcome failed = new Outcome.TransportFailed(
                TransportFailure.of(TransportFailure.Kind.RESET, "\n\r\t\u001b[2J\u202e\u2028\ud800\u0000"));

        assertThat(format.line(BETA, GivenReport.of(failed)))
                .doesNotContainPattern("[\\p{Cntrl}\\u202e\\u2028\\ud800]");
    }

    @Test
    void writesTheSummaryAsAnObject() {
        assertThat(JsonReader.object(format.summary(new Summary(2, 16, -42, false))))
                .isEqualTo(Map.of("all_joined", 2L, "max_concurrency", 16L, "seed", -42L, "complete", false));
    }

    private Map<String, Object> read(GivenReport report) {
        return JsonReader.object(format.line(BETA, report));
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> outcome(Outcome outcome) {
        return (Map<String, Object>) read(GivenReport.of(outcome)).get("outcome");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> attempt(Map<String, Object> report, int index) {
        return (Map<String, Object>) ((List<Object>) report.get("attempt_reports")).get(index);
    }
}
