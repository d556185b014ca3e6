package dev.escapement.policy;

import dev.escapement.http.Method;
import dev.escapement.time.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Every choice about the time and the retries of a call, as one immutable value (P1).
 *
 * <p>A wrong one cannot be built: {@link Builder#build()} throws one {@link PolicyException} that lists every fault
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
 * <tr><td>cap for server delays</td><td>30 s</td></tr>
 * </table>
 */
public final class Policy {

    /** The most retries a policy may ask for: 2^31 is the largest factor of a backoff. */
    public static final int MAX_RETRIES = 31;

    /** The overall timeout of {@link #standard()}. */
    public static final Duration STANDARD_OVERALL_TIMEOUT = Duration.ofSeconds(2);

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
    private final Set<Method> retryableMethods;
    private final BitSet retryableStatuses;
    private final BitSet effectFreeStatuses;
    private final long serverDelayCapNanos;

    private Policy(Builder from) {
        version = from.version;
        attemptTimeoutNanos = from.attemptTimeout.toNanos();
        overallTimeoutNanos = from.overallTimeout.toNanos();
        maxRetries = from.maxRetries;
        initialBackoffNanos = from.initialBackoff.toNanos();
        maxBackoffNanos = from.maxBackoff.toNanos();
        jitter = from.jitter;
        attemptFit = from.attemptFit;
        minimumAttemptNanos = from.minimumAttempt.toNanos();
        cleanupReserveNanos = from.cleanupReserve.toNanos();
        permitScope = from.permitScope;
        deadlineOrigin = from.deadlineOrigin;
        maxQueueWaitNanos = from.maxQueueWait.toNanos();
        failureRule = from.failureRule;
        retryableMethods = Set.copyOf(from.retryableMethods);
        retryableStatuses = bits(from.retryableStatuses);
        effectFreeStatuses = bits(from.effectFreeStatuses);
        serverDelayCapNanos = from.serverDelayCap.toNanos();
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
    public static Builder builder(Duration overallTimeout) {
        return new Builder(overallTimeout);
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

    @Override
    public String toString() {
        return "Policy " + version;
    }

    /** Collects a policy. Not thread-safe. */
    public static final class Builder {

        private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

        private final Duration overallTimeout;
        private String version = "unversioned";
        private Duration attemptTimeout;
        private int maxRetries = 1;
        private Duration initialBackoff = Duration.ofMillis(25);
        private Duration maxBackoff = Duration.ofMillis(250);
        private Jitter jitter = Jitter.FULL;
        private AttemptFit attemptFit = AttemptFit.CLIPPED;
        private Duration minimumAttempt = Duration.ofMillis(10);
        private Duration cleanupReserve;
        private PermitScope permitScope = PermitScope.CALL;
        private DeadlineOrigin deadlineOrigin = DeadlineOrigin.ENTRY;
        private Duration maxQueueWait;
        private FailureRule failureRule = FailureRule.BY_EFFECT;
        private Set<Method> retryableMethods =
                Set.of(Method.GET, Method.HEAD, Method.OPTIONS, Method.TRACE, Method.PUT, Method.DELETE);
        private Set<Integer> retryableStatuses = Set.of(408, 429, 500, 502, 503, 504);
        private Set<Integer> effectFreeStatuses = Set.of();
        private Duration serverDelayCap = Duration.ofSeconds(30);

        private Builder(Duration overallTimeout) {
            this.overallTimeout = overallTimeout;
            Duration sane = overallTimeout.isNegative() ? Duration.ZERO : overallTimeout;
            Duration share = sane.dividedBy(5).multipliedBy(2);
            this.attemptTimeout = share.isZero() ? Duration.ofNanos(1) : share;
            this.cleanupReserve = clamp(sane.dividedBy(50), Duration.ofMillis(5), Duration.ofMillis(100));
            this.maxQueueWait = sane.dividedBy(10);
        }

        private static Duration clamp(Duration value, Duration low, Duration high) {
            return value.compareTo(low) < 0 ? low : value.compareTo(high) > 0 ? high : value;
        }

        public Builder version(String name) {
            version = name;
            return this;
        }

        public Builder attemptTimeout(Duration length) {
            attemptTimeout = length;
            return this;
        }

        public Builder maxRetries(int retries) {
            maxRetries = retries;
            return this;
        }

        public Builder initialBackoff(Duration length) {
            initialBackoff = length;
            return this;
        }

        public Builder maxBackoff(Duration length) {
            maxBackoff = length;
            return this;
        }

        public Builder jitter(Jitter choice) {
            jitter = choice;
            return this;
        }

        public Builder attemptFit(AttemptFit choice) {
            attemptFit = choice;
            return this;
        }

        public Builder minimumAttempt(Duration length) {
            minimumAttempt = length;
            return this;
        }

        public Builder cleanupReserve(Duration length) {
            cleanupReserve = length;
            return this;
        }

        public Builder permitScope(PermitScope choice) {
            permitScope = choice;
            return this;
        }

        public Builder deadlineOrigin(DeadlineOrigin choice) {
            deadlineOrigin = choice;
            return this;
        }

        public Builder maxQueueWait(Duration length) {
            maxQueueWait = length;
            return this;
        }

        public Builder failureRule(FailureRule choice) {
            failureRule = choice;
            return this;
        }

        public Builder retryableMethods(Set<Method> methods) {
            retryableMethods = methods;
            return this;
        }

        public Builder retryableStatuses(Set<Integer> statuses) {
            retryableStatuses = statuses;
            return this;
        }

        public Builder effectFreeStatuses(Set<Integer> statuses) {
            effectFreeStatuses = statuses;
            return this;
        }

        public Builder serverDelayCap(Duration length) {
            serverDelayCap = length;
            return this;
        }

        /**
         * The policy.
         *
         * @throws PolicyException listing every fault
         */
        public Policy build() {
            List<PolicyFault> faults = new ArrayList<>();
            if (attemptTimeout.isZero()) {
                faults.add(
                        new PolicyFault(PolicyFault.Kind.ATTEMPT_TIMEOUT_ZERO, "attemptTimeout", "0", "more than 0"));
            }
            checkLength(faults, PolicyFault.Kind.ATTEMPT_DEADLINE_OVERFLOW, "attemptTimeout", attemptTimeout);
            checkLength(faults, PolicyFault.Kind.OVERALL_DEADLINE_OVERFLOW, "overallTimeout", overallTimeout);
            checkLength(faults, PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW, "maxBackoff", maxBackoff);
            if (maxRetries > MAX_RETRIES) {
                faults.add(new PolicyFault(
                        PolicyFault.Kind.RETRY_EXPONENT_TOO_LARGE,
                        "maxRetries",
                        Integer.toString(maxRetries),
                        "0 to " + MAX_RETRIES));
            }
            checkLength(faults, PolicyFault.Kind.BACKOFF_DEADLINE_OVERFLOW, "initialBackoff", initialBackoff);
            checkLength(faults, PolicyFault.Kind.OUT_OF_RANGE, "minimumAttempt", minimumAttempt);
            checkLength(faults, PolicyFault.Kind.OUT_OF_RANGE, "cleanupReserve", cleanupReserve);
            checkLength(faults, PolicyFault.Kind.OUT_OF_RANGE, "maxQueueWait", maxQueueWait);
            checkLength(faults, PolicyFault.Kind.OUT_OF_RANGE, "serverDelayCap", serverDelayCap);
            if (maxRetries < 0) {
                faults.add(new PolicyFault(
                        PolicyFault.Kind.OUT_OF_RANGE,
                        "maxRetries",
                        Integer.toString(maxRetries),
                        "0 to " + MAX_RETRIES));
            }
            checkStatuses(faults, "retryableStatuses", retryableStatuses);
            checkStatuses(faults, "effectFreeStatuses", effectFreeStatuses);
            if (!faults.isEmpty()) {
                throw new PolicyException(faults);
            }
            return new Policy(this);
        }

        private static void checkLength(
                List<PolicyFault> faults, PolicyFault.Kind tooLong, String name, Duration length) {
            if (length.isNegative()) {
                faults.add(new PolicyFault(PolicyFault.Kind.NEGATIVE_DURATION, name, length.toString(), "0 or more"));
            } else if (length.compareTo(LONGEST) > 0) {
                faults.add(new PolicyFault(tooLong, name, length.toString(), "at most " + LONGEST));
            }
        }

        private static void checkStatuses(List<PolicyFault> faults, String name, Set<Integer> statuses) {
            statuses.stream()
                    .filter(status -> status < 200 || status > 999)
                    .sorted()
                    .forEach(status -> faults.add(new PolicyFault(
                            PolicyFault.Kind.OUT_OF_RANGE, name, status.toString(), "statuses of 200 to 999")));
        }
    }
}
