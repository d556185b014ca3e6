package dev.escapement.gateway.record;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.concurrent.atomic.LongAdder;

/** The metrics that requests move, with their names, labels and bounds. Any thread. */
final class Instruments {

    /** Of every metric's name. */
    static final String PREFIX = "escapement_gateway_";

    /** In seconds. */
    private static final double[] BOUNDS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

    final PrometheusRegistry registry = new PrometheusRegistry();

    final Counter requests =
            counter("requests", "Requests that have ended; code 0 where no head was sent.", "route", "method", "code");
    final Histogram duration =
            histogram("request_duration", "From a request's first byte to the end of its answer.", "route");
    final Histogram phases =
            histogram("phase_duration", "Where the time of an upstream's requests went.", "upstream", "phase");
    final Counter requestBytes = counter("request_bytes", "Bytes of requests' bodies.");
    final Counter responseBytes = counter("response_bytes", "Bytes of answers, heads and framing included.");
    final Counter errors = counter(
            "errors",
            "Answers of our own and answers cut, by reason; not those that a client left.",
            "upstream",
            "reason");
    final Counter attempts = counter("attempts", "Attempts by how they ended.", "upstream", "outcome");
    final Counter suppressed = counter("retries_suppressed", "Retries not made, by reason.", "upstream", "reason");
    final Counter aborts = counter("client_aborts", "Requests whose client left, by phase.", "phase");

    /** Requests begun and ended. */
    final LongAdder begun = new LongAdder();

    final LongAdder ended = new LongAdder();

    Instruments() {
        GaugeWithCallback.builder()
                .name(PREFIX + "requests_in_flight")
                .help("Requests that have begun and not ended.")
                .callback(gauge -> gauge.call((double) inFlight()))
                .register(registry);
    }

    /** Read apart, so that what begins and ends meanwhile may be missed: never below zero. */
    long inFlight() {
        long gone = ended.sum();
        return Math.max(0, begun.sum() - gone);
    }

    private Counter counter(String name, String help, String... labels) {
        Counter.Builder builder = Counter.builder();
        builder.withoutExemplars();
        return builder.name(PREFIX + name).help(help).labelNames(labels).register(registry);
    }

    private Histogram histogram(String name, String help, String... labels) {
        Histogram.Builder builder = Histogram.builder();
        builder.withoutExemplars();
        return builder.name(PREFIX + name)
                .unit(Unit.SECONDS)
                .help(help)
                .classicOnly()
                .classicUpperBounds(BOUNDS)
                .labelNames(labels)
                .register(registry);
    }
}
