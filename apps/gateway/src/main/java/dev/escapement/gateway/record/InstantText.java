package dev.escapement.gateway.record;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Instants as text, to the millisecond (RFC 3339): the second is formatted once for all that fall into it. Any thread.
 */
final class InstantText {

    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);

    private static final int MILLIS_PER_SECOND = 1_000;

    /** One second and its text. */
    private record Second(long number, String text) {}

    /** Written by whoever meets another second; a race costs a formatting. Volatile: what is read is whole. */
    private volatile Second last = new Second(Long.MIN_VALUE, "");

    String of(long epochMillis) {
        long number = Math.floorDiv(epochMillis, MILLIS_PER_SECOND);
        Second second = last;
        if (second.number() != number) {
            second = new Second(number, SECOND.format(Instant.ofEpochSecond(number)));
            last = second;
        }
        StringBuilder text = new StringBuilder(24).append(second.text());
        return Thousandths.append(text, Math.floorMod(epochMillis, MILLIS_PER_SECOND))
                .append('Z')
                .toString();
    }
}
