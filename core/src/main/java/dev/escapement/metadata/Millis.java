package dev.escapement.metadata;

import java.util.OptionalLong;

/** A time as a whole number of milliseconds, rounded down. Pure. */
final class Millis {

    static final long NANOS = 1_000_000;

    /** More digits than these are not read, so that no more are written. Four months. */
    private static final int MAX_DIGITS = 10;

    private static final long MAX = 9_999_999_999L;

    private Millis() {}

    static String write(long nanos) {
        return Long.toString(Math.min(nanos / NANOS, MAX));
    }

    static OptionalLong read(Reading in, String name) {
        String value = in.only(name);
        long millis = value == null ? Reading.NONE : in.digits(name, value, value.length(), MAX_DIGITS);
        return millis == Reading.NONE ? OptionalLong.empty() : OptionalLong.of(millis * NANOS);
    }
}
