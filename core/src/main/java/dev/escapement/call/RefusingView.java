package dev.escapement.call;

import dev.escapement.transport.Endpoint;
import dev.escapement.transport.EndpointView;

/** What a picker sees when an endpoint it picked did not admit the attempt after all. Immutable. */
record RefusingView(EndpointView behind, Endpoint refused) implements EndpointView {

    @Override
    public boolean tried(Endpoint endpoint) {
        return behind.tried(endpoint);
    }

    @Override
    public boolean admits(Endpoint endpoint) {
        return !endpoint.equals(refused) && behind.admits(endpoint);
    }

    @Override
    public int inFlight(Endpoint endpoint) {
        return behind.inFlight(endpoint);
    }
}
