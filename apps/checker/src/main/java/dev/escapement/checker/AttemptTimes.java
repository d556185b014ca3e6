package dev.escapement.checker;

import dev.escapement.measure.LatencyHistogram;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * How long attempts took, those that were answered and those that were given up after the whole attempt timeout ({@link Tally}),
 * and the attempt timeout that follows from it. Immutable; nanoseconds.
 *
 * @param answered attempts that were answered, timed or not
 * @param timed attempts whose time is known: of reports in full detail
 * @param p50 up to a thirty-second above the true one, as the other two; empty where nothing was timed
 * @param max exact
 * @param suggestedTimeout the 99th percentile and a quarter of it, rounded up to two digits; empty where fewer than
 *     {@link #FEWEST_ANSWERED} attempts were answered, or nothing was timed
 */
record AttemptTimes(
        long answered,
        long timed,
        OptionalLong p50,
        OptionalLong p90,
        OptionalLong p99,
        OptionalLong max,
        OptionalLong suggestedTimeout) {

    /** Of fewer, the slowest says nothing about the next. */
    static final long FEWEST_ANSWERED = 20;

    private static final BigDecimal AND_A_QUARTER = new BigDecimal("1.25");
    private static final MathContext TWO_DIGITS_UP = new MathContext(2, RoundingMode.CEILING);

    static AttemptTimes of(long answered, LatencyHistogram times, long longestNanos) {
        long timed = times.count();
        OptionalLong p99 = percentile(99, times, longestNanos);
        return new AttemptTimes(
                answered,
                timed,
                percentile(50, times, longestNanos),
                percentile(90, times, longestNanos),
                p99,
                timed == 0 ? OptionalLong.empty() : OptionalLong.of(longestNanos),
                answered < FEWEST_ANSWERED || p99.isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(suggested(p99.getAsLong())));
    }

    /** The histogram's answer, which its error must not lift above the longest. */
    private static OptionalLong percentile(double percent, LatencyHistogram times, long longestNanos) {
        OptionalLong nanos = times.percentile(percent);
        return nanos.isEmpty() ? nanos : OptionalLong.of(Math.min(nanos.getAsLong(), longestNanos));
    }

    private static long suggested(long p99Nanos) {
        BigDecimal nanos = BigDecimal.valueOf(p99Nanos).multiply(AND_A_QUARTER).round(TWO_DIGITS_UP);
        return nanos.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
    }
}
