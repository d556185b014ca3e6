package dev.escapement.gateway.inbound;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one head as they come in, and what they say of framing, host, connection and expectation. What two readers could
 * understand in two ways is refused at its line. Filled by one head's reader, then read.
 */
final class HeadFields {

    private static final long NONE = -2;

    /** More digits than this may not fit a long. */
    private static final int MAX_LENGTH_DIGITS = 18;

    private final int maxFields;
    private final boolean isHttp10;

    private String[] lines = new String[24];
    private int used;
    private int fields;

    private long contentLength = NONE;
    private boolean chunked;
    private final ConnectionOptions options = new ConnectionOptions();
    private @Nullable Authority host;
    private boolean takesTrailers;
    private boolean expectsContinue;

    HeadFields(int maxFields, boolean isHttp10) {
        this.maxFields = maxFields;
        this.isHttp10 = isHttp10;
    }

    /** Adds the line in {@code bytes[from, to)}, or says why it is refused. */
    @Nullable
    Refusal add(byte[] bytes, int from, int to) {
        FieldLine line = FieldLine.parse(bytes, from, to);
        if (line == null) {
            return Refusal.FIELD;
        }
        fields++;
        if (fields > maxFields) {
            return Refusal.TOO_MANY_FIELDS;
        }
        Refusal refusal = note(line.name(), line.value());
        if (refusal == null && !frames(line.name())) {
            keep(line);
        }
        return refusal;
    }

    private void keep(FieldLine line) {
        if (used == lines.length) {
            lines = Arrays.copyOf(lines, 2 * used);
        }
        lines[used++] = line.name();
        lines[used++] = line.value();
    }

    private static boolean frames(String name) {
        return name.equalsIgnoreCase("Content-Length") || name.equalsIgnoreCase("Transfer-Encoding");
    }

    /** The length decides first: few names share one. */
    private @Nullable Refusal note(String name, String value) {
        return switch (name.length()) {
            case 2 -> name.equalsIgnoreCase("TE") ? takesTrailers(value) : null;
            case 4 -> name.equalsIgnoreCase("Host") ? host(value) : null;
            case 6 -> name.equalsIgnoreCase("Expect") ? expectation(value) : null;
            case 10 -> name.equalsIgnoreCase("Connection") && !options.add(value) ? Refusal.CONNECTION : null;
            case 14 -> name.equalsIgnoreCase("Content-Length") ? contentLength(value) : null;
            case 17 -> name.equalsIgnoreCase("Transfer-Encoding") ? transferEncoding(value) : null;
            case 18 -> hasPhantomBody(name) ? Refusal.PHANTOM_BODY : null;
            default -> null;
        };
    }

    /** Keys of a draft of WebSockets: some readers take eight bytes behind such a head for its body. */
    private static boolean hasPhantomBody(String name) {
        return name.equalsIgnoreCase("Sec-WebSocket-Key1") || name.equalsIgnoreCase("Sec-WebSocket-Key2");
    }

    private @Nullable Refusal takesTrailers(String value) {
        for (String member : value.split(",", -1)) {
            takesTrailers |= member.trim().equalsIgnoreCase("trailers");
        }
        return null;
    }

    private @Nullable Refusal host(String value) {
        Authority named = host == null ? Authority.parse(value) : null;
        host = named;
        return named == null ? Refusal.HOST : null;
    }

    private @Nullable Refusal expectation(String value) {
        if (isHttp10) {
            return null;
        }
        expectsContinue = true;
        return value.equalsIgnoreCase("100-continue") ? null : Refusal.EXPECTATION;
    }

    /** One line of digits alone: a list, even of equals, is read in more than one way (RFC 9112 §6.3). */
    private @Nullable Refusal contentLength(String value) {
        if (contentLength != NONE || value.isEmpty() || value.length() > MAX_LENGTH_DIGITS) {
            return Refusal.CONTENT_LENGTH;
        }
        long length = 0;
        for (int i = 0; i < value.length(); i++) {
            char digit = value.charAt(i);
            if (!Syntax.isDigit(digit)) {
                return Refusal.CONTENT_LENGTH;
            }
            length = length * 10 + digit - '0';
        }
        contentLength = length;
        return null;
    }

    private @Nullable Refusal transferEncoding(String value) {
        if (isHttp10 || chunked) {
            return Refusal.TRANSFER_ENCODING;
        }
        chunked = true;
        return value.equalsIgnoreCase("chunked") ? null : TransferCodings.refusal(value);
    }

    /** What only the whole head tells: why it is refused, or null. */
    @Nullable
    Refusal contradiction() {
        if (chunked && contentLength != NONE) {
            return Refusal.TRANSFER_ENCODING;
        }
        return host == null && !isHttp10 ? Refusal.HOST : null;
    }

    /** All lines but those that frame the message. */
    Headers headers() {
        return Headers.of(Arrays.copyOf(lines, used));
    }

    ConnectionOptions options() {
        return options;
    }

    /** What {@code Host} says; null in HTTP/1.0 without. */
    @Nullable
    Authority host() {
        return host;
    }

    boolean takesTrailers() {
        return takesTrailers;
    }

    /** Whether leave is asked for a body that there is. */
    boolean expectsContinue() {
        return expectsContinue && bodyLength() != 0;
    }

    /** Bytes, or {@link Body#UNKNOWN_LENGTH} for chunks; no body without framing (RFC 9112 §6.3). */
    long bodyLength() {
        return chunked ? Body.UNKNOWN_LENGTH : Math.max(0, contentLength);
    }
}
