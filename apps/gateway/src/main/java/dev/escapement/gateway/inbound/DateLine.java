package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The line {@code Date}, made once a second (RFC 9110 §6.6.1). Any thread. */
final class DateLine {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private static final long MILLIS = 1000;

    /** Immutable; whoever finds it old makes the next, and it does no harm if two do. */
    private volatile Made made = new Made(-1, new byte[0]);

    private static final class Made {

        final long second;
        final byte[] line;

        Made(long second, byte[] line) {
            this.second = second;
            this.line = line;
        }
    }

    /** With its line end; not to be changed. */
    byte[] bytes() {
        long second = System.currentTimeMillis() / MILLIS;
        Made last = made;
        if (last.second != second) {
            String line = "Date: " + FORMAT.format(Instant.ofEpochSecond(second)) + "\r\n";
            last = new Made(second, line.getBytes(ISO_8859_1));
            made = last;
        }
        return last.line;
    }
}
