package dev.escapement.gateway.config;

import dev.escapement.policy.UpstreamSettings;
import dev.escapement.transport.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One upstream: where it is, how it is called. Immutable.
 *
 * @param endpoints all of one scheme
 * @param policyName the entry of {@code policies} that {@code settings} come from
 * @param settings policy and breaker of its calls, where a route names no other policy
 * @param concurrency how many calls may run at once
 * @param queue how many may wait beyond that
 * @param connectTimeout of one connect
 * @param maxConnections to one endpoint
 * @param idleTimeout how long a connection may lie idle
 * @param host what {@code Host} says
 * @param tls only where the endpoints are {@code https}
 */
public record UpstreamConfig(
        String name,
        List<Endpoint> endpoints,
        String policyName,
        UpstreamSettings settings,
        int concurrency,
        int queue,
        Duration connectTimeout,
        int maxConnections,
        Duration idleTimeout,
        HostRule host,
        Optional<UpstreamTls> tls) {

    public UpstreamConfig {
        endpoints = List.copyOf(endpoints);
    }

    /**
     * How TLS is spoken with it.
     *
     * @param serverName whom the certificate must name; every endpoint's host, which is then one, if empty
     * @param trustCertificates PEM; the system's if empty
     * @param identity certificate and key that we show, PEM; none if empty
     */
    public record UpstreamTls(
            Optional<String> serverName, Optional<Path> trustCertificates, Optional<InboundTls> identity) {}

    /**
     * What {@code Host} says.
     *
     * @param literal only with {@link Kind#LITERAL}
     */
    public record HostRule(Kind kind, Optional<String> literal) {

        /** Whose name. */
        public enum Kind {
            /** The client's. */
            PRESERVE,
            /** That of the endpoints, which is one. */
            UPSTREAM,
            LITERAL
        }
    }
}
