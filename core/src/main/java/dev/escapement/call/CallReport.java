package dev.escapement.call;

import dev.escapement.report.AttemptReport;
import dev.escapement.report.Effect;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The report of a call, cut from its machine when the outcome was fixed. Immutable; holds no reference to the machine.
 *
 * <p>One object for a call without retries: what is known of the last attempt is kept here, and its
 * {@link AttemptReport} made when asked for. 48 bytes.
 */
final class CallReport implements Report {

    private static final Suppressed[] SUPPRESSED = Suppressed.values();

    private final Outcome outcome;
    /** The attempts decided upon before the end, the newest first. */
    private final @Nullable AttemptRecord history;

    private final String policyVersion;
    private final CallOptions options;
    private final long startedNanos;
    private final long endedNanos;
    private final byte attempts;
    /** The ordinal, plus 1; 0 for none. */
    private final byte suppressed;

    // Of the last attempt, where it is not in the history, as a record keeps them.
    private final byte lastProgress;
    private final byte lastFlags;

    @SuppressWarnings("EnumOrdinal") // the number never leaves this object
    CallReport(
            Outcome outcome,
            @Nullable Suppressed suppressed,
            @Nullable AttemptRecord history,
            byte lastProgress,
            byte lastFlags,
            byte attempts,
            String policyVersion,
            CallOptions options,
            long startedNanos,
            long endedNanos) {
        this.outcome = outcome;
        this.history = history;
        this.policyVersion = policyVersion;
        this.options = options;
        this.startedNanos = startedNanos;
        this.endedNanos = endedNanos;
        this.attempts = attempts;
        this.suppressed = (byte) (suppressed == null ? 0 : suppressed.ordinal() + 1);
        this.lastProgress = lastProgress;
        this.lastFlags = lastFlags;
    }

    private static boolean isReal(Outcome outcome) {
        return outcome instanceof Outcome.Response || outcome instanceof Outcome.TransportFailed;
    }

    @Override
    public Outcome outcome() {
        return outcome;
    }

    @Override
    public int attempts() {
        return attempts;
    }

    @Override
    public List<AttemptReport> attemptReports() {
        AttemptReport[] inOrder = new AttemptReport[attempts];
        AttemptRecord newest = history;
        if (attempts > 0 && (newest == null || newest.ordinal() < attempts)) {
            inOrder[attempts - 1] = new AttemptRecord(
                    history,
                    AttemptRecord.resultOf(outcome),
                    AttemptRecord.NO_RETRY,
                    attempts,
                    lastProgress,
                    lastFlags);
        }
        for (AttemptRecord record = newest; record != null; record = record.previous()) {
            inOrder[record.ordinal() - 1] = record;
        }
        return List.of(inOrder);
    }

    @Override
    public List<Duration> retryDelays() {
        List<Duration> delays = new ArrayList<>();
        for (AttemptReport attempt : attemptReports()) {
            attempt.retryDelay().ifPresent(delays::add);
        }
        return List.copyOf(delays);
    }

    @Override
    public Optional<Suppressed> suppressed() {
        return suppressed == 0 ? Optional.empty() : Optional.of(SUPPRESSED[suppressed - 1]);
    }

    @Override
    public Optional<Outcome> lastRealResult() {
        if (isReal(outcome)) {
            return Optional.of(outcome);
        }
        AttemptRecord real = AttemptRecord.lastReal(history);
        return real == null ? Optional.empty() : Optional.of(real.outcome());
    }

    @Override
    public String policyVersion() {
        return policyVersion;
    }

    @Override
    public Optional<Object> attachment() {
        return options.attachment();
    }

    @Override
    public long startedNanos() {
        return startedNanos;
    }

    @Override
    public long endedNanos() {
        return endedNanos;
    }

    @Override
    public int replacedConnections() {
        return (int) attemptReports().stream()
                .filter(AttemptReport::replacedConnection)
                .count();
    }

    @Override
    public Effect effect() {
        List<AttemptReport> attemptReports = attemptReports();
        boolean confirmed = false;
        boolean possible = false;
        for (AttemptReport attempt : attemptReports) {
            confirmed |= attempt.effect() == Effect.KNOWN;
            possible |= attempt.effect() == Effect.POSSIBLE;
        }
        boolean confirmedByTheEnd = outcome instanceof Outcome.Response
                && attemptReports.get(attempts - 1).effect() == Effect.KNOWN;
        if (confirmedByTheEnd) {
            return Effect.KNOWN;
        }
        return possible ? Effect.POSSIBLE : confirmed ? Effect.KNOWN : Effect.ABSENT;
    }

    @Override
    public void release() {
        if (lastRealResult().orElse(null) instanceof Outcome.Response answered) {
            answered.response().release();
        }
    }

    @Override
    public String toString() {
        return outcome + " after " + attempts + " attempts"
                + suppressed().map(reason -> ", " + reason).orElse("");
    }
}
