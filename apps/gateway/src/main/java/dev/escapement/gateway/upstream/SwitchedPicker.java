package dev.escapement.gateway.upstream;

import dev.escapement.http.Request;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.EndpointPicker;
import dev.escapement.transport.EndpointView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Chooses the less loaded of two among a list that is replaced as a whole: an endpoint that was taken out gets no new attempt. Any thread. */
final class SwitchedPicker implements EndpointPicker {

    private volatile EndpointPicker current;

    SwitchedPicker(List<Endpoint> endpoints) {
        current = among(endpoints);
    }

    void replace(List<Endpoint> endpoints) {
        current = among(endpoints);
    }

    private static EndpointPicker among(List<Endpoint> endpoints) {
        return EndpointPicker.leastLoaded(endpoints, ThreadLocalRandom.current().nextLong());
    }

    @Override
    public Optional<Endpoint> pick(Request request, int ordinal, EndpointView view) {
        return current.pick(request, ordinal, view);
    }
}
