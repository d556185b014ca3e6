package dev.escapement.http;

/** The character rules of RFC 9110 §5.6.2 (token) and §5.5 (field value), and how an offending text is shown. */
final class Tokens {

    private static final int SHOWN = 64;

    private Tokens() {}

    static boolean isToken(String text) {
        if (text.isEmpty()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (!isTokenChar(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isTokenChar(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }

    /** Visible ASCII, blank, tab and obs-text inside; no blank or tab at either end; nothing that ends a line. */
    static boolean isFieldValue(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            boolean blank = c == ' ' || c == '\t';
            if (blank ? i == 0 || i == length - 1 : c < 0x21 || c == 0x7f || c > 0xff) {
                return false;
            }
        }
        return true;
    }

    /** A host as it stands in {@code Host}: a registered name, an IPv4 address or an IPv6 literal, and a port if any (RFC 3986 §3.2.2). */
    static boolean isHost(String text) {
        int colon;
        if (text.startsWith("[")) {
            int close = text.indexOf(']');
            if (close < 3 || !consistsOf(text, 1, close, "0123456789abcdefABCDEF:.")) {
                return false;
            }
            colon = close + 1;
        } else {
            colon = text.indexOf(':') < 0 ? text.length() : text.indexOf(':');
            if (colon == 0 || !isRegisteredName(text, colon)) {
                return false;
            }
        }
        return colon == text.length() || (text.charAt(colon) == ':' && isPort(text, colon + 1));
    }

    private static boolean isRegisteredName(String text, int end) {
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean escape = c == '%' && i + 2 < end && isHex(text.charAt(i + 1)) && isHex(text.charAt(i + 2));
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "-._~!$&'()*+,;=".indexOf(c) >= 0;
            if (!escape && !plain) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHex(char c) {
        return Character.digit(c, 16) >= 0 && c < 0x80;
    }

    private static boolean isPort(String text, int from) {
        int digits = text.length() - from;
        if (digits < 1 || digits > 5 || !consistsOf(text, from, text.length(), "0123456789")) {
            return false;
        }
        int port = Integer.parseInt(text, from, text.length(), 10);
        return port > 0 && port <= 65_535;
    }

    private static boolean consistsOf(String text, int from, int end, String allowed) {
        for (int i = from; i < end; i++) {
            if (allowed.indexOf(text.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The text in quotes, with control and non-ASCII characters escaped and a bound on its length. */
    static String shown(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), SHOWN); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append(text.length() > SHOWN ? "…\"" : "\"").toString();
    }
}
