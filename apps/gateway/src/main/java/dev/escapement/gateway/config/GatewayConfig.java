package dev.escapement.gateway.config;

import dev.escapement.policy.UpstreamSettings;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One version of everything that a configuration says, defaults filled in. Immutable; a request lives and dies with the version by which
 * it was routed (P6).
 *
 * @param version the first 8 hexadecimal digits of the SHA-256 of the text
 * @param name what this deployment is called in {@code Via} and {@code Proxy-Status}
 * @param listen where clients connect; changing it needs a restart
 * @param admin where operators connect; changing it needs a restart
 * @param policies by name, for the record: upstreams and routes hold those that they use
 * @param upstreams by name, in the order of the text
 * @param routes in the order of the text, which decides nothing
 */
public record GatewayConfig(
        String version,
        String name,
        InetSocketAddress listen,
        InetSocketAddress admin,
        InboundConfig inbound,
        HeaderConfig headers,
        TrustedProxies trustedProxies,
        Map<String, UpstreamSettings> policies,
        Map<String, UpstreamConfig> upstreams,
        List<RouteConfig> routes,
        AccessLogConfig accessLog,
        ShutdownConfig shutdown) {

    public GatewayConfig {
        policies = Collections.unmodifiableMap(new LinkedHashMap<>(policies));
        upstreams = Collections.unmodifiableMap(new LinkedHashMap<>(upstreams));
        routes = List.copyOf(routes);
    }
}
