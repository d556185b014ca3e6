package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/**
 * One field line (RFC 9112 §5): a token, a colon right behind it, and a value without the blanks around it. A line that continues the
 * one before it is none. Immutable.
 */
record FieldLine(String name, String value) {

    /** The line in {@code bytes[from, to)}, which holds no control characters but tabs; null if it is none. */
    static @Nullable FieldLine parse(byte[] bytes, int from, int to) {
        int colon = from;
        while (colon < to && Syntax.isToken(bytes[colon])) {
            colon++;
        }
        if (colon == from || colon == to || bytes[colon] != ':') {
            return null;
        }
        int start = colon + 1;
        int end = to;
        while (start < end && Syntax.isBlank(bytes[start])) {
            start++;
        }
        while (end > start && Syntax.isBlank(bytes[end - 1])) {
            end--;
        }
        return new FieldLine(FieldNames.of(bytes, from, colon), new String(bytes, start, end - start, ISO_8859_1));
    }
}
