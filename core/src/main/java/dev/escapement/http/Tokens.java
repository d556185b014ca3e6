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
