package dev.escapement.checker;

import dev.escapement.report.AttemptReport;
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
        boolean ambiguous)
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
                false);
    }

    /** The attempt of that ordinal, with everything else plain; linked to none. */
    static AttemptReport attempt(int ordinal, Outcome outcome, long delayAfterNanos) {
        return new AttemptReport(ordinal, outcome, Progress.COMPLETE, 99, true, false, false, delayAfterNanos, null);
    }

    GivenReport because(Suppressed reason) {
        return new GivenReport(outcome, attemptReports, retryDelays, Optional.of(reason), lastRealResult, ambiguous);
    }

    GivenReport having(Outcome last, boolean effectInDoubt) {
        return new GivenReport(outcome, attemptReports, retryDelays, suppressed, Optional.of(last), effectInDoubt);
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
