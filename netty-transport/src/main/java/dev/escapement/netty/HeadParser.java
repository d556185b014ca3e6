package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Turns the bytes of one response head into a {@link ResponseHead}; a pure function of them.
 *
 * <p>Strict where leniency is how responses get smuggled (RFC 9112 §11.2): no blank before a colon, no folded lines, no
 * control characters, one Content-Length of digits alone, no Content-Length beside Transfer-Encoding, no coding but a single
 * {@code chunked}. Lenient in one thing: the blank before an absent reason phrase may be missing.
 */
final class HeadParser {

    private static final int STATUS_END = "HTTP/1.1 200".length();
    private static final int MAX_LENGTH_DIGITS = 18;

    /** The token characters of RFC 9110 §5.6.2. */
    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (char c = '!'; c < 127; c++) {
            TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
        }
    }

    private HeadParser() {}

    /** The head in {@code bytes[0, length)}, which starts with {@code HTTP/1.}, ends with an empty line, and whose every LF follows a CR. */
    static ResponseHead parse(byte[] bytes, int length) {
        int lineEnd = endOfLine(bytes, 0);
        ResponseHead head = new ResponseHead();
        head.fault = statusLine(bytes, lineEnd, head);
        if (head.fault == null) {
            head.fault = fields(bytes, lineEnd + 2, length, head);
        }
        if (head.fault == null) {
            head.fault = framing(head);
        }
        return head;
    }

    private static @Nullable String statusLine(byte[] bytes, int end, ResponseHead head) {
        if (end < STATUS_END) {
            return "a status line of " + end + " bytes";
        }
        int minor = bytes[7] - '0';
        if (minor < 0 || minor > 9 || bytes[8] != ' ') {
            return "a status line without a version of HTTP/1";
        }
        int status = 0;
        for (int i = 9; i < STATUS_END; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return "a status that is not three digits";
            }
            status = status * 10 + digit;
        }
        if (status < 100 || (end > STATUS_END && bytes[STATUS_END] != ' ')) {
            return "a status outside 100 to 999";
        }
        if (!isText(bytes, STATUS_END, end)) {
            return "a control character in the reason phrase";
        }
        head.status = status;
        head.persistentByDefault = minor >= 1;
        return null;
    }

    private static @Nullable String fields(byte[] bytes, int start, int length, ResponseHead head) {
        String[] lines = new String[2 * count(bytes, start, length)];
        int next = 0;
        for (int at = start; at < length - 2; ) {
            int end = endOfLine(bytes, at);
            int colon = endOfToken(bytes, at);
            if (colon == at || bytes[colon] != ':') {
                return "a header line that does not start with a name and a colon";
            }
            int from = colon + 1;
            int to = end;
            while (from < to && isBlank(bytes[from])) {
                from++;
            }
            while (to > from && isBlank(bytes[to - 1])) {
                to--;
            }
            if (!isText(bytes, from, to)) {
                return "a control character in a header value";
            }
            String name = new String(bytes, at, colon - at, ISO_8859_1);
            String value = new String(bytes, from, to - from, ISO_8859_1);
            lines[next++] = name;
            lines[next++] = value;
            String fault = noteField(name, value, head);
            if (fault != null) {
                return fault;
            }
            at = end + 2;
        }
        head.headers = Headers.of(lines);
        return null;
    }

    /** Keeps what bears on framing and reuse. The length decides first: few names share one. */
    private static @Nullable String noteField(String name, String value, ResponseHead head) {
        switch (name.length()) {
            case 14 -> {
                if (name.equalsIgnoreCase("Content-Length")) {
                    if (head.contentLength != ResponseHead.NO_LENGTH) {
                        return "two Content-Length lines";
                    }
                    head.contentLength = length(value);
                    return head.contentLength < 0 ? "a Content-Length that is no length" : null;
                }
            }
            case 17 -> {
                if (name.equalsIgnoreCase("Transfer-Encoding")) {
                    if (head.chunked || !value.equalsIgnoreCase("chunked")) {
                        return "a Transfer-Encoding other than chunked";
                    }
                    head.chunked = true;
                }
            }
            case 10 -> {
                if (name.equalsIgnoreCase("Connection")) {
                    head.closeAsked |= hasOption(value, "close");
                    head.keepAliveSaid |= hasOption(value, "keep-alive");
                } else if (name.equalsIgnoreCase("Keep-Alive")) {
                    head.keepAliveSeconds = timeout(value);
                }
            }
            default -> {}
        }
        return null;
    }

    private static @Nullable String framing(ResponseHead head) {
        if (head.chunked && head.contentLength != ResponseHead.NO_LENGTH) {
            return "both Content-Length and Transfer-Encoding";
        }
        if (head.chunked && !head.persistentByDefault) {
            return "Transfer-Encoding in a message of HTTP/1.0";
        }
        return head.status == 101 ? "a switch of protocols that nobody asked for" : null;
    }

    /** The number, or −1 for anything but 1 to 18 digits. */
    private static long length(String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH_DIGITS) {
            return -1;
        }
        long length = 0;
        for (int i = 0; i < value.length(); i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            length = length * 10 + digit;
        }
        return length;
    }

    /** Whether a comma-separated list holds the option, in any case. */
    private static boolean hasOption(String list, String option) {
        for (String item : list.split(",", -1)) {
            if (item.trim().equalsIgnoreCase(option)) {
                return true;
            }
        }
        return false;
    }

    /** The whole seconds of {@code timeout=n}, or none. */
    private static int timeout(String value) {
        for (String item : value.split(",", -1)) {
            String parameter = item.trim();
            if (parameter.regionMatches(true, 0, "timeout=", 0, 8)) {
                long seconds = length(parameter.substring(8));
                return seconds < 0 || seconds > Integer.MAX_VALUE ? ResponseHead.NO_TIMEOUT : (int) seconds;
            }
        }
        return ResponseHead.NO_TIMEOUT;
    }

    private static int count(byte[] bytes, int start, int length) {
        int lines = -1; // the empty line at the end is none
        for (int i = start; i < length; i++) {
            lines += bytes[i] == '\n' ? 1 : 0;
        }
        return lines;
    }

    private static int endOfLine(byte[] bytes, int at) {
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

    private static boolean isText(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if ((b >= 0 && b < ' ' && b != '\t') || b == 0x7f) {
                return false;
            }
        }
        return true;
    }
}
