package dev.escapement.http;

import java.util.List;

/**
 * Reads {@code Retry-After} as delta-seconds: {@code 1*DIGIT} in ASCII and nothing else (R4, RFC 9110 §10.2.3).
 *
 * <p>Empty, a sign, a decimal, a blank anywhere, a value above 2^64 − 1 or more than one line is {@link #NONE}: the computed
 * backoff stands. A legal number of seconds that no nanosecond {@code long} can hold is {@link #BEYOND}: it lies past every deadline. Pure; allocates nothing
 * when the header is absent.
 */
public final class RetryAfter {

    /** No usable hint. */
    public static final long NONE = -1L;

    /** A hint longer than any deadline. */
    public static final long BEYOND = Long.MAX_VALUE;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final String MAX_SECONDS = "18446744073709551615";

    private RetryAfter() {}

    /** The hint in nanoseconds, {@link #BEYOND}, or {@link #NONE}. */
    public static long nanos(Headers headers) {
        if (!headers.contains("Retry-After")) {
            return NONE;
        }
        List<String> lines = headers.all("Retry-After");
        return lines.size() == 1 ? nanos(lines.get(0)) : NONE;
    }

    /** The same for one field value. */
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
