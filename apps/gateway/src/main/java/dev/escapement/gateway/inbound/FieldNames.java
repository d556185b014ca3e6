package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One string for each way in which clients commonly write a field's name, so that most names cost no memory. Immutable. */
final class FieldNames {

    private static final int SLOTS = 512;
    private static final @Nullable String[] SHARED = new String[SLOTS];

    static {
        String[] common = {
            "Accept",
            "Accept-Charset",
            "Accept-Encoding",
            "Accept-Language",
            "Access-Control-Request-Headers",
            "Access-Control-Request-Method",
            "Authorization",
            "Baggage",
            "Cache-Control",
            "Connection",
            "Content-Encoding",
            "Content-Length",
            "Content-Type",
            "Cookie",
            "DNT",
            "Expect",
            "Forwarded",
            "Host",
            "Idempotency-Key",
            "If-Match",
            "If-Modified-Since",
            "If-None-Match",
            "If-Range",
            "Keep-Alive",
            "Origin",
            "Pragma",
            "Priority",
            "Range",
            "Referer",
            "Sec-Ch-Ua",
            "Sec-Ch-Ua-Mobile",
            "Sec-Ch-Ua-Platform",
            "Sec-Fetch-Dest",
            "Sec-Fetch-Mode",
            "Sec-Fetch-Site",
            "Sec-Fetch-User",
            "TE",
            "Traceparent",
            "Tracestate",
            "Trailer",
            "Transfer-Encoding",
            "Upgrade",
            "Upgrade-Insecure-Requests",
            "User-Agent",
            "Via",
            "X-Forwarded-For",
            "X-Forwarded-Host",
            "X-Forwarded-Proto",
            "X-Real-IP",
            "X-Request-Id",
            "X-Requested-With"
        };
        for (String name : common) {
            share(name);
            share(name.toLowerCase(Locale.ROOT));
        }
    }

    private FieldNames() {}

    private static void share(String name) {
        byte[] bytes = name.getBytes(ISO_8859_1);
        int slot = slot(bytes, 0, bytes.length);
        while (SHARED[slot] != null) {
            slot = (slot + 1) % SLOTS;
        }
        SHARED[slot] = name;
    }

    /** The name in {@code bytes[from, to)}, which is a token. */
    static String of(byte[] bytes, int from, int to) {
        int slot = slot(bytes, from, to);
        for (String name = SHARED[slot]; name != null; name = SHARED[slot]) {
            if (isAt(name, bytes, from, to)) {
                return name;
            }
            slot = (slot + 1) % SLOTS;
        }
        return new String(bytes, from, to - from, ISO_8859_1);
    }

    private static int slot(byte[] bytes, int from, int to) {
        int hash = (to - from) * 31 + bytes[from];
        hash = hash * 31 + bytes[from + (to - from) / 2];
        hash = hash * 31 + bytes[to - 1];
        return (hash ^ hash >>> 9) & SLOTS - 1;
    }

    private static boolean isAt(String name, byte[] bytes, int from, int to) {
        if (name.length() != to - from) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }
}
