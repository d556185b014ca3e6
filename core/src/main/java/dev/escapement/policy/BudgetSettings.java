package dev.escapement.policy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How many retries a population of calls may afford (G1): a ratio of the calls started in a sliding window, and a floor for
 * those that are few.
 *
 * <p>An immutable value; a wrong one cannot be built, and what is wrong with it is said at once (P2). The ratio is kept as parts per
 * million, so that whoever computes with it needs integers only; a ratio that does not fit exactly is refused, not
 * rounded.
 */
public final class BudgetSettings {

    /** One, in the unit of {@link #ratioPartsPerMillion()}. */
    public static final int MILLION = 1_000_000;

    /** The shortest window: below it, a floor per second says little. */
    public static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);

    /** The longest window: traffic of more than a minute ago says nothing about what can be afforded now. */
    public static final Duration LONGEST_WINDOW = Duration.ofMinutes(1);

    private static final int RATIO_DECIMALS = 6;

    private static final BudgetSettings STANDARD =
            new BudgetSettings(false, 200_000, 3, Duration.ofSeconds(10).toNanos());
    private static final BudgetSettings NONE = new BudgetSettings(true, 0, 0, 0);

    private final boolean unlimited;
    private final int ratioPartsPerMillion;
    private final int floorPerSecond;
    private final long windowNanos;

    private BudgetSettings(boolean unlimited, int ratioPartsPerMillion, int floorPerSecond, long windowNanos) {
        this.unlimited = unlimited;
        this.ratioPartsPerMillion = ratioPartsPerMillion;
        this.floorPerSecond = floorPerSecond;
        this.windowNanos = windowNanos;
    }

    /** A gateway's (P7): a fifth of the calls started within 10 s, and 3 retries a second in any case. */
    public static BudgetSettings standard() {
        return STANDARD;
    }

    /** No budget: retries are bounded by their own number only. */
    public static BudgetSettings none() {
        return NONE;
    }

    /**
     * As {@link #of(BigDecimal, int, Duration)}, with the ratio taken as the decimal that prints it: {@code 0.15} is exactly 15 %.
     *
     * @throws PolicyException listing every fault
     */
    public static BudgetSettings of(double ratio, int floorPerSecond, Duration window) {
        boolean decimal = Double.isFinite(ratio);
        return of(decimal ? BigDecimal.valueOf(ratio) : null, Double.toString(ratio), floorPerSecond, window);
    }

    /**
     * A budget.
     *
     * @param ratio retries per call, 0 to 1 with at most six decimals
     * @param floorPerSecond retries per second that need no calls, 0 or more; 0 and a ratio of 0 forbid every retry
     * @param window how far back calls and retries count, in whole milliseconds, {@link #SHORTEST_WINDOW} to
     *     {@link #LONGEST_WINDOW}
     * @throws PolicyException listing every fault
     */
    public static BudgetSettings of(BigDecimal ratio, int floorPerSecond, Duration window) {
        return of(ratio, ratio.toString(), floorPerSecond, window);
    }

    /** @param ratio null where it is no decimal number */
    private static BudgetSettings of(@Nullable BigDecimal ratio, String given, int floorPerSecond, Duration window) {
        List<PolicyFault> faults = new ArrayList<>();
        if (ratio == null
                || ratio.signum() < 0
                || ratio.compareTo(BigDecimal.ONE) > 0
                || ratio.stripTrailingZeros().scale() > RATIO_DECIMALS) {
            faults.add(fault("budget.ratio", given, "0 to 1 with at most " + RATIO_DECIMALS + " decimals"));
        }
        if (floorPerSecond < 0) {
            faults.add(fault("budget.floorPerSecond", Integer.toString(floorPerSecond), "0 or more"));
        }
        if (window.compareTo(SHORTEST_WINDOW) < 0
                || window.compareTo(LONGEST_WINDOW) > 0
                || !window.equals(window.truncatedTo(ChronoUnit.MILLIS))) {
            faults.add(fault(
                    "budget.window",
                    window.toString(),
                    "whole milliseconds, " + SHORTEST_WINDOW + " to " + LONGEST_WINDOW));
        }
        if (ratio == null || !faults.isEmpty()) {
            throw new PolicyException(faults);
        }
        int partsPerMillion = ratio.movePointRight(RATIO_DECIMALS).intValueExact();
        return new BudgetSettings(false, partsPerMillion, floorPerSecond, window.toNanos());
    }

    private static PolicyFault fault(String parameter, String value, String range) {
        return new PolicyFault(PolicyFault.Kind.OUT_OF_RANGE, parameter, value, range);
    }

    /** Whether this is {@link #none()}; the other settings are 0 then and mean nothing. */
    public boolean unlimited() {
        return unlimited;
    }

    /** Retries per million calls. */
    public int ratioPartsPerMillion() {
        return ratioPartsPerMillion;
    }

    /** Retries per second that need no calls. */
    public int floorPerSecond() {
        return floorPerSecond;
    }

    /** How far back calls and retries count; a multiple of a million nanoseconds. */
    public long windowNanos() {
        return windowNanos;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BudgetSettings that
                && unlimited == that.unlimited
                && ratioPartsPerMillion == that.ratioPartsPerMillion
                && floorPerSecond == that.floorPerSecond
                && windowNanos == that.windowNanos;
    }

    @Override
    public int hashCode() {
        return Objects.hash(unlimited, ratioPartsPerMillion, floorPerSecond, windowNanos);
    }

    @Override
    public String toString() {
        return unlimited
                ? "no budget"
                : "budget of " + ratio() + " of the calls in " + Duration.ofNanos(windowNanos) + ", at least "
                        + floorPerSecond + "/s";
    }

    private String ratio() {
        BigDecimal exact = BigDecimal.valueOf(ratioPartsPerMillion, RATIO_DECIMALS);
        return exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toPlainString();
    }
}
