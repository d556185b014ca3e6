package dev.escapement.call;

import dev.escapement.http.Method;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Progress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The report of a call, cut from its machine when the outcome was fixed. Immutable; holds no reference to the machine.
 *
 * <p>One object for a call without retries: what is known of the last attempt is kept here, and its
 * {@link AttemptReport} made when asked for.
 */
final class CallReport implements Report {

    private static final int FIRST_FAILURE_STATUS = 400;

    private static final Suppressed[] SUPPRESSED = Suppressed.values();
    private static final Progress[] PROGRESS = Progress.values();

    private final Outcome outcome;
    /** The attempts decided upon before the end, the newest first. */
    private final @Nullable AttemptReport history;

    private final String policyVersion;
    private final CallOptions options;
    private final long startedNanos;
    private final long endedNanos;
    private final byte attempts;
    /** The ordinal, plus 1; 0 for none. */
    private final byte suppressed;

    // Of the last attempt, where it is not in the history. Numbers for constants, since 56 bytes are a report's
    // measure.
    private final byte lastProgress;
    private final boolean lastReplyStarted;
    private final boolean lastReplaced;
    private final boolean lastAmbiguous;
    /** Up to 2^31 − 1; a request that wrote more says so. */
    private final int lastWrittenBytes;

    /** @param last the settled lane of the last attempt, unless that attempt is in the history or there was none */
    @SuppressWarnings("EnumOrdinal") // the numbers never leave this object
    CallReport(
            Outcome outcome,
            @Nullable Suppressed suppressed,
            @Nullable AttemptReport history,
            @Nullable Lane last,
            byte attempts,
            Method method,
            String policyVersion,
            CallOptions options,
            long startedNanos,
            long endedNanos) {
        Progress progress = last == null ? Progress.NOT_STARTED : last.progress();
        this.outcome = outcome;
        this.history = history;
        this.policyVersion = policyVersion;
        this.options = options;
        this.startedNanos = startedNanos;
        this.endedNanos = endedNanos;
        this.attempts = attempts;
        this.suppressed = (byte) (suppressed == null ? 0 : suppressed.ordinal() + 1);
        this.lastProgress = (byte) progress.ordinal();
        this.lastReplyStarted = last != null && last.sawReply();
        this.lastReplaced = last != null && last.replacedConnection();
        this.lastAmbiguous = isAmbiguous(method, outcome, progress);
        this.lastWrittenBytes = last == null ? 0 : (int) Math.min(last.writtenBytes(), Integer.MAX_VALUE);
    }

    /** E4: an unsafe request may have arrived, and no whole reply told what came of it. */
    static boolean isAmbiguous(Method method, Outcome own, Progress progress) {
        return !method.isSafe() && progress.mayHaveArrived() && !(own instanceof Outcome.Response);
    }

    /** The newest response or transport failure; null if there is none. */
    static @Nullable Outcome lastReal(@Nullable AttemptReport newest) {
        AttemptReport attempt = newest;
        while (attempt != null && !isReal(attempt.outcome())) {
            attempt = attempt.previous().orElse(null);
        }
        return attempt == null ? null : attempt.outcome();
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
        Deque<AttemptReport> inOrder = new ArrayDeque<>();
        for (AttemptReport attempt = history;
                attempt != null;
                attempt = attempt.previous().orElse(null)) {
            inOrder.addFirst(attempt);
        }
        if (inOrder.size() < attempts) {
            inOrder.addLast(new AttemptReport(
                    attempts,
                    outcome,
                    PROGRESS[lastProgress],
                    lastWrittenBytes,
                    lastReplyStarted,
                    lastReplaced,
                    lastAmbiguous,
                    AttemptReport.NO_RETRY,
                    history));
        }
        return List.copyOf(inOrder);
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
        return Optional.ofNullable(isReal(outcome) ? outcome : lastReal(history));
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
    public boolean ambiguous() {
        boolean confirmed = outcome instanceof Outcome.Response answered
                && answered.response().status() < FIRST_FAILURE_STATUS;
        return !confirmed && attemptReports().stream().anyMatch(AttemptReport::ambiguous);
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
