package dev.escapement.gateway.admin;

import dev.escapement.call.ClientFigures;
import dev.escapement.guard.BudgetFigures;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.netty.PoolStats;
import dev.escapement.transport.Endpoint;
import java.util.List;

/**
 * One upstream of the running configuration at about one moment. Immutable.
 *
 * @param endpoints as configured
 * @param concurrency how many permits there are
 * @param queue how many calls may wait for one
 * @param calls figures of its client
 * @param known what its client knows of endpoints; one that it has not called yet is absent, and one that is configured no more may be there
 * @param pool figures of its transport
 */
public record UpstreamView(
        String name,
        List<Endpoint> endpoints,
        int concurrency,
        int queue,
        ClientFigures calls,
        BudgetFigures budget,
        List<EndpointFigures> known,
        PoolStats pool) {

    public UpstreamView {
        endpoints = List.copyOf(endpoints);
        known = List.copyOf(known);
    }
}
