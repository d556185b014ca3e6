package dev.escapement.gateway;

import dev.escapement.gateway.admin.AdminView;
import dev.escapement.gateway.admin.ConfigView;
import dev.escapement.gateway.admin.InboundView;
import dev.escapement.gateway.admin.ReloadView;
import dev.escapement.gateway.admin.UpstreamView;
import dev.escapement.gateway.config.EffectiveConfig;
import dev.escapement.gateway.config.Fault;
import dev.escapement.gateway.config.RouteConfig;
import dev.escapement.gateway.inbound.InboundFigures;
import dev.escapement.gateway.reload.ReloadFigures;
import dev.escapement.gateway.reload.ReloadResult;
import dev.escapement.gateway.upstream.Upstream;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What operators see of a gateway. Any thread. */
final class GatewayView implements AdminView {

    /** What the metrics call connections that were closed because there were too many. */
    private static final String TOO_MANY = "max-connections";

    private final Gateway gateway;

    GatewayView(Gateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public Stage stage() {
        return gateway.graceful().hasBegun() ? Stage.DRAINING : Stage.SERVING;
    }

    @Override
    public Duration longestStall() {
        return gateway.loopWatch().longestStall();
    }

    @Override
    public String build() {
        String version = Gateway.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public InboundView inbound() {
        InboundFigures figures = gateway.inbound().figures();
        return new InboundView(figures.active(), figures.idle(), Map.of(TOO_MANY, figures.beyondLimit()));
    }

    @Override
    public List<UpstreamView> upstreams() {
        var routing = gateway.store().version();
        return routing.config().upstreams().keySet().stream()
                .map(routing.upstreams()::get)
                .map(GatewayView::view)
                .toList();
    }

    private static UpstreamView view(Upstream upstream) {
        return new UpstreamView(
                upstream.config().name(),
                upstream.config().endpoints(),
                upstream.config().concurrency(),
                upstream.config().queue(),
                upstream.client().figures(),
                upstream.client().budgetFigures(),
                upstream.client().endpointFigures(),
                upstream.transport().stats());
    }

    @Override
    public Collection<String> routes() {
        return gateway.config().routes().stream().map(RouteConfig::name).toList();
    }

    @Override
    public ConfigView config() {
        ReloadFigures figures = gateway.store().figures();
        Optional<ConfigView.Failure> failure =
                figures.lastFailure().map(last -> new ConfigView.Failure(last.at(), texts(last.faults())));
        return new ConfigView(
                gateway.config().version(),
                figures.loadedAt(),
                EffectiveConfig.of(gateway.config()),
                failure,
                figures.loaded() - 1,
                figures.refused(),
                gateway.store().versionsAlive());
    }

    @Override
    public long accessLogDropped() {
        return gateway.accessLog().dropped();
    }

    @Override
    public ReloadView reload() {
        ReloadResult result = gateway.reloadLoop().reload();
        return new ReloadView(result.version(), result.kind() == ReloadResult.Kind.LOADED, texts(result.faults()));
    }

    private static List<String> texts(List<Fault> faults) {
        return faults.stream().map(Fault::toString).toList();
    }

    @Override
    public void drain() {
        gateway.graceful().begin();
    }
}
