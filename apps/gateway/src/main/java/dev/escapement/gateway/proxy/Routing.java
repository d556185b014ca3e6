package dev.escapement.gateway.proxy;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.RouteTable;
import dev.escapement.gateway.upstream.Upstream;
import java.util.Map;
import java.util.Objects;

/**
 * One version of everything that a request is served by: it is taken once, when its head is there, and kept to its end (P6). Immutable.
 *
 * @param upstreams every upstream that a route names
 */
public record Routing(GatewayConfig config, RouteTable table, Map<String, Upstream> upstreams) {

    public Routing {
        upstreams = Map.copyOf(upstreams);
    }

    /** The upstream of that name, which a route has: what it names was checked when the configuration was read. */
    Upstream upstream(String name) {
        return Objects.requireNonNull(upstreams.get(name), name);
    }
}
