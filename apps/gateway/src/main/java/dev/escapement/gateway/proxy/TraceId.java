package dev.escapement.gateway.proxy;

import dev.escapement.http.Headers;
import java.util.Optional;

/** The trace that a request belongs to, for the log: the second part of a well-formed {@code traceparent} (W3C Trace Context §3.2). */
final class TraceId {

    private static final int LENGTH = 55;

    private TraceId() {}

    static Optional<String> of(Headers headers) {
        Optional<String> parent = headers.first("traceparent");
        if (parent.isEmpty() || parent.get().length() < LENGTH) {
            return Optional.empty();
        }
        String text = parent.get();
        boolean dashes = text.charAt(2) == '-' && text.charAt(35) == '-' && text.charAt(52) == '-';
        return dashes && isHex(text, 3, 35) && !text.startsWith("0".repeat(32), 3)
                ? Optional.of(text.substring(3, 35))
                : Optional.empty();
    }

    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
                return false;
            }
        }
        return true;
    }
}
