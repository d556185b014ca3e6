package dev.escapement.policy;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A breaker in a flat map: each of its settings under a key of its own, or one that says that there is none. What no length was
 * chosen for is not written, and follows the attempt timeout.
 */
final class BreakerText implements SettingText<BreakerSettings> {

    private static final String CONSECUTIVE_FAILURES = "-consecutive-failures";
    private static final String FAILURE_RATE_PERCENT = "-failure-rate-percent";
    private static final String MINIMUM_CALLS = "-minimum-calls";
    private static final String TIME_WINDOW = "-time-window";
    private static final String COUNT_WINDOW = "-count-window";
    private static final String SLOW_CALL = "-slow-call";
    private static final String SLOW_RATE_PERCENT = "-slow-rate-percent";
    private static final String OPEN_PERIOD = "-open-period";
    private static final String TRIALS = "-trials";
    private static final String TABLE_SIZE = "-table-size";

    @Override
    public Optional<BreakerSettings> read(String key, MapReader from) {
        if (from.saysNone(key)) {
            return Optional.of(BreakerSettings.none());
        }
        BreakerSettings.Builder breaker = BreakerSettings.builder();
        from.take(key + CONSECUTIVE_FAILURES, Notation.COUNT).ifPresent(breaker::consecutiveFailures);
        from.take(key + FAILURE_RATE_PERCENT, Notation.COUNT).ifPresent(breaker::failureRatePercent);
        from.take(key + MINIMUM_CALLS, Notation.COUNT).ifPresent(breaker::minimumCalls);
        from.take(key + TIME_WINDOW, Notation.DURATION).ifPresent(breaker::timeWindow);
        from.take(key + COUNT_WINDOW, Notation.COUNT).ifPresent(breaker::countWindow);
        if (from.has(key + TIME_WINDOW) && from.has(key + COUNT_WINDOW)) {
            from.unreadable(key + COUNT_WINDOW, "no " + key + TIME_WINDOW + " beside it");
        }
        from.take(key + SLOW_CALL, Notation.DURATION).ifPresent(breaker::slowCall);
        from.take(key + SLOW_RATE_PERCENT, Notation.COUNT).ifPresent(breaker::slowRatePercent);
        from.take(key + OPEN_PERIOD, Notation.DURATION).ifPresent(breaker::openPeriod);
        from.take(key + TRIALS, Notation.COUNT).ifPresent(breaker::trials);
        from.take(key + TABLE_SIZE, Notation.COUNT).ifPresent(breaker::tableSize);
        try {
            return Optional.of(breaker.build());
        } catch (PolicyException refusal) {
            refusal.faults().forEach(fault -> from.fault(fault.renamed(key + "-" + kebab(fault.parameter()))));
            return Optional.empty();
        }
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    @Override
    public void write(String key, BreakerSettings value, Map<String, String> to) {
        if (value.isNone()) {
            to.put(key, Notation.NONE);
            return;
        }
        to.put(key + CONSECUTIVE_FAILURES, count(value.consecutiveFailures()));
        to.put(key + FAILURE_RATE_PERCENT, count(value.failureRatePercent()));
        to.put(key + MINIMUM_CALLS, count(value.minimumCalls()));
        if (value.windowCalls() > 0) {
            to.put(key + COUNT_WINDOW, count(value.windowCalls()));
        } else {
            to.put(key + TIME_WINDOW, length(value.windowNanos()));
        }
        if (value.isSlowCallChosen()) {
            to.put(key + SLOW_CALL, length(value.slowCallNanos()));
        }
        to.put(key + SLOW_RATE_PERCENT, count(value.slowRatePercent()));
        to.put(key + OPEN_PERIOD, length(value.openPeriodNanos()));
        to.put(key + TRIALS, count(value.trials()));
        to.put(key + TABLE_SIZE, count(value.tableSize()));
    }

    private static String count(int value) {
        return Notation.COUNT.write(value);
    }

    private static String length(long nanos) {
        return Notation.DURATION.write(Duration.ofNanos(nanos));
    }
}
