package dev.escapement.policy;

import dev.escapement.http.Method;
import dev.escapement.measure.LatencyHistogram;
import dev.escapement.report.ReportDetail;
import dev.escapement.time.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every choice about the time and the retries of a call, as one immutable value (P1).
 *
 * <p>A wrong one cannot be built: {@link PolicyBuilder#build()} throws one {@link PolicyException} that lists every fault
 * (P2). Whether deadlines fit the clock is checked again by the client that takes the policy, and at every
 * addition while it runs (P4). The defaults, derived from the overall timeout D, are those of a gateway (P7):
 *
 * <table>
 * <caption>Defaults</caption>
 * <tr><td>attempt timeout</td><td>0.4 × D, at least 1 ns</td></tr>
 * <tr><td>max retries</td><td>1</td></tr>
 * <tr><td>backoff</td><td>25 ms doubling to 250 ms, full jitter</td></tr>
 * <tr><td>attempt fit, minimum attempt</td><td>clipped, 10 ms</td></tr>
 * <tr><td>cleanup reserve</td><td>2 % of D, within 5 to 100 ms</td></tr>
 * <tr><td>permit</td><td>for the whole call, waited for at most 10 % of D; the deadline counts from entry</td></tr>
 * <tr><td>retried</td><td>GET, HEAD, OPTIONS, TRACE, PUT, DELETE after 408, 429, 500, 502, 503, 504 and transient failures, by effect</td></tr>
 * <tr><td>delivery</td><td>at least once</td></tr>
 * <tr><td>server delays</td><td>seconds and dates, spread out by up to 10 % upward, cap 30 s; no header forbids a retry</td></tr>
 * <tr><td>retry budget</td><td>20 % of the calls started in 10 s, and 3 retries a second</td></tr>
 * <tr><td>reports</td><td>basic</td></tr>
 * </table>
 */
public final class Policy {

    /** The most retries a policy may ask for: 2^31 is the largest factor of a backoff. */
    public static final int MAX_RETRIES = 31;

    /** The overall timeout of {@link #standard()}. */
    public static final Duration STANDARD_OVERALL_TIMEOUT = Duration.ofSeconds(2);

    /** Every setting; the fields below are the same values, unpacked for those who read them in every call. */
    private final SettingValues values;

    private final String version;
    private final long attemptTimeoutNanos;
    private final long overallTimeoutNanos;
    private final int maxRetries;
    private final long initialBackoffNanos;
    private final long maxBackoffNanos;
    private final Jitter jitter;
    private final AttemptFit attemptFit;
    private final long minimumAttemptNanos;
    private final long cleanupReserveNanos;
    private final PermitScope permitScope;
    private final DeadlineOrigin deadlineOrigin;
    private final long maxQueueWaitNanos;
    private final FailureRule failureRule;
    private final Delivery delivery;
    private final Set<Method> retryableMethods;
    private final BitSet retryableStatuses;
    private final BitSet effectFreeStatuses;
    private final long serverDelayCapNanos;
    private final int serverDelayJitterPercent;
    private final RetryAfterDates retryAfterDates;
    private final Optional<String> retryForbiddingHeader;
    private final BudgetSettings budget;
    private final ReportDetail reportDetail;

    Policy(SettingValues values) {
        this.values = values;
        version = values.get(Setting.VERSION);
        attemptTimeoutNanos = values.get(Setting.ATTEMPT_TIMEOUT).toNanos();
        overallTimeoutNanos = values.get(Setting.OVERALL_TIMEOUT).toNanos();
        maxRetries = values.get(Setting.MAX_RETRIES);
        initialBackoffNanos = values.get(Setting.INITIAL_BACKOFF).toNanos();
        maxBackoffNanos = values.get(Setting.MAX_BACKOFF).toNanos();
        jitter = values.get(Setting.JITTER);
        attemptFit = values.get(Setting.ATTEMPT_FIT);
        minimumAttemptNanos = values.get(Setting.MINIMUM_ATTEMPT).toNanos();
        cleanupReserveNanos = values.get(Setting.CLEANUP_RESERVE).toNanos();
        permitScope = values.get(Setting.PERMIT_SCOPE);
        deadlineOrigin = values.get(Setting.DEADLINE_ORIGIN);
        maxQueueWaitNanos = values.get(Setting.MAX_QUEUE_WAIT).toNanos();
        failureRule = values.get(Setting.FAILURE_RULE);
        delivery = values.get(Setting.DELIVERY);
        retryableMethods = values.get(Setting.RETRYABLE_METHODS);
        retryableStatuses = bits(values.get(Setting.RETRYABLE_STATUSES));
        effectFreeStatuses = bits(values.get(Setting.EFFECT_FREE_STATUSES));
        serverDelayCapNanos = values.get(Setting.SERVER_DELAY_CAP).toNanos();
        serverDelayJitterPercent = values.get(Setting.SERVER_DELAY_JITTER_PERCENT);
        retryAfterDates = values.get(Setting.RETRY_AFTER_DATES);
        retryForbiddingHeader = values.get(Setting.RETRY_FORBIDDING_HEADER);
        budget = values.get(Setting.BUDGET);
        reportDetail = values.get(Setting.REPORT_DETAIL);
    }

    private static BitSet bits(Set<Integer> statuses) {
        BitSet bits = new BitSet();
        statuses.forEach(bits::set);
        return bits;
    }

    /** The gateway's defaults around 2 s. */
    public static Policy standard() {
        return builder(STANDARD_OVERALL_TIMEOUT).build();
    }

    /** Starts from the defaults around this overall timeout; zero is a budget that is already spent (P3). */
    public static PolicyBuilder builder(Duration overallTimeout) {
        return new PolicyBuilder(Objects.requireNonNull(overallTimeout, Setting.OVERALL_TIMEOUT.name));
    }

    /**
     * The policy that a flat map describes: a value for each key that is not to have its default, in the words of
     * {@link #toMap()}. Durations are the like of {@code 250ms} or ISO-8601; {@code overall-timeout} has no default.
     *
     * @throws PolicyException listing every fault: a key that is unknown, a text that says no value, a value out of its range
     */
    public static Policy of(Map<String, String> settings) {
        return of(new MapReader(settings));
    }

    /** The same for properties, their defaults included. */
    public static Policy of(Properties settings) {
        return of(new MapReader(settings));
    }

    private static Policy of(MapReader settings) {
        SettingValues values = SettingValues.read(settings);
        settings.end();
        return new Policy(values);
    }

    /**
     * The faults this policy has at an instant: deadlines that a clock standing there cannot hold (P4). Empty for every
     * policy and every clock of this planet's age.
     */
    public List<PolicyFault> faultsAt(long nowNanos) {
        List<PolicyFault> faults = new ArrayList<>();
        overflow(faults, PolicyFault.Kind.ATTEMPT_DEADLINE_OVERFLOW, "attemptTimeout", attemptTimeoutNanos, nowNanos);
        overflow(faults, PolicyFault.Kind.OVERALL_DEADLINE_OVERFLOW, "overallTimeout", overallTimeoutNanos, nowNanos);
        overflow(faults, PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW, "maxBackoff", maxBackoffNanos, nowNanos);
        return faults;
    }

    private static void overflow(
            List<PolicyFault> faults, PolicyFault.Kind kind, String name, long lengthNanos, long nowNanos) {
        if (Deadlines.plus(nowNanos, lengthNanos) == Deadlines.OVERFLOW) {
            faults.add(new PolicyFault(
                    kind, name, lengthNanos + " ns", "at most " + (Long.MAX_VALUE - nowNanos) + " ns at this instant"));
        }
    }

    /** Repeated by every report. */
    public String version() {
        return version;
    }

    /** The longest one attempt may take, in nanoseconds; the deadline may leave it less (T4). */
    public long attemptTimeoutNanos() {
        return attemptTimeoutNanos;
    }

    /** The longest the call may take, in nanoseconds, from {@link #deadlineOrigin()} on (T2). */
    public long overallTimeoutNanos() {
        return overallTimeoutNanos;
    }

    /** Attempts after the first. */
    public int maxRetries() {
        return maxRetries;
    }

    public long initialBackoffNanos() {
        return initialBackoffNanos;
    }

    public long maxBackoffNanos() {
        return maxBackoffNanos;
    }

    public Jitter jitter() {
        return jitter;
    }

    public AttemptFit attemptFit() {
        return attemptFit;
    }

    /** The shortest attempt that {@link AttemptFit#CLIPPED} still finds useful, in nanoseconds. */
    public long minimumAttemptNanos() {
        return minimumAttemptNanos;
    }

    /** What attempts leave of the deadline, and how long after its end a call may own anything, in nanoseconds (T2, T4). */
    public long cleanupReserveNanos() {
        return cleanupReserveNanos;
    }

    public PermitScope permitScope() {
        return permitScope;
    }

    public DeadlineOrigin deadlineOrigin() {
        return deadlineOrigin;
    }

    /** The longest wait for one permit, in nanoseconds; expired at ≥ (A6). */
    public long maxQueueWaitNanos() {
        return maxQueueWaitNanos;
    }

    public FailureRule failureRule() {
        return failureRule;
    }

    /** What may be repeated where the effect is possible (I6). */
    public Delivery delivery() {
        return delivery;
    }

    /** The methods that may be repeated without an idempotency key (R1). */
    public Set<Method> retryableMethods() {
        return retryableMethods;
    }

    /** Whether an answer with this status is worth a retry (R2). */
    public boolean retriesStatus(int status) {
        return retryableStatuses.get(status);
    }

    /** Whether an answer with this status proves that nothing was done, so that any method may be repeated (E3). */
    public boolean provesNoEffect(int status) {
        return effectFreeStatuses.get(status);
    }

    /** A server that asks for a longer delay gets no retry (R5), in nanoseconds. */
    public long serverDelayCapNanos() {
        return serverDelayCapNanos;
    }

    /** How far above it a delay that a server asked for may be spread out, in percent of it (R4). */
    public int serverDelayJitterPercent() {
        return serverDelayJitterPercent;
    }

    public RetryAfterDates retryAfterDates() {
        return retryAfterDates;
    }

    /** The header whose presence in a response forbids a retry, if there is one (R5). */
    public Optional<String> retryForbiddingHeader() {
        return retryForbiddingHeader;
    }

    /** What the calls of a client with this policy may spend on retries together (G1). */
    public BudgetSettings budget() {
        return budget;
    }

    public ReportDetail reportDetail() {
        return reportDetail;
    }

    /** Linked bounds that do not go together (P5), as far as the policy alone can tell; not errors. In the order of their kinds. */
    public List<PolicyAdvisory> advisories() {
        return PolicyLint.of(this);
    }

    /** The same, and what the lengths of attempts that were made under this policy or another tell of its attempt timeout. */
    public List<PolicyAdvisory> advisories(LatencyHistogram attempts) {
        return PolicyLint.of(this, attempts);
    }

    /** Every effective value by its key, in a fixed order, as {@link #of(Map)} reads them back. */
    public Map<String, String> toMap() {
        return values.toMap();
    }

    /** Policies with the same settings are equal. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Policy that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** Every effective value, as {@link #toMap()} has it. */
    @Override
    public String toString() {
        return toMap().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" ", "Policy[", "]"));
    }
}
