package dev.escapement.checker;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 250ms}, {@code 1.5s}, {@code 2m} and the like, or ISO-8601 as {@link Duration#parse} does; {@code 0} needs no unit. */
final class DurationConverter implements ITypeConverter<Duration> {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final Pattern SHORT = Pattern.compile("([0-9]{1,18})(?:\\.([0-9]{1,9}))?(ns|us|ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        try {
            Matcher matcher = SHORT.matcher(text);
            return matcher.matches() ? shortForm(matcher) : Duration.parse(text);
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new TypeConversionException(
                    Printable.shown(text) + " is not a duration: expected the like of 250ms, 1.5s, 2m or PT0.25S");
        }
    }

    /** Exact: a part of a nanosecond is refused, not rounded. */
    private static Duration shortForm(Matcher matcher) {
        String fraction = matcher.group(2);
        BigDecimal number = new BigDecimal(matcher.group(1) + (fraction == null ? "" : "." + fraction));
        long unitNanos = switch (matcher.group(3)) {
            case "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> NANOS_PER_SECOND;
            case "m" -> 60 * NANOS_PER_SECOND;
            case "h" -> 3_600 * NANOS_PER_SECOND;
            default -> throw new IllegalStateException("a unit that the pattern does not know");
        };
        BigDecimal[] seconds =
                number.multiply(BigDecimal.valueOf(unitNanos)).divideAndRemainder(BigDecimal.valueOf(NANOS_PER_SECOND));
        return Duration.ofSeconds(seconds[0].longValueExact(), seconds[1].longValueExact());
    }
}
