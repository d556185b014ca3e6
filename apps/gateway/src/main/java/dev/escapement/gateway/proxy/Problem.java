package dev.escapement.gateway.proxy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.escapement.gateway.record.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The body of an answer of our own: problem details (RFC 9457), without a word about the inside. */
final class Problem {

    static final String MEDIA_TYPE = "application/problem+json";

    private static final JsonFactory JSON = new JsonFactory();

    private Problem() {}

    /**
     * In JSON, at most 512 bytes.
     *
     * @param rule the reason's word, or the name of the rule that refused the request
     * @param attempts how many were made
     */
    static byte[] json(Reason reason, String rule, int status, String requestId, int attempts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("type", "about:blank");
            json.writeStringField("title", StatusText.of(status));
            json.writeNumberField("status", status);
            json.writeStringField("detail", detail(reason));
            json.writeStringField("instance", "urn:request:" + requestId);
            json.writeStringField("reason", rule);
            json.writeNumberField("attempts", attempts);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static String detail(Reason reason) {
        return switch (reason) {
            case NO_ROUTE -> "Nothing is configured to answer this.";
            case QUEUE_FULL, QUEUE_WAIT, CONNECTIONS_USED -> "Too many requests are waiting; nothing was sent on.";
            case BREAKER_OPEN -> "What would answer this has been failing; nothing was sent on.";
            case SHUTTING_DOWN -> "This gateway is being stopped.";
            case DNS, DNS_TIMEOUT, CONNECT, UNROUTABLE, CONNECT_TIMEOUT, TLS, TLS_CERTIFICATE ->
                "What would answer this could not be reached; nothing was sent on.";
            case RESET, STALE, MALFORMED, HEAD_TOO_LARGE, SWITCHED ->
                "What was asked gave no answer that can be passed on.";
            case ATTEMPT_TIMEOUT, DEADLINE -> "What was asked gave no answer in time.";
            case POLICY, BUG -> "This gateway is at fault.";
            case REFUSED, DENIED -> "The request is not well formed, or larger than is allowed.";
            case TOO_SLOW -> "The request did not come in time.";
            case METHOD, UPGRADE -> "This is not served.";
            case LOOP -> "The request has been here before.";
            case CLIENT_CLOSED, CUT_UPSTREAM, CUT_IDLE, CUT_DEADLINE, CUT_SLOW_CLIENT, CUT_SHUTDOWN -> "";
        };
    }
}
