package dev.escapement.netty;

import dev.escapement.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Turns the bytes of one response head into a {@link ResponseHead}; a pure function of them.
 *
 * <p>Strict where leniency is how responses get smuggled (RFC 9112 §11.2): field lines as {@link FieldLines} has them, one
 * Content-Length of digits alone, no Content-Length beside Transfer-Encoding, no coding but a single {@code chunked}.
 * Lenient in one thing: the blank before an absent reason phrase may be missing.
 */
final class HeadParser {

    private static final int STATUS_END = "HTTP/1.1 200".length();
    private static final int MAX_LENGTH_DIGITS = 18;

    private HeadParser() {}

    /** The head in {@code bytes[0, length)}, which starts with {@code HTTP/1.}, ends with an empty line, and whose every LF follows a CR. */
    static ResponseHead parse(byte[] bytes, int length) {
        int lineEnd = FieldLines.endOfLine(bytes, 0);
        ResponseHead head = new ResponseHead();
        head.fault = statusLine(bytes, lineEnd, head);
        if (head.fault == null) {
            head.fault = fields(FieldLines.parse(bytes, lineEnd + 2, length), head);
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
        if (!FieldLines.isText(bytes, STATUS_END, end)) {
            return "a control character in the reason phrase";
        }
        head.status = status;
        head.persistentByDefault = minor >= 1;
        return null;
    }

    private static @Nullable String fields(FieldLines read, ResponseHead head) {
        String fault = read.fault;
        for (int i = 0; i < read.lines.length && fault == null; i += 2) {
            fault = noteField(read.lines[i], read.lines[i + 1], head);
        }
        if (fault == null) {
            head.headers = Headers.of(read.lines);
        }
        return fault;
    }

    /** Keeps what bears on framing and reuse. The length decides first: few names share one. */
    private static @Nullable String noteField(String name, String value, ResponseHead head) {
        switch (name.length()) {
            case 14 -> {
                if (name.equalsIgnoreCase("Content-Length")) {
                    if (head.contentLength != ResponseHead.NO_LENGTH) {
                        return "two Content-Length lines";
                    }
                    head.contentLength = number(value);
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
                    head.keepAliveSeconds = shorter(head.keepAliveSeconds, timeout(value));
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
        if (head.status == ResponseHead.RESET_CONTENT && head.contentLength > 0) {
            return "content in an answer that has none";
        }
        return head.status == 101 ? "a switch of protocols that nobody asked for" : null;
    }

    /** The number, or −1 for anything but 1 to 18 digits. */
    private static long number(String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH_DIGITS) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < value.length(); i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** Whether a comma-separated list holds the option, in any case (RFC 9110 §7.6.1). */
    private static boolean hasOption(String list, String option) {
        for (String item : list.split(",", -1)) {
            if (item.trim().equalsIgnoreCase(option)) {
                return true;
            }
        }
        return false;
    }

    /** The whole seconds of {@code timeout=n}, quoted or not, with blanks around the sign or none; or none. The shortest of several. */
    private static int timeout(String value) {
        int shortest = ResponseHead.NO_TIMEOUT;
        for (String item : value.split(",", -1)) {
            int equals = item.indexOf('=');
            if (equals >= 0 && item.substring(0, equals).trim().equalsIgnoreCase("timeout")) {
                shortest = shorter(
                        shortest, seconds(unquoted(item.substring(equals + 1).trim())));
            }
        }
        return shortest;
    }

    private static String unquoted(String text) {
        boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
        return quoted ? text.substring(1, text.length() - 1) : text;
    }

    private static int seconds(String text) {
        long seconds = number(text);
        return seconds < 0 || seconds > Integer.MAX_VALUE ? ResponseHead.NO_TIMEOUT : (int) seconds;
    }

    private static int shorter(int one, int other) {
        return one == ResponseHead.NO_TIMEOUT ? other : other == ResponseHead.NO_TIMEOUT ? one : Math.min(one, other);
    }
}
