package dev.escapement.checker;

import dev.escapement.measure.LatencyHistogram;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.Progress;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts what reports say while a run goes on, in memory that does not grow with it. Any thread; all fields are guarded by this.
 *
 * <p>An attempt has timed out if it saw no result within its attempt timeout, or until its call's deadline (O5). Its time
 * is counted if it was answered, or waited for through the whole attempt timeout: one that the deadline cut short says
 * only that it would have taken longer, and a failure ends as fast as it likes.
 */
final class Tally {

    private static final int FIRST_FAILURE_STATUS = 400;

    private final long attemptTimeoutNanos;

    private long calls;
    private long attempts;
    private long unanswered;
    private long ambiguous;
    private long replacedConnections;
    private long answeredAttempts;
    private long longestNanos;
    private final Map<Outcome.Kind, Long> outcomes = zeros(Outcome.Kind.class);
    private final Map<Suppressed, Long> suppressed = zeros(Suppressed.class);
    private final Map<Progress, Long> timeouts = zeros(Progress.class);

    /** Thread-safe, and written to under the lock like the rest. */
    private final LatencyHistogram times = new LatencyHistogram();

    /** @param attemptTimeoutNanos the policy's */
    Tally(long attemptTimeoutNanos) {
        this.attemptTimeoutNanos = attemptTimeoutNanos;
    }

    private static <K extends Enum<K>> Map<K, Long> zeros(Class<K> type) {
        Map<K, Long> zeros = new EnumMap<>(type);
        for (K key : type.getEnumConstants()) {
            zeros.put(key, 0L);
        }
        return zeros;
    }

    /** Counts a report that was not yet released. */
    synchronized void count(Report report) {
        calls++;
        attempts += report.attempts();
        replacedConnections += report.replacedConnections();
        if (!isAnsweredWell(report.outcome())) {
            unanswered++;
        }
        if (report.ambiguous()) {
            ambiguous++;
        }
        outcomes.merge(report.outcome().kind(), 1L, Long::sum);
        report.suppressed().ifPresent(reason -> suppressed.merge(reason, 1L, Long::sum));
        report.attemptReports().forEach(this::count);
    }

    private static boolean isAnsweredWell(Outcome outcome) {
        return outcome instanceof Outcome.Response answered
                && answered.response().status() < FIRST_FAILURE_STATUS;
    }

    private void count(AttemptReport attempt) {
        switch (attempt.outcome().kind()) {
            case RESPONSE -> {
                answeredAttempts++;
                attempt.detail().ifPresent(detail -> record(detail.serviceTime().toNanos()));
            }
            case ATTEMPT_TIMEOUT, OVERALL_DEADLINE -> {
                timeouts.merge(attempt.progress(), 1L, Long::sum);
                attempt.detail()
                        .map(detail -> detail.serviceTime().toNanos())
                        .filter(nanos -> nanos >= attemptTimeoutNanos)
                        .ifPresent(this::record);
            }
            case TRANSPORT_FAILED, POLICY_TIME_OVERFLOW, CANCELLED, REJECTED, BROKEN -> {}
        }
    }

    private void record(long nanos) {
        times.record(nanos);
        longestNanos = Math.max(longestNanos, nanos);
    }

    synchronized long calls() {
        return calls;
    }

    synchronized long attempts() {
        return attempts;
    }

    /** Calls that were not answered below 400. */
    synchronized long unanswered() {
        return unanswered;
    }

    synchronized long ambiguous() {
        return ambiguous;
    }

    synchronized long replacedConnections() {
        return replacedConnections;
    }

    synchronized long answeredAttempts() {
        return answeredAttempts;
    }

    /** The longest time counted; 0 if there is none. */
    synchronized long longestNanos() {
        return longestNanos;
    }

    /** A count for each way to end, as for the two below. */
    synchronized Map<Outcome.Kind, Long> outcomes() {
        return Collections.unmodifiableMap(new EnumMap<>(outcomes));
    }

    synchronized Map<Suppressed, Long> suppressed() {
        return Collections.unmodifiableMap(new EnumMap<>(suppressed));
    }

    /** Attempts that timed out, by how far their requests got. */
    synchronized Map<Progress, Long> timeouts() {
        return Collections.unmodifiableMap(new EnumMap<>(timeouts));
    }

    /** The times that were counted. */
    LatencyHistogram times() {
        return times;
    }
}
