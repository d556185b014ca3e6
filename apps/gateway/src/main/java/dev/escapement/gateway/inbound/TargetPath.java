package dev.escapement.gateway.inbound;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings paths into the one form that is matched, sent on and logged, so that nobody behind us reads another path than we did (RFC 3986
 * §6.2.2): escapes of unreserved characters decoded once, the rest in upper case, dot segments resolved, empty segments dropped.
 * Refuses what would have to be mended: bad escapes, NUL, a path that leaves its root, hidden separators.
 *
 * <p>Characters that URIs have only escaped, though browsers send them raw, are escaped. Pure functions.
 */
final class TargetPath {

    private static final String HEX = "0123456789ABCDEF";
    private static final String ENCODED_SLASH = "%2F";

    private TargetPath() {}

    /**
     * The path in its one form, or null if it is refused.
     *
     * @param raw begins with a slash
     * @param keepsSlash whether {@code %2F} is passed on
     */
    static @Nullable String normalised(String raw, boolean keepsSlash) {
        if (isNormal(raw)) {
            return raw;
        }
        String escaped = escaped(raw, true, keepsSlash);
        return escaped == null ? null : withoutDots(escaped);
    }

    /** The query with what must be escaped, or null if it holds what no query may. */
    static @Nullable String query(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (!isPlain(c) && c != '/' && c != '?') {
                return escaped(raw, false, true);
            }
        }
        return raw;
    }

    private static boolean isNormal(String raw) {
        char before = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (before == '/' ? c == '/' || c == '.' || !isPlain(c) : c != '/' && !isPlain(c)) {
                return false;
            }
            before = c;
        }
        return true;
    }

    /** What may stand in a segment as it is (RFC 3986 §3.3). */
    private static boolean isPlain(char c) {
        return isUnreserved(c) || "!$&'()*+,;=:@".indexOf(c) >= 0;
    }

    private static boolean isUnreserved(int c) {
        return Syntax.isLetter(c) || Syntax.isDigit(c) || c == '-' || c == '.' || c == '_' || c == '~';
    }

    private static @Nullable String escaped(String raw, boolean path, boolean keepsSlash) {
        StringBuilder out = new StringBuilder(raw.length() + 16);
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                int value = octet(raw, i);
                if (value < 0 || (path && !mayBeEscaped(value, keepsSlash))) {
                    return null;
                }
                if (path && isUnreserved(value)) {
                    out.append((char) value);
                } else {
                    escape(value, out);
                }
                i += 2;
            } else if (isPlain(c) || c == '/' || (!path && c == '?')) {
                out.append(c);
            } else if ("\"<>[]^`{|}".indexOf(c) >= 0 || (!path && c == '\\')) {
                escape(c, out);
            } else {
                return null;
            }
        }
        return out.toString();
    }

    /** The octet that is escaped there, or −1. */
    private static int octet(String raw, int at) {
        if (at + 2 >= raw.length()) {
            return -1;
        }
        int high = Syntax.hex(raw.charAt(at + 1));
        int low = Syntax.hex(raw.charAt(at + 2));
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static boolean mayBeEscaped(int octet, boolean keepsSlash) {
        return octet != 0 && octet != '\\' && (octet != '/' || keepsSlash);
    }

    private static void escape(int octet, StringBuilder out) {
        out.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 0xf));
    }

    private static @Nullable String withoutDots(String path) {
        List<String> segments = new ArrayList<>();
        int from = 1;
        boolean open = false;
        while (from <= path.length()) {
            int slash = path.indexOf('/', from);
            int to = slash < 0 ? path.length() : slash;
            String segment = path.substring(from, to);
            from = to + 1;
            // What ends in a slash, or in a dot segment, goes on to be a directory.
            open = segment.isEmpty() || segment.equals(".") || segment.equals("..");
            if (segment.equals("..")) {
                if (segments.isEmpty()) {
                    return null;
                }
                segments.remove(segments.size() - 1);
            } else if (!open) {
                if (hidesDots(segment)) {
                    return null;
                }
                segments.add(segment);
            }
        }
        StringBuilder out = new StringBuilder(path.length());
        for (String segment : segments) {
            out.append('/').append(segment);
        }
        return open || segments.isEmpty() ? out.append('/').toString() : out.toString();
    }

    /** Whether a reader that cuts parameters off, or decodes slashes, would see dots alone in the segment. */
    private static boolean hidesDots(String segment) {
        for (String part : segment.split(ENCODED_SLASH, -1)) {
            int parameter = part.indexOf(';');
            String name = parameter < 0 ? part : part.substring(0, parameter);
            if (name.equals(".") || name.equals("..")) {
                return true;
            }
        }
        return false;
    }
}
