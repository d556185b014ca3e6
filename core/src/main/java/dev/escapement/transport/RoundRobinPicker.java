package dev.escapement.transport;

import dev.escapement.http.Request;
import java.util.Optional;

/**
 * Takes turns. Whoever's turn it is is chosen if an attempt can go there; if not, its turns go round among the others, so
 * that no neighbour bears a sick endpoint's whole share.
 *
 * <p>First attempts and later ones have turns of their own: in one row, calls of two attempts each at two endpoints would make
 * every first attempt at the same one. Thread-safe, lock-free.
 */
final class RoundRobinPicker implements EndpointPicker {

    private final EndpointList endpoints;
    private final PaddedCounter firsts = new PaddedCounter(0);
    private final PaddedCounter laters = new PaddedCounter(0);

    RoundRobinPicker(EndpointList endpoints) {
        this.endpoints = endpoints;
    }

    @Override
    public Optional<Endpoint> pick(Request request, int ordinal, EndpointView view) {
        long turn = (ordinal == 1 ? firsts : laters).getAndAdd(1);
        int next = (int) (turn % endpoints.size());
        if (endpoints.isFresh(next, view)) {
            return endpoints.answer(next);
        }
        long round = turn / endpoints.size();
        int fresh = endpoints.count(view, false);
        if (fresh > 0) {
            return endpoints.answer(endpoints.ranked((int) (round % fresh), view, false));
        }
        int admitting = endpoints.count(view, true);
        return endpoints.answer(
                admitting == 0 ? EndpointList.NONE : endpoints.ranked((int) (turn % admitting), view, true));
    }
}
