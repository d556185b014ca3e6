package dev.escapement.gateway.admin;

import dev.escapement.call.ClientFigures;
import dev.escapement.guard.BreakerFigures;
import dev.escapement.guard.BreakerState;
import dev.escapement.guard.BudgetFigures;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.netty.DestinationStats;
import dev.escapement.netty.Poison;
import dev.escapement.netty.PoolStats;
import dev.escapement.transport.Endpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A gateway as a test wants operators to see it. Its fields are written by the test and read by the port's threads. */
final class GivenView implements AdminView {

    volatile Stage stage = Stage.SERVING;
    volatile Duration stall = Duration.ZERO;
    volatile InboundView inbound = new InboundView(0, 0, Map.of());
    volatile List<UpstreamView> upstreams = List.of(orders());
    volatile List<String> routes = List.of("shop");
    volatile ConfigView config = config(Optional.empty());
    volatile ReloadView reload = new ReloadView("0a1b2c3d", true, List.of());
    volatile int drains;

    /** Run each time the inbound figures are asked for, which a page does once a poll. */
    volatile Runnable whenAsked = () -> {};

    static ConfigView config(Optional<ConfigView.Failure> lastError) {
        return new ConfigView(
                "0a1b2c3d",
                Instant.parse("2026-01-02T03:04:05Z"),
                Map.of("listen", "*:8080", "routes", List.of(Map.of("name", "shop"))),
                lastError,
                4,
                2,
                1);
    }

    static UpstreamView orders() {
        return upstream(
                "orders",
                endpoint("http://10.0.0.1:8080", BreakerState.CLOSED, 3),
                endpoint("http://10.0.0.2:8080", BreakerState.OPEN, 0));
    }

    static UpstreamView upstream(String name, EndpointFigures... endpoints) {
        return new UpstreamView(
                name,
                List.of(endpoints).stream().map(EndpointFigures::endpoint).toList(),
                64,
                128,
                new ClientFigures(11, 2, 5, 0, 0, 0, 0, 0, 0, 0),
                new BudgetFigures(100, 3, 17, 1),
                List.of(endpoints),
                pool(List.of(endpoints)));
    }

    static EndpointFigures endpoint(String url, BreakerState state, int inFlight) {
        return new EndpointFigures(
                Endpoint.of(url),
                inFlight,
                new BreakerFigures(state, 1, 0, 0, state == BreakerState.CLOSED ? 100 : 0, 1, 9, 0, 40, 4, 1, 0, 0, 0));
    }

    private static PoolStats pool(List<EndpointFigures> endpoints) {
        List<DestinationStats> destinations = endpoints.stream()
                .map(endpoint -> new DestinationStats(
                        endpoint.endpoint().toString(),
                        32,
                        endpoint.inFlight() + 6,
                        endpoint.inFlight(),
                        6,
                        0,
                        1,
                        Duration.ofMillis(7),
                        Duration.ofSeconds(80),
                        9_000))
                .toList();
        return new PoolStats(8, 6, 1, 1, 90, 2, 3, Map.of(Poison.SURPLUS, 4L, Poison.STALE, 2L), 77, 2, destinations);
    }

    @Override
    public Stage stage() {
        return stage;
    }

    @Override
    public Duration longestStall() {
        return stall;
    }

    @Override
    public String build() {
        return "0.1.0";
    }

    @Override
    public InboundView inbound() {
        whenAsked.run();
        return inbound;
    }

    @Override
    public List<UpstreamView> upstreams() {
        return upstreams;
    }

    @Override
    public Collection<String> routes() {
        return routes;
    }

    @Override
    public ConfigView config() {
        return config;
    }

    @Override
    public long accessLogDropped() {
        return 6;
    }

    @Override
    public ReloadView reload() {
        return reload;
    }

    @Override
    public synchronized void drain() {
        drains++;
        stage = Stage.DRAINING;
    }
}
