package dev.escapement.policy;

import dev.escapement.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When the circuit breaker of an endpoint opens, for how long, and how it is tried again, as one immutable value (G2, G4).
 *
 * <p>Three rules open it, each judged after every result and each switched off by 0: so many failures in a row; the share of
 * failures in the window; the share of failures and slow answers in the window. The shares are judged from the minimum number
 * of calls on. The window is a time or a number of calls, whichever was chosen last. A client has one setting for all its
 * endpoints and policies.
 *
 * <table>
 * <caption>Defaults (P7)</caption>
 * <tr><td>consecutive failures</td><td>5</td></tr>
 * <tr><td>failure rate</td><td>50 % of at least 20 calls within 10 s</td></tr>
 * <tr><td>slow rate</td><td>90 %, slow being 0.8 × the attempt timeout or longer</td></tr>
 * <tr><td>open period</td><td>5 s, then 1 trial; the ramp after it takes one open period more</td></tr>
 * <tr><td>table size</td><td>10,000 endpoints</td></tr>
 * </table>
 *
 * <p>In an outage the defaults open after five failures, long before a retry budget refuses anything, and it takes up to an open
 * period and a ramp, 10 s, after the upstream's recovery until all calls pass again: the price for sparing it and for refusing at once.
 * A budget alone bounds the load of retries and lets every call try.
 */
public final class BreakerSettings {

    /** A time window forgets a tenth at a time. */
    public static final int TIME_WINDOW_BUCKETS = 10;

    /** The most calls that a window counts by number, that a share can wait for, or that can fail in a row. */
    public static final int MAX_CALLS = 65_536;

    /** The most trials that can be asked for. */
    public static final int MAX_TRIALS = 64;

    /** The most endpoints that a client can be told to remember, 2^20. */
    public static final int MAX_TABLE_SIZE = 1 << 20;

    /** The answer of {@link #slowCallNanos()} where no answer is slow. */
    public static final long NEVER_SLOW = Long.MAX_VALUE;

    private final boolean none;
    private final int consecutiveFailures;
    private final int failureRatePercent;
    private final int minimumCalls;
    private final long windowNanos;
    private final int windowCalls;
    private final boolean slowCallChosen;
    private final long slowCallNanos;
    private final int slowRatePercent;
    private final long openPeriodNanos;
    private final int trials;
    private final int tableSize;

    private BreakerSettings(Builder from, boolean none) {
        this.none = none;
        consecutiveFailures = from.consecutiveFailures;
        failureRatePercent = from.failureRatePercent;
        minimumCalls = from.minimumCalls;
        windowNanos = from.countWindow ? 0 : from.timeWindow.toNanos();
        windowCalls = from.countWindow ? from.windowCalls : 0;
        slowCallChosen = from.slowCall != null;
        slowCallNanos = from.slowCall != null ? from.slowCall.toNanos() : NEVER_SLOW;
        slowRatePercent = from.slowRatePercent;
        openPeriodNanos = from.openPeriod.toNanos();
        trials = from.trials;
        tableSize = from.tableSize;
    }

    private BreakerSettings(BreakerSettings from, long slowCallNanos) {
        none = from.none;
        consecutiveFailures = from.consecutiveFailures;
        failureRatePercent = from.failureRatePercent;
        minimumCalls = from.minimumCalls;
        windowNanos = from.windowNanos;
        windowCalls = from.windowCalls;
        slowCallChosen = from.slowCallChosen;
        this.slowCallNanos = slowCallNanos;
        slowRatePercent = from.slowRatePercent;
        openPeriodNanos = from.openPeriodNanos;
        trials = from.trials;
        tableSize = from.tableSize;
    }

    /** The defaults. */
    public static BreakerSettings standard() {
        return builder().build();
    }

    /** No breaker at all: nothing is judged, nothing rejected, nothing can be opened by hand. */
    public static BreakerSettings none() {
        return new BreakerSettings(builder(), true);
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * These settings for a client whose attempts take up to {@code attemptTimeoutNanos}: where no length was chosen from
     * which on an answer is slow, it is 0.8 × that, rounded down, at least 1 ns.
     *
     * @param attemptTimeoutNanos more than 0
     */
    public BreakerSettings forAttemptTimeout(long attemptTimeoutNanos) {
        if (slowCallChosen) {
            return this;
        }
        // Multiplying first would overflow; the second term makes the rounding that of the whole.
        long fourFifths = attemptTimeoutNanos / 5 * 4 + attemptTimeoutNanos % 5 * 4 / 5;
        return new BreakerSettings(this, Math.max(1, fourFifths));
    }

    /** Whether there is no breaker at all; the other settings mean nothing then, but for the table's size. */
    public boolean isNone() {
        return none;
    }

    /** So many failures in a row open; 0: not judged by that. */
    public int consecutiveFailures() {
        return consecutiveFailures;
    }

    /** A share of failures that reaches this opens, in percent; 0: not judged by that. */
    public int failureRatePercent() {
        return failureRatePercent;
    }

    /** How many calls a window must hold before shares are judged. */
    public int minimumCalls() {
        return minimumCalls;
    }

    /** The length of a time window in nanoseconds; 0 where calls are counted instead. */
    public long windowNanos() {
        return windowNanos;
    }

    /** The number of calls that the window holds; 0 where it is a time. */
    public int windowCalls() {
        return windowCalls;
    }

    /** An answer that took this long or longer is slow, in nanoseconds; {@link #NEVER_SLOW} until it is known. */
    public long slowCallNanos() {
        return slowCallNanos;
    }

    /** Whether that length was chosen, and does not follow the attempt timeout. */
    boolean isSlowCallChosen() {
        return slowCallChosen;
    }

    /** A share of failures and slow answers that reaches this opens, in percent; 0: not judged by that. */
    public int slowRatePercent() {
        return slowRatePercent;
    }

    /** How long it stays open, and how long the ramp after closing takes, in nanoseconds. */
    public long openPeriodNanos() {
        return openPeriodNanos;
    }

    /** How many trials run after the open period; all must succeed. */
    public int trials() {
        return trials;
    }

    /** How many endpoints a client remembers. */
    public int tableSize() {
        return tableSize;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BreakerSettings that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    private List<Object> values() {
        return List.of(
                none,
                consecutiveFailures,
                failureRatePercent,
                minimumCalls,
                windowNanos,
                windowCalls,
                slowCallChosen,
                slowCallNanos,
                slowRatePercent,
                openPeriodNanos,
                trials,
                tableSize);
    }

    /** The effective values. */
    @Override
    public String toString() {
        if (none) {
            return "no breaker, tableSize=" + tableSize;
        }
        return "breaker: consecutiveFailures=" + consecutiveFailures + ", failureRatePercent=" + failureRatePercent
                + ", minimumCalls=" + minimumCalls + ", window="
                + (windowCalls == 0 ? text(windowNanos) : windowCalls + " calls") + ", slowCall="
                + (slowCallNanos == NEVER_SLOW && !slowCallChosen ? "0.8 of the attempt timeout" : text(slowCallNanos))
                + ", slowRatePercent=" + slowRatePercent + ", openPeriod=" + text(openPeriodNanos) + ", trials="
                + trials + ", tableSize=" + tableSize;
    }

    private static String text(long nanos) {
        return DurationText.write(Duration.ofNanos(nanos));
    }

    /** Collects settings. Not thread-safe. */
    public static final class Builder {

        private int consecutiveFailures = 5;
        private int failureRatePercent = 50;
        private int minimumCalls = 20;
        private Duration timeWindow = Duration.ofSeconds(10);
        private int windowCalls;
        private boolean countWindow;
        private @Nullable Duration slowCall;
        private int slowRatePercent = 90;
        private Duration openPeriod = Duration.ofSeconds(5);
        private int trials = 1;
        private int tableSize = 10_000;

        private Builder() {}

        /** So many failures in a row open; 0: not judged by that. */
        public Builder consecutiveFailures(int failures) {
            consecutiveFailures = failures;
            return this;
        }

        /** A share of failures that reaches this opens; 0: not judged by that. */
        public Builder failureRatePercent(int percent) {
            failureRatePercent = percent;
            return this;
        }

        /** How many calls the window must hold before shares are judged. */
        public Builder minimumCalls(int calls) {
            minimumCalls = calls;
            return this;
        }

        /** Shares are those of the calls that ended within this time; it moves on by a tenth, rounded up to nanoseconds. */
        public Builder timeWindow(Duration length) {
            timeWindow = length;
            countWindow = false;
            return this;
        }

        /** Shares are those of so many calls that ended last. */
        public Builder countWindow(int calls) {
            windowCalls = calls;
            countWindow = true;
            return this;
        }

        /** An answer that took this long or longer is slow. */
        public Builder slowCall(Duration length) {
            slowCall = length;
            return this;
        }

        /** A share of failures and slow answers that reaches this opens; 0: not judged by that. */
        public Builder slowRatePercent(int percent) {
            slowRatePercent = percent;
            return this;
        }

        /** How long it stays open, and how long the ramp after closing takes. */
        public Builder openPeriod(Duration length) {
            openPeriod = length;
            return this;
        }

        /** How many trials run after the open period; all must succeed. */
        public Builder trials(int number) {
            trials = number;
            return this;
        }

        /** How many endpoints a client remembers. */
        public Builder tableSize(int entries) {
            tableSize = entries;
            return this;
        }

        /**
         * The settings.
         *
         * @throws PolicyException listing every fault
         */
        public BreakerSettings build() {
            List<PolicyFault> faults = new ArrayList<>();
            Check.range(0, MAX_CALLS).check("consecutiveFailures", consecutiveFailures, faults::add);
            Check.range(0, 100).check("failureRatePercent", failureRatePercent, faults::add);
            if (countWindow) {
                Check.range(1, MAX_CALLS).check("countWindow", windowCalls, faults::add);
            } else {
                checkLength(faults, "timeWindow", timeWindow, Duration.ofNanos(TIME_WINDOW_BUCKETS));
            }
            // A share that waits for more calls than the window holds would never be judged.
            int mostCalls = countWindow && windowCalls >= 1 ? Math.min(windowCalls, MAX_CALLS) : MAX_CALLS;
            Check.range(1, mostCalls).check("minimumCalls", minimumCalls, faults::add);
            if (slowCall != null) {
                checkLength(faults, "slowCall", slowCall, Duration.ofNanos(1));
            }
            Check.range(0, 100).check("slowRatePercent", slowRatePercent, faults::add);
            checkLength(faults, "openPeriod", openPeriod, Duration.ofNanos(1));
            Check.range(1, MAX_TRIALS).check("trials", trials, faults::add);
            Check.range(1, MAX_TABLE_SIZE).check("tableSize", tableSize, faults::add);
            if (!faults.isEmpty()) {
                throw new PolicyException(faults);
            }
            return new BreakerSettings(this, false);
        }

        private static void checkLength(List<PolicyFault> faults, String name, Duration length, Duration least) {
            String range = least + " to " + Check.LONGEST;
            if (length.isNegative()) {
                faults.add(new PolicyFault(PolicyFault.Kind.NEGATIVE_DURATION, name, length.toString(), range));
            } else if (length.compareTo(least) < 0 || length.compareTo(Check.LONGEST) > 0) {
                faults.add(new PolicyFault(PolicyFault.Kind.OUT_OF_RANGE, name, length.toString(), range));
            }
        }
    }
}
