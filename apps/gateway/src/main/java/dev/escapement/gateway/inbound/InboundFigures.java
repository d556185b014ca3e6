package dev.escapement.gateway.inbound;

import java.util.Map;

/**
 * What is known of a server's connections at one instant. Immutable.
 *
 * @param active connections with a request, or a part of one
 * @param idle connections without one
 * @param closing connections that are read on until their client's last word (RFC 9112 §9.6)
 * @param accepted connections since the start
 * @param beyondLimit of these, closed at once because there were too many
 * @param refused requests since the start, by the rule that refused them; every rule is there
 */
public record InboundFigures(
        int active, int idle, int closing, long accepted, long beyondLimit, Map<Refusal, Long> refused) {

    public InboundFigures {
        refused = Map.copyOf(refused);
    }
}
