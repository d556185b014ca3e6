package dev.escapement.gateway.inbound;

/** Which bytes and characters may stand where, in the messages of HTTP/1.1. Pure functions. */
final class Syntax {

    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (char c = '!'; c < 127; c++) {
            TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
        }
    }

    private Syntax() {}

    /** A character of a token (RFC 9110 §5.6.2). */
    static boolean isToken(int c) {
        return c >= 0 && c < TOKEN.length && TOKEN[c];
    }

    static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isToken(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** A control character other than a tab. */
    static boolean isControl(byte b) {
        return (b >= 0 && b < ' ' && b != '\t') || b == 0x7f;
    }

    static boolean isBlank(int c) {
        return c == ' ' || c == '\t';
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isLetter(int c) {
        int lower = c | 0x20;
        return lower >= 'a' && lower <= 'z';
    }

    /** The value of a hexadecimal digit, or −1. */
    static int hex(int c) {
        if (isDigit(c)) {
            return c - '0';
        }
        int lower = c | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }
}
