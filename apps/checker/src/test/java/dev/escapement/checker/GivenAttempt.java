package dev.escapement.checker;

import dev.escapement.report.AttemptDetail;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Effect;
import dev.escapement.report.Failure;
import dev.escapement.report.Outcome;
import dev.escapement.transport.Progress;
import java.time.Duration;
import java.util.Optional;

/** An attempt's report as a test wants it. */
record GivenAttempt(
        int ordinal,
        Outcome outcome,
        Progress progress,
        boolean replyStarted,
        boolean replacedConnection,
        Effect effect,
        Optional<Failure> failure,
        Optional<Duration> retryDelay,
        Optional<AttemptDetail> detail)
        implements AttemptReport {

    GivenAttempt retriedAfter(long delayNanos) {
        return new GivenAttempt(
                ordinal,
                outcome,
                progress,
                replyStarted,
                replacedConnection,
                effect,
                failure,
                Optional.of(Duration.ofNanos(delayNanos)),
                detail);
    }
}
