package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/**
 * The first line of a request (RFC 9112 §3): method, one blank, target, one blank, version. A pure function of its bytes; immutable.
 */
final class RequestLine {

    /** No method that anybody registered is as long. */
    static final int MAX_METHOD_LENGTH = 32;

    private static final byte[] VERSION = "HTTP/1.1".getBytes(ISO_8859_1);
    private static final String[] METHODS = {"GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"};

    /** Nothing was understood. */
    static final RequestLine UNKNOWN = new RequestLine(null, "-", "-", 1);

    final @Nullable Refusal refusal;
    final String method;
    final String target;
    final int minorVersion;

    private RequestLine(@Nullable Refusal refusal, String method, String target, int minorVersion) {
        this.refusal = refusal;
        this.method = method;
        this.target = target;
        this.minorVersion = minorVersion;
    }

    /** The line in {@code bytes[from, to)}, which has no control characters but tabs. */
    static RequestLine parse(byte[] bytes, int from, int to) {
        int methodEnd = endOfToken(bytes, from, to);
        if (methodEnd == from || methodEnd == to || bytes[methodEnd] != ' ') {
            return refused(methodEnd < to && !Syntax.isBlank(bytes[methodEnd]) ? Refusal.METHOD : Refusal.REQUEST_LINE);
        }
        String method = method(bytes, from, methodEnd);
        int targetEnd = endOfWord(bytes, methodEnd + 1, to);
        String target = new String(bytes, methodEnd + 1, targetEnd - methodEnd - 1, ISO_8859_1);
        if (target.isEmpty() || targetEnd == to || bytes[targetEnd] != ' ' || !isVersion(bytes, targetEnd + 1, to)) {
            return new RequestLine(Refusal.REQUEST_LINE, method, target.isEmpty() ? "-" : target, 1);
        }
        int minor = Math.min(1, bytes[to - 1] - '0');
        Refusal refusal = bytes[to - 3] != '1' ? Refusal.VERSION : refusal(method);
        return new RequestLine(refusal, method, target, minor);
    }

    /** As much as is understood of a line that is too long, or has not ended. */
    static RequestLine unfinished(byte[] bytes, int from, int to) {
        int methodEnd = endOfToken(bytes, from, to);
        if (methodEnd == from || methodEnd == to || bytes[methodEnd] != ' ') {
            return UNKNOWN;
        }
        String target =
                new String(bytes, methodEnd + 1, endOfWord(bytes, methodEnd + 1, to) - methodEnd - 1, ISO_8859_1);
        return new RequestLine(null, method(bytes, from, methodEnd), target.isEmpty() ? "-" : target, 1);
    }

    private static RequestLine refused(Refusal refusal) {
        return new RequestLine(refusal, "-", "-", 1);
    }

    /** A tunnel is nothing that is offered here (RFC 9110 §9.3.6), and what nobody has registered is unknown (§9.1). */
    private static @Nullable Refusal refusal(String method) {
        return method.length() > MAX_METHOD_LENGTH || method.equals("CONNECT") ? Refusal.METHOD_UNKNOWN : null;
    }

    private static String method(byte[] bytes, int from, int to) {
        for (String known : METHODS) {
            if (known.length() == to - from && isAt(known, bytes, from)) {
                return known;
            }
        }
        return new String(bytes, from, to - from, ISO_8859_1);
    }

    private static boolean isAt(String text, byte[] bytes, int from) {
        for (int i = 0; i < text.length(); i++) {
            if (bytes[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int endOfToken(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && Syntax.isToken(bytes[i])) {
            i++;
        }
        return i;
    }

    private static int endOfWord(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && !Syntax.isBlank(bytes[i]) && bytes[i] != '\r') {
            i++;
        }
        return i;
    }

    /** {@code HTTP/} and two digits with a point between them (RFC 9112 §2.3). */
    private static boolean isVersion(byte[] bytes, int from, int to) {
        if (to - from != VERSION.length) {
            return false;
        }
        for (int i = 0; i < VERSION.length; i++) {
            byte b = bytes[from + i];
            if (Syntax.isDigit(VERSION[i]) ? !Syntax.isDigit(b) : b != VERSION[i]) {
                return false;
            }
        }
        return true;
    }
}
