package dev.escapement.checker;

import dev.escapement.report.AttemptReport;
import dev.escapement.report.Effect;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A report as a test wants it; what is not given is empty. */
record GivenReport(
        Outcome outcome,
        List<AttemptReport> attemptReports,
        List<Duration> retryDelays,
        Optional<Suppressed> suppressed,
        Optional<Outcome> lastRealResult,
        Effect effect)
        implements Report {

    static GivenReport of(Outcome outcome, AttemptReport... attempts) {
        return new GivenReport(
                outcome,
                List.of(attempts),
                List.of(attempts).stream()
                        .flatMap(attempt -> attempt.retryDelay().stream())
                        .toList(),
                Optional.empty(),
                Optional.empty(),
                Effect.ABSENT);
    }

    /** The attempt of that ordinal, with everything else plain, and no retry after it. */
    static GivenAttempt attempt(int ordinal, Outcome outcome) {
        return new GivenAttempt(
                ordinal,
                outcome,
                Progress.COMPLETE,
                true,
                false,
                Effect.ABSENT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    GivenReport because(Suppressed reason) {
        return new GivenReport(outcome, attemptReports, retryDelays, Optional.of(reason), lastRealResult, effect);
    }

    GivenReport having(Outcome last, Effect done) {
        return new GivenReport(outcome, attemptReports, retryDelays, suppressed, Optional.of(last), done);
    }

    @Override
    public int attempts() {
        return attemptReports.size();
    }

    @Override
    public String policyVersion() {
        return "v1";
    }

    @Override
    public Optional<Object> attachment() {
        return Optional.empty();
    }

    @Override
    public long startedNanos() {
        return 17;
    }

    @Override
    public long endedNanos() {
        return 42;
    }

    @Override
    public int replacedConnections() {
        return 3;
    }

    @Override
    public void release() {}
}
