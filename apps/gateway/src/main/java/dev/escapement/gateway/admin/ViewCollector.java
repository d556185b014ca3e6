package dev.escapement.gateway.admin;

import dev.escapement.gateway.record.Metrics;
import dev.escapement.guard.BreakerState;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The metrics that nobody counts but that are as they are: read from the {@link AdminView} at each scrape, so that what is no longer
 * configured is told no more.
 */
final class ViewCollector implements MultiCollector {

    private static final String PREFIX = "escapement_gateway_";
    private static final double MILLIS_PER_SECOND = TimeUnit.SECONDS.toMillis(1);

    private final AdminView view;
    private final Metrics metrics;

    ViewCollector(AdminView view, Metrics metrics) {
        this.view = view;
        this.metrics = metrics;
    }

    @Override
    public MetricSnapshots collect() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        upstreams(all, view.upstreams());
        inbound(all, view.inbound());
        config(all, view.config());
        all.metricSnapshot(counter("access_log_dropped", "Lines of the access log that were lost.")
                .dataPoint(count(Labels.EMPTY, view.accessLogDropped()))
                .build());
        all.metricSnapshot(gauge("draining", "1 while a stop is under way.")
                .dataPoint(value(Labels.EMPTY, view.stage() == AdminView.Stage.DRAINING ? 1 : 0))
                .build());
        all.metricSnapshot(InfoSnapshot.builder()
                .name(PREFIX + "build")
                .help("The program's version.")
                .dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder()
                        .labels(Labels.of("version", view.build()))
                        .build())
                .build());
        return all.build();
    }

    private static void upstreams(MetricSnapshots.Builder all, List<UpstreamView> upstreams) {
        GaugeSnapshot.Builder connections = gauge("upstream_connections", "Connections to an upstream's endpoints.");
        GaugeSnapshot.Builder permits = gauge("permits", "Permits held and free, and calls that wait for one.");
        GaugeSnapshot.Builder breakers = gauge("breaker_state", "0 closed, 1 half open, 2 open, 3 held open by hand.");
        for (UpstreamView upstream : upstreams) {
            String name = upstream.name();
            connections.dataPoint(value(state(name, "active"), upstream.pool().active()));
            connections.dataPoint(value(state(name, "idle"), upstream.pool().idle()));
            connections.dataPoint(
                    value(state(name, "connecting"), upstream.pool().connecting()));
            int held = upstream.calls().permitsHeld();
            permits.dataPoint(value(state(name, "held"), held));
            permits.dataPoint(value(state(name, "free"), Math.max(0, upstream.concurrency() - held)));
            permits.dataPoint(value(state(name, "waiting"), upstream.calls().waiting()));
            for (EndpointRow row : EndpointRow.of(upstream)) {
                breakers.dataPoint(value(
                        Labels.of("upstream", name, "endpoint", row.endpoint().toString()), number(row.state())));
            }
        }
        all.metricSnapshot(connections.build());
        all.metricSnapshot(permits.build());
        all.metricSnapshot(breakers.build());
    }

    private static int number(BreakerState state) {
        return switch (state) {
            case CLOSED -> 0;
            case HALF_OPEN -> 1;
            case OPEN -> 2;
            case FORCED_OPEN -> 3;
        };
    }

    private void inbound(MetricSnapshots.Builder all, InboundView inbound) {
        all.metricSnapshot(gauge("inbound_connections", "Clients' connections.")
                .dataPoint(value(Labels.of("state", "active"), inbound.active()))
                .dataPoint(value(Labels.of("state", "idle"), inbound.idle()))
                .build());
        Map<String, Long> rejected = new TreeMap<>(metrics.refusals());
        inbound.refused().forEach((rule, count) -> rejected.merge(rule, count, Long::sum));
        CounterSnapshot.Builder rules =
                counter("inbound_rejected", "Requests and connections of clients refused, by rule.");
        rejected.forEach((rule, count) -> rules.dataPoint(count(Labels.of("rule", rule), count)));
        all.metricSnapshot(rules.build());
    }

    private static void config(MetricSnapshots.Builder all, ConfigView config) {
        all.metricSnapshot(gauge("config_last_reload_successful", "0 while the newest configuration is not in force.")
                .dataPoint(value(Labels.EMPTY, config.lastError().isPresent() ? 0 : 1))
                .build());
        all.metricSnapshot(
                gauge("config_last_reload_success_timestamp_seconds", "When the running configuration was loaded.")
                        .dataPoint(seconds(config.loadedAt()))
                        .build());
        all.metricSnapshot(counter("config_reloads", "Configurations read after the first.")
                .dataPoint(count(Labels.of("result", "success"), config.reloaded()))
                .dataPoint(count(Labels.of("result", "failure"), config.failed()))
                .build());
        all.metricSnapshot(
                gauge("config_versions_alive", "Versions that still have requests, the running one included.")
                        .dataPoint(value(Labels.EMPTY, config.versionsAlive()))
                        .build());
    }

    private static Labels state(String upstream, String state) {
        return Labels.of("upstream", upstream, "state", state);
    }

    private static GaugeSnapshot.Builder gauge(String name, String help) {
        return GaugeSnapshot.builder().name(PREFIX + name).help(help);
    }

    private static CounterSnapshot.Builder counter(String name, String help) {
        return CounterSnapshot.builder().name(PREFIX + name).help(help);
    }

    private static GaugeSnapshot.GaugeDataPointSnapshot value(Labels labels, long value) {
        return GaugeSnapshot.GaugeDataPointSnapshot.builder()
                .labels(labels)
                .value((double) value)
                .build();
    }

    private static GaugeSnapshot.GaugeDataPointSnapshot seconds(Instant instant) {
        return GaugeSnapshot.GaugeDataPointSnapshot.builder()
                .value(instant.toEpochMilli() / MILLIS_PER_SECOND)
                .build();
    }

    private static CounterSnapshot.CounterDataPointSnapshot count(Labels labels, long value) {
        return CounterSnapshot.CounterDataPointSnapshot.builder()
                .labels(labels)
                .value((double) value)
                .build();
    }
}
