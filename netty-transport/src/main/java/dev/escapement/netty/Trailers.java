package dev.escapement.netty;

import dev.escapement.http.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which fields may follow a body, in either direction (RFC 9110 §6.5.1): none that frames the message, says where it goes or who sends
 * it, says what may be kept of it, or how its content is to be read. All that was decided when the head was.
 */
final class Trailers {

    private static final Set<String> FORBIDDEN = Set.of(
            // framing, and what concerns one connection only
            "content-length",
            "transfer-encoding",
            "trailer",
            "connection",
            "keep-alive",
            "proxy-connection",
            "te",
            "upgrade",
            // routing and modifiers of the request
            "host",
            "max-forwards",
            "expect",
            "range",
            "if-match",
            "if-none-match",
            "if-modified-since",
            "if-unmodified-since",
            "if-range",
            // authentication and state
            "authorization",
            "proxy-authorization",
            "www-authenticate",
            "proxy-authenticate",
            "cookie",
            "set-cookie",
            // control of the response
            "age",
            "cache-control",
            "date",
            "expires",
            "location",
            "pragma",
            "retry-after",
            "vary",
            "warning",
            // how to read the content
            "content-encoding",
            "content-range",
            "content-type");

    private Trailers() {}

    static boolean isForbidden(String name) {
        return FORBIDDEN.contains(name.toLowerCase(Locale.ROOT));
    }

    /** These fields without those that may not follow a body. */
    static Headers permitted(Headers fields) {
        List<String> dropped = null;
        for (int i = 0; i < fields.count(); i++) {
            if (isForbidden(fields.nameAt(i))) {
                dropped = dropped == null ? new java.util.ArrayList<>() : dropped;
                dropped.add(fields.nameAt(i));
            }
        }
        return dropped == null ? fields : fields.replacing(dropped, List.of());
    }
}
