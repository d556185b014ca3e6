package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.transport.TransportFailure;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The lines that people and scripts read. */
class TextFormatTest {

    private static final Endpoint ALPHA = new Endpoint(1, "alpha", Request.get("http://host/"));

    private final TextFormat format = new TextFormat();

    @Test
    @DisplayName("V4 a response is told by its status, whatever it is")
    void tellsTheStatus() {
        assertThat(line(new Outcome.Response(Response.of(200)), 10_000_000))
                .isEqualTo("alpha status=200 attempts=2 retry_delays_ms=[10]");
        assertThat(line(new Outcome.Response(Response.of(503))))
                .isEqualTo("alpha status=503 attempts=1 retry_delays_ms=[]");
    }

    @Test
    @DisplayName("V4 several delays are parted by a comma and a blank, in whole milliseconds rounded down")
    void listsDelays() {
        assertThat(line(Outcome.AttemptTimeout.INSTANCE, 10_999_999, 20_000_000, 999_999, 0))
                .isEqualTo("alpha outcome=ATTEMPT_TIMEOUT attempts=5 retry_delays_ms=[10, 20, 0, 0]");
    }

    @Test
    @DisplayName("A7 every other outcome is told by its kind, also one that carries a response")
    void tellsTheKind() {
        Outcome answered = new Outcome.Response(Response.of(503));

        assertThat(line(new Outcome.OverallDeadline(Optional.of(answered))))
                .isEqualTo("alpha outcome=OVERALL_DEADLINE attempts=1 retry_delays_ms=[]");
        assertThat(line(new Outcome.TransportFailed(TransportFailure.of(TransportFailure.Kind.REFUSED, "x"))))
                .startsWith("alpha outcome=TRANSPORT_FAILED ");
        assertThat(line(new Outcome.PolicyTimeOverflow(Outcome.PolicyTimeOverflow.Which.ATTEMPT)))
                .startsWith("alpha outcome=POLICY_TIME_OVERFLOW ");
        assertThat(line(Outcome.Cancelled.INSTANCE)).startsWith("alpha outcome=CANCELLED ");
        assertThat(line(new Outcome.Rejected(Outcome.Rejected.Reason.QUEUE_FULL)))
                .startsWith("alpha outcome=REJECTED ");
        assertThat(line(new Outcome.Broken(new IllegalStateException("x")))).startsWith("alpha outcome=BROKEN ");
    }

    @Test
    @DisplayName("V4 the last line counts reports and repeats the concurrency")
    void summarises() {
        assertThat(format.summary(new Summary(2, 16, 42, false))).isEqualTo("all_joined=2 max_concurrency=16");
    }

    private String line(Outcome outcome, long... delaysNanos) {
        AttemptReport[] attempts = new AttemptReport[delaysNanos.length + 1];
        for (int i = 0; i < attempts.length; i++) {
            GivenAttempt attempt = GivenReport.attempt(i + 1, outcome);
            attempts[i] = i < delaysNanos.length ? attempt.retriedAfter(delaysNanos[i]) : attempt;
        }
        return format.line(ALPHA, GivenReport.of(outcome, attempts));
    }
}
