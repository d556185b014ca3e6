package dev.escapement.gateway.upstream;

import dev.escapement.call.Client;
import dev.escapement.gateway.config.UpstreamConfig;
import dev.escapement.netty.NettyTransport;
import dev.escapement.transport.Endpoint;
import java.util.Optional;

/**
 * One upstream of one version of the configuration: the client and the transport that carry its calls, which it may share with the
 * versions before and after, and how its requests name it. Immutable; any thread.
 */
public final class Upstream {

    private final UpstreamConfig config;
    private final NettyTransport transport;
    private final Client client;
    private final SwitchedPicker picker;
    private final String origin;
    private final Optional<String> host;

    Upstream(UpstreamConfig config, NettyTransport transport, Client client, SwitchedPicker picker) {
        this.config = config;
        this.transport = transport;
        this.client = client;
        this.picker = picker;
        Endpoint first = config.endpoints().get(0);
        String name =
                config.tls().flatMap(UpstreamConfig.UpstreamTls::serverName).orElse(first.host());
        this.origin = (first.secure() ? "https://" : "http://") + name + ":" + first.port();
        this.host = config.host().literal();
    }

    public UpstreamConfig config() {
        return config;
    }

    public NettyTransport transport() {
        return transport;
    }

    public Client client() {
        return client;
    }

    SwitchedPicker picker() {
        return picker;
    }

    /** Scheme, name and port: what a request's target is appended to, and whom TLS verifies. */
    public String origin() {
        return origin;
    }

    /**
     * What {@code Host} says in a request of a client.
     *
     * @param authority the client's; empty where it named none
     * @return empty for the origin's own
     */
    public Optional<String> hostFor(String authority) {
        return switch (config.host().kind()) {
            case PRESERVE -> authority.isEmpty() ? Optional.empty() : Optional.of(authority);
            case UPSTREAM -> Optional.empty();
            case LITERAL -> host;
        };
    }

    /** Whether the same transport serves that configuration too. */
    boolean sharesTransportWith(UpstreamConfig next) {
        return config.connectTimeout().equals(next.connectTimeout())
                && config.maxConnections() == next.maxConnections()
                && config.idleTimeout().equals(next.idleTimeout())
                && config.tls().equals(next.tls());
    }

    /** Whether the same guards do: other breaker settings make other breakers. */
    boolean sharesClientWith(UpstreamConfig next) {
        return sharesTransportWith(next)
                && config.settings().breaker().equals(next.settings().breaker());
    }

    @Override
    public String toString() {
        return config.name() + " at " + config.endpoints();
    }
}
