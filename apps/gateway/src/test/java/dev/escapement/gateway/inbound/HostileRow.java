package dev.escapement.gateway.inbound;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a client may send, and what must become of them. Immutable.
 *
 * @param refusal the rule that refuses them, which is the end of the connection; null if they are served
 * @param served each request that reaches the handler, as {@link EchoHandler} tells it, the canary included
 */
record HostileRow(String name, String bytes, @Nullable Refusal refusal, List<String> served) {

    /** What follows every row on the same connection. */
    static final String CANARY = "GET /canary HTTP/1.1\r\nHost: g\r\n\r\n";

    static final String CANARY_SERVED = "GET g /canary|";

    static HostileRow refused(String name, Refusal refusal, String bytes) {
        return new HostileRow(name, lines(bytes), refusal, List.of());
    }

    /** Served, and the canary after it. */
    static HostileRow served(String name, String bytes, String... served) {
        List<String> all = new java.util.ArrayList<>(List.of(served));
        all.add(CANARY_SERVED);
        return new HostileRow(name, lines(bytes), null, all);
    }

    /** A return sign is CR LF. */
    static String lines(String text) {
        return text.replace("⏎", "\r\n");
    }

    String withCanary() {
        return bytes + CANARY;
    }

    @Override
    public String toString() {
        return name;
    }
}
