package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/**
 * The field lines of a head or of trailers, read strictly (RFC 9112 §5): no blank before a colon, no folded lines, no control
 * characters. A pure function of the bytes; immutable.
 */
final class FieldLines {

    private static final String[] NONE = {};

    /** The token characters of RFC 9110 §5.6.2. */
    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (char c = '!'; c < 127; c++) {
            TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
        }
    }

    /** Why these are no field lines, or null. */
    final @Nullable String fault;

    /** Names and values in turn; empty after a fault. */
    final String[] lines;

    private FieldLines(@Nullable String fault, String[] lines) {
        this.fault = fault;
        this.lines = lines;
    }

    /** The lines in {@code bytes[start, end)}, the last of which is empty, and whose every LF follows a CR. */
    static FieldLines parse(byte[] bytes, int start, int end) {
        String[] lines = new String[2 * count(bytes, start, end)];
        int next = 0;
        for (int at = start; at < end - 2; ) {
            int lineEnd = endOfLine(bytes, at);
            int colon = endOfToken(bytes, at);
            if (colon == at || bytes[colon] != ':') {
                return new FieldLines("a field line that does not start with a name and a colon", NONE);
            }
            int from = colon + 1;
            int to = lineEnd;
            while (from < to && isBlank(bytes[from])) {
                from++;
            }
            while (to > from && isBlank(bytes[to - 1])) {
                to--;
            }
            if (!isText(bytes, from, to)) {
                return new FieldLines("a control character in a field value", NONE);
            }
            lines[next++] = new String(bytes, at, colon - at, ISO_8859_1);
            lines[next++] = new String(bytes, from, to - from, ISO_8859_1);
            at = lineEnd + 2;
        }
        return new FieldLines(null, lines);
    }

    private static int count(byte[] bytes, int start, int end) {
        int lines = -1; // the empty line at the end is none
        for (int i = start; i < end; i++) {
            lines += bytes[i] == '\n' ? 1 : 0;
        }
        return lines;
    }

    /** Where the CR of the line at hand is. */
    static int endOfLine(byte[] bytes, int at) {
        int i = at;
        while (bytes[i] != '\n') {
            i++;
        }
        return i - 1;
    }

    private static int endOfToken(byte[] bytes, int at) {
        int i = at;
        while (bytes[i] >= 0 && TOKEN[bytes[i]]) {
            i++;
        }
        return i;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** Whether there is no control character but tabs. */
    static boolean isText(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (isControl(bytes[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether this is a control character other than a tab. */
    static boolean isControl(byte b) {
        return (b >= 0 && b < ' ' && b != '\t') || b == 0x7f;
    }
}
