package dev.escapement.gateway.admin;

import dev.escapement.guard.BreakerState;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.netty.DestinationStats;
import dev.escapement.transport.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All that is known of one configured endpoint, put together from the client's figures and the transport's. Immutable.
 *
 * @param figures empty where it was not called yet
 * @param connections of the transport; more than one where its name is verified as several
 */
record EndpointRow(Endpoint endpoint, Optional<EndpointFigures> figures, List<DestinationStats> connections) {

    /** Between an endpoint and whose name is verified there, in the name of a destination. */
    private static final String AS = " as ";

    /** One for each endpoint that the configuration names, in its order. */
    static List<EndpointRow> of(UpstreamView upstream) {
        Map<Endpoint, EndpointFigures> known =
                upstream.known().stream().collect(Collectors.toMap(EndpointFigures::endpoint, Function.identity()));
        List<EndpointRow> rows = new ArrayList<>();
        for (Endpoint endpoint : upstream.endpoints()) {
            String name = endpoint.toString();
            rows.add(new EndpointRow(
                    endpoint,
                    Optional.ofNullable(known.get(endpoint)),
                    upstream.pool().destinations().stream()
                            .filter(stats -> stats.destination().equals(name)
                                    || stats.destination().startsWith(name + AS))
                            .toList()));
        }
        return rows;
    }

    /** Of its breaker; one that was never asked lets everything through. */
    BreakerState state() {
        return figures.map(known -> known.breaker().state()).orElse(BreakerState.CLOSED);
    }
}
