package dev.escapement.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 250ms}, {@code 1.5s}, {@code 2m}, or ISO-8601 as {@link Duration#parse} reads it.
 *
 * <p>Exact both ways: a part of a nanosecond is refused, not rounded. A bare number has no unit and is no duration, not even 0.
 * Pure.
 */
public final class DurationText {

    /** What {@link #read} takes, for messages. */
    public static final String EXAMPLES = "the like of 250ms, 1.5s, 2m or PT0.25S";

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int MAX_WHOLE_DIGITS = 18;
    private static final Pattern SHORT =
            Pattern.compile("([0-9]{1," + MAX_WHOLE_DIGITS + "})(?:\\.([0-9]{1,9}))?(ns|us|ms|s|m|h)");

    private record Unit(String name, long nanos) {}

    /** The largest first. */
    private static final List<Unit> UNITS = List.of(
            new Unit("h", 3_600 * NANOS_PER_SECOND),
            new Unit("m", 60 * NANOS_PER_SECOND),
            new Unit("s", NANOS_PER_SECOND),
            new Unit("ms", 1_000_000L),
            new Unit("us", 1_000L),
            new Unit("ns", 1L));

    private DurationText() {}

    /** The duration that the text says, negative ones in ISO-8601 only; empty if it says none, or one beyond {@link Duration}. */
    public static Optional<Duration> read(String text) {
        try {
            Matcher matcher = SHORT.matcher(text);
            return Optional.of(matcher.matches() ? shortForm(matcher) : Duration.parse(text));
        } catch (DateTimeParseException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Duration shortForm(Matcher matcher) {
        String fraction = matcher.group(2);
        BigDecimal number = new BigDecimal(matcher.group(1) + (fraction == null ? "" : "." + fraction));
        BigDecimal[] seconds = number.multiply(BigDecimal.valueOf(unitNanos(matcher.group(3))))
                .divideAndRemainder(BigDecimal.valueOf(NANOS_PER_SECOND));
        return Duration.ofSeconds(seconds[0].longValueExact(), seconds[1].longValueExact());
    }

    private static long unitNanos(String name) {
        return UNITS.stream()
                .filter(unit -> unit.name().equals(name))
                .findFirst()
                .orElseThrow()
                .nanos();
    }

    /** In the largest unit that gives a whole number, as {@link #read} takes it: {@code 0s}, {@code 90s}, {@code 2m}. */
    public static String write(Duration length) {
        BigDecimal nanos = BigDecimal.valueOf(length.getSeconds())
                .multiply(BigDecimal.valueOf(NANOS_PER_SECOND))
                .add(BigDecimal.valueOf(length.getNano()));
        if (nanos.signum() == 0) {
            return "0s";
        }
        for (Unit unit : UNITS) {
            BigDecimal[] count = nanos.divideAndRemainder(BigDecimal.valueOf(unit.nanos()));
            if (count[1].signum() == 0 && nanos.signum() > 0 && count[0].precision() <= MAX_WHOLE_DIGITS) {
                return count[0].toPlainString() + unit.name();
            }
        }
        return length.toString();
    }
}
