package dev.escapement.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code Retry-After}: delta-seconds, {@code 1*DIGIT} in ASCII, and where dates are wanted an HTTP-date as well (R4,
 * RFC 9110 §10.2.3).
 *
 * <p>Anything else, such as nothing, a sign, a decimal, a blank anywhere, a value above 2^64 − 1 or more than one line, is
 * {@link #NONE}: the computed backoff stands. What no nanosecond {@code long} can hold is {@link #BEYOND}: it lies past every
 * deadline. Pure but for the wall clock, which is read only where the value may be a date; allocates nothing when the header is absent.
 */
public final class RetryAfter {

    /** No usable hint. */
    public static final long NONE = -1L;

    /** A hint longer than any deadline. */
    public static final long BEYOND = Long.MAX_VALUE;

    private static final String NAME = "Retry-After";
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final String MAX_SECONDS = "18446744073709551615";

    private RetryAfter() {}

    /** The hint in nanoseconds, {@link #BEYOND}, or {@link #NONE}; a date is no hint. */
    public static long nanos(Headers headers) {
        if (!headers.contains(NAME)) {
            return NONE;
        }
        List<String> lines = headers.all(NAME);
        return lines.size() == 1 ? nanos(lines.get(0)) : NONE;
    }

    /**
     * The same where a date is a hint: how far it lies ahead of the wall clock, exactly; 0 if it lies in the past.
     *
     * @param wallClock read once, if the value is neither absent nor seconds
     */
    public static long nanos(Headers headers, InstantSource wallClock) {
        long nanos = nanos(headers);
        if (nanos != NONE || !headers.contains(NAME)) {
            return nanos;
        }
        List<String> lines = headers.all(NAME);
        return lines.size() == 1 ? nanosUntil(lines.get(0), wallClock.instant()) : NONE;
    }

    private static long nanosUntil(String date, Instant now) {
        Optional<Instant> instant = HttpDate.read(date, now);
        if (instant.isEmpty()) {
            return NONE;
        }
        Duration ahead = Duration.between(now, instant.get());
        if (ahead.isNegative()) {
            return 0;
        }
        return ahead.compareTo(LONGEST) > 0 ? BEYOND : ahead.toNanos();
    }

    /** The hint of one field value, as {@link #nanos(Headers)} reads it. */
    public static long nanos(String value) {
        if (value.isEmpty()) {
            return NONE;
        }
        int firstDigit = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < '0' || c > '9') {
                return NONE;
            }
            if (c == '0' && firstDigit == i) {
                firstDigit++;
            }
        }
        int digits = value.length() - firstDigit;
        if (digits > MAX_SECONDS.length()
                || (digits == MAX_SECONDS.length()
                        && value.substring(firstDigit).compareTo(MAX_SECONDS) > 0)) {
            return NONE;
        }
        long seconds = 0;
        for (int i = firstDigit; i < value.length(); i++) {
            seconds = seconds * 10 + (value.charAt(i) - '0');
            if (seconds > Long.MAX_VALUE / NANOS_PER_SECOND) {
                return BEYOND;
            }
        }
        return seconds * NANOS_PER_SECOND;
    }
}
