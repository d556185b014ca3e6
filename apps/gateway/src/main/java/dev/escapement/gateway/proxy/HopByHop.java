package dev.escapement.gateway.proxy;

import dev.escapement.http.Headers;
import java.util.ArrayList;
import java.util.List;

/** Fields that are about one connection, or one proxy, and go no further (RFC 9110 §7.6.1); in heads and in trailers. */
final class HopByHop {

    /** Removed in both directions, named by Connection or not. */
    static final FieldNames ALWAYS = FieldNames.of(
            "Connection",
            "Keep-Alive",
            "Proxy-Connection",
            "TE",
            "Transfer-Encoding",
            "Content-Length",
            "Trailer",
            "Upgrade",
            "HTTP2-Settings");

    /** What no trailer may bring: framing, routing, authentication, cookies, what describes the content (RFC 9110 §6.5.1). */
    private static final FieldNames NO_TRAILERS = FieldNames.of(
            "Host",
            "Expect",
            "Max-Forwards",
            "Range",
            "Content-Encoding",
            "Content-Type",
            "Content-Range",
            "Authorization",
            "WWW-Authenticate",
            "Set-Cookie",
            "Cookie",
            "Cache-Control",
            "Date",
            "Location",
            "Retry-After",
            "Via",
            "Forwarded",
            "X-Forwarded-For",
            "X-Forwarded-Proto",
            "X-Forwarded-Host",
            "X-Real-IP",
            "X-Request-Id");

    private HopByHop() {}

    /** What of a trailer section is passed on. */
    static Headers trailers(Headers fields) {
        if (fields.count() == 0) {
            return fields;
        }
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < fields.count(); i++) {
            String name = fields.nameAt(i);
            if (!ALWAYS.contains(name) && !NO_TRAILERS.contains(name) && !isProxys(name) && name.indexOf('_') < 0) {
                kept.add(name);
                kept.add(fields.valueAt(i));
            }
        }
        return Headers.of(kept.toArray(new String[0]));
    }

    /** {@code Proxy}, by which CGI-like servers take a client's word for their environment's, and {@code Proxy-*}. */
    static boolean isProxys(String name) {
        return name.regionMatches(true, 0, "Proxy", 0, 5) && (name.length() == 5 || name.charAt(5) == '-');
    }
}
