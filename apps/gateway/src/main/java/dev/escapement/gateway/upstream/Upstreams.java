package dev.escapement.gateway.upstream;

import dev.escapement.call.Client;
import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.RouteConfig;
import dev.escapement.gateway.config.UpstreamConfig;
import dev.escapement.gateway.config.UpstreamConfig.UpstreamTls;
import dev.escapement.netty.EventLoopSchedulers;
import dev.escapement.netty.NameResolver;
import dev.escapement.netty.NettyTransport;
import dev.escapement.netty.NettyTransportBuilder;
import dev.escapement.netty.TlsSettings;
import dev.escapement.policy.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the upstreams of one version of the configuration out of those of the version before: what a change leaves as it was goes on, with
 * its connections, breakers, budgets and permits.
 *
 * <p>A change of connect timeout, limits of connections or TLS makes a new transport, and a change of the breaker a new client; what they
 * replace serves its running calls to their end. Everything else is changed in place. One at a time makes versions; the upstreams
 * themselves are for any thread.
 */
public final class Upstreams implements AutoCloseable {

    /** The longest that a request may have been routed by a version that has been replaced, and not have made its call. */
    private static final Duration LATE_CALLS = Duration.ofMinutes(1);

    /** For downloads that go on over a transport that has been replaced. */
    private static final Duration LATE_BODIES = Duration.ofHours(24);

    private final EventLoopSchedulers schedulers;
    private final NameResolver names = NameResolver.ofSystem();

    /** Every transport that was not shut down. Guarded by this. */
    private final List<NettyTransport> transports = new ArrayList<>();

    /** On these event loops, which stay the caller's. */
    public Upstreams(EventLoopSchedulers schedulers) {
        this.schedulers = schedulers;
    }

    /** What a version needs, made and not yet in use. */
    public interface Prepared {

        /** By name. */
        Map<String, Upstream> upstreams();

        /** Puts it to use: what is shared with the version before changes now. */
        void commit();

        /** Lets it go: the version before stays as it was. */
        void abandon();
    }

    /**
     * Makes what that version needs.
     *
     * @param before the version in use; empty at the start
     * @throws RuntimeException saying what cannot be made, a key that cannot be read for instance; nothing has changed
     */
    public Prepared prepare(GatewayConfig next, Map<String, Upstream> before) {
        Map<String, Upstream> made = new LinkedHashMap<>();
        List<NettyTransport> fresh = new ArrayList<>();
        try {
            next.upstreams().forEach((name, config) -> made.put(name, make(next, config, before.get(name), fresh)));
        } catch (RuntimeException e) {
            fresh.forEach(NettyTransport::close);
            throw e;
        }
        return new Prepared() {
            @Override
            public Map<String, Upstream> upstreams() {
                return made;
            }

            @Override
            public void commit() {
                Upstreams.this.commit(next, before, made, fresh);
            }

            @Override
            public void abandon() {
                fresh.forEach(NettyTransport::close);
            }
        };
    }

    private Upstream make(
            GatewayConfig version, UpstreamConfig config, @Nullable Upstream before, List<NettyTransport> fresh) {
        if (before != null && before.sharesClientWith(config)) {
            return new Upstream(config, before.transport(), before.client(), before.picker());
        }
        NettyTransport transport;
        if (before != null && before.sharesTransportWith(config)) {
            transport = before.transport();
        } else {
            transport = transport(version, config);
            fresh.add(transport);
        }
        SwitchedPicker picker = new SwitchedPicker(config.endpoints());
        Client.Builder client = Client.builder(transport, schedulers)
                .policy(config.settings().policy())
                .breaker(config.settings().breaker())
                .endpoints(picker)
                .concurrency(config.concurrency())
                .maxQueue(config.queue());
        classes(version, config).forEach(client::operationClass);
        return new Upstream(config, transport, client.build(), picker);
    }

    private NettyTransport transport(GatewayConfig version, UpstreamConfig config) {
        NettyTransportBuilder builder = NettyTransport.builder()
                .eventLoops(schedulers)
                .names(names)
                .connectTimeout(config.connectTimeout())
                .maxConnectionsPerEndpoint(config.maxConnections())
                .idleLimit(config.idleTimeout())
                .continueWait(version.inbound().continueWait());
        config.tls().ifPresent(tls -> builder.tls(tls(tls)));
        return builder.build();
    }

    private static TlsSettings tls(UpstreamTls tls) {
        TlsSettings settings = TlsSettings.ofDefaults();
        if (tls.trustCertificates().isPresent()) {
            settings = settings.withTrustCertificates(tls.trustCertificates().get());
        }
        if (tls.identity().isPresent()) {
            settings = settings.withIdentity(
                    tls.identity().get().certificate(), tls.identity().get().key());
        }
        return settings;
    }

    /** The policies that routes to it name beside its own. */
    private static Map<String, Policy> classes(GatewayConfig version, UpstreamConfig config) {
        Map<String, Policy> classes = new LinkedHashMap<>();
        for (RouteConfig route : version.routes()) {
            if (route.upstream().equals(config.name()) && route.policy().isPresent()) {
                classes.put(route.policyName().orElseThrow(), route.policy().get());
            }
        }
        return classes;
    }

    private synchronized void commit(
            GatewayConfig next, Map<String, Upstream> before, Map<String, Upstream> made, List<NettyTransport> fresh) {
        transports.addAll(fresh);
        made.forEach((name, upstream) -> {
            Upstream old = before.get(name);
            if (old != null && old.client() == upstream.client()) {
                UpstreamConfig config = upstream.config();
                upstream.client().update(config.settings().policy(), classes(next, config));
                upstream.client().resize(config.concurrency(), config.queue());
                upstream.picker().replace(config.endpoints());
            }
        });
        before.forEach((name, old) -> {
            Upstream now = made.get(name);
            if (now == null || now.transport() != old.transport()) {
                retire(old.transport());
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for what has been replaced.
    private void retire(NettyTransport transport) {
        CompletableFuture.delayedExecutor(LATE_CALLS.toSeconds(), TimeUnit.SECONDS)
                .execute(() -> {
                    transport.shutdown(LATE_BODIES);
                    synchronized (this) {
                        transports.remove(transport);
                    }
                });
    }

    /** Shuts every transport down, running exchanges included, and waits. */
    @Override
    public void close() {
        List<CompletableFuture<Void>> ends;
        synchronized (this) {
            ends = transports.stream()
                    .map((Function<NettyTransport, CompletableFuture<Void>>)
                            transport -> transport.shutdown(Duration.ZERO))
                    .toList();
        }
        for (CompletableFuture<Void> end : ends) {
            try {
                end.join();
            } catch (CompletionException e) {
                System.getLogger(Upstreams.class.getName()).log(System.Logger.Level.WARNING, "closing connections", e);
            }
        }
        names.close();
    }
}
