package dev.escapement.gateway.admin;

import java.util.Map;

/**
 * The connections of clients. Immutable.
 *
 * @param active that have a request under way, or one on its way in
 * @param idle that wait for one
 * @param refused connections closed before a request, by rule, since the start; rules that did not apply may be absent
 */
public record InboundView(long active, long idle, Map<String, Long> refused) {

    public InboundView {
        refused = Map.copyOf(refused);
    }
}
