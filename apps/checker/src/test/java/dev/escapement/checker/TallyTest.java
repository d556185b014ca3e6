package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.escapement.http.Response;
import dev.escapement.report.AttemptDetail;
import dev.escapement.report.Effect;
import dev.escapement.report.LaneKind;
import dev.escapement.report.Outcome;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What reports say is counted, each under its own name. */
class TallyTest {

    private static final long TIMEOUT = 1_000;
    private static final Outcome OK = new Outcome.Response(Response.of(200));
    private static final Outcome UNAVAILABLE = new Outcome.Response(Response.of(503));
    private static final Outcome REFUSED =
            new Outcome.TransportFailed(TransportFailure.of(TransportFailure.Kind.REFUSED, "x"));

    private final Tally tally = new Tally(TIMEOUT);

    @Test
    @DisplayName("O4 calls, attempts, and the calls that were not answered below 400")
    void countsCallsAndAttempts() {
        tally.count(GivenReport.of(OK, attempt(1, UNAVAILABLE), attempt(2, OK)));
        tally.count(GivenReport.of(new Outcome.Response(Response.of(399)), attempt(1, OK)));
        tally.count(GivenReport.of(new Outcome.Response(Response.of(400)), attempt(1, OK)));
        tally.count(GivenReport.of(new Outcome.Rejected(Outcome.Rejected.Reason.QUEUE_FULL)));

        assertThat(tally.calls()).isEqualTo(4);
        assertThat(tally.attempts()).isEqualTo(4);
        assertThat(tally.unanswered()).isEqualTo(2);
        assertThat(tally.answeredAttempts()).isEqualTo(4);
        assertThat(tally.replacedConnections()).isEqualTo(4 * 3);
        assertThat(tally.outcomes())
                .containsEntry(Outcome.Kind.RESPONSE, 3L)
                .containsEntry(Outcome.Kind.REJECTED, 1L)
                .containsEntry(Outcome.Kind.BROKEN, 0L)
                .hasSameSizeAs(Outcome.Kind.values());
    }

    @Test
    @DisplayName("E4 R7 ambiguous calls, and the reasons of retries not made")
    void countsWhatIsUnclear() {
        tally.count(GivenReport.of(REFUSED, attempt(1, REFUSED)).because(Suppressed.ATTEMPTS_USED));
        tally.count(GivenReport.of(REFUSED, attempt(1, REFUSED)).because(Suppressed.ATTEMPTS_USED));
        tally.count(GivenReport.of(UNAVAILABLE, attempt(1, UNAVAILABLE)).because(Suppressed.BUDGET_EMPTY));
        tally.count(GivenReport.of(UNAVAILABLE).having(UNAVAILABLE, Effect.POSSIBLE));
        tally.count(GivenReport.of(OK).having(OK, Effect.KNOWN));

        assertThat(tally.ambiguous()).isEqualTo(1);
        assertThat(tally.suppressed())
                .containsEntry(Suppressed.ATTEMPTS_USED, 2L)
                .containsEntry(Suppressed.BUDGET_EMPTY, 1L)
                .containsEntry(Suppressed.CANNOT_FIT, 0L);
    }

    @Test
    @DisplayName("O5 attempts that timed out, by their own timeout or their call's deadline, by how far they got")
    void countsTimeoutsByProgress() {
        Outcome deadline = Outcome.OverallDeadline.WITHOUT_RESULT;
        tally.count(GivenReport.of(
                deadline,
                attempt(1, Outcome.AttemptTimeout.INSTANCE, Progress.COMPLETE, 5),
                attempt(2, Outcome.AttemptTimeout.INSTANCE, Progress.NOT_STARTED, 5),
                attempt(3, deadline, Progress.COMPLETE, 5)));
        tally.count(GivenReport.of(REFUSED, attempt(1, REFUSED, Progress.PREFIX_WRITTEN, 5)));
        tally.count(GivenReport.of(
                Outcome.Cancelled.INSTANCE, attempt(1, Outcome.Cancelled.INSTANCE, Progress.UNKNOWN, 5)));

        assertThat(tally.timeouts())
                .containsExactly(
                        entry(Progress.NOT_STARTED, 1L),
                        entry(Progress.PREFIX_WRITTEN, 0L),
                        entry(Progress.UNKNOWN, 0L),
                        entry(Progress.COMPLETE, 2L));
    }

    @Test
    @DisplayName(
            "L7 timed are answers, and waits through the whole attempt timeout; what was cut short or failed is not")
    void timesWhatTellsATime() {
        Outcome deadline = Outcome.OverallDeadline.WITHOUT_RESULT;
        tally.count(GivenReport.of(OK, attempt(1, OK, Progress.COMPLETE, 7)));
        tally.count(GivenReport.of(
                deadline,
                attempt(1, Outcome.AttemptTimeout.INSTANCE, Progress.COMPLETE, TIMEOUT),
                attempt(2, Outcome.AttemptTimeout.INSTANCE, Progress.COMPLETE, TIMEOUT - 1),
                attempt(3, deadline, Progress.COMPLETE, TIMEOUT - 1)));
        tally.count(GivenReport.of(REFUSED, attempt(1, REFUSED, Progress.NOT_STARTED, 3)));
        tally.count(GivenReport.of(OK, attempt(1, OK)));

        assertThat(tally.times().count()).isEqualTo(2);
        assertThat(tally.longestNanos()).isEqualTo(TIMEOUT);
        assertThat(tally.times().countAtLeast(TIMEOUT)).isEqualTo(1);
    }

    private static GivenAttempt attempt(int ordinal, Outcome outcome) {
        return GivenReport.attempt(ordinal, outcome);
    }

    private static GivenAttempt attempt(int ordinal, Outcome outcome, Progress progress, long serviceNanos) {
        return new GivenAttempt(
                ordinal,
                outcome,
                progress,
                false,
                false,
                Effect.ABSENT,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new AttemptDetail(
                        LaneKind.FIRST,
                        Endpoint.of("http://host"),
                        11,
                        13,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        13 + serviceNanos,
                        9_999,
                        false,
                        0)));
    }
}
