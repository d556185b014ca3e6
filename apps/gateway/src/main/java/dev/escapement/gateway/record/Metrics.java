package dev.escapement.gateway.record;

import dev.escapement.gateway.inbound.Refusal;
import dev.escapement.time.MonotonicClock;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests as they begin and end.
 *
 * <p>Labels come from the configuration or from closed lists, never from a client: unknown methods are {@code _OTHER}, what was not routed is
 * route and upstream {@code -}. So the number of series has a bound that traffic cannot move.
 *
 * <p>Thread-safety: any thread. Counters are striped; a request allocates nothing here once its route and upstream have been seen, but for
 * the parts of its time.
 */
public final class Metrics implements RecordSink {

    /** The route of requests without one, and their upstream. */
    static final String NONE = "-";

    /** After so many scrapes without it a route's or upstream's series are gone. */
    private static final int SCRAPES_KEPT = 2;

    private final MonotonicClock clock;
    private final long sinceNanos;
    private final Instruments instruments = new Instruments();
    private final ConcurrentHashMap<String, RouteSeries> routes = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, UpstreamSeries> upstreams = new ConcurrentHashMap<>();

    /** By rule. */
    private final ConcurrentHashMap<String, LongAdder> refusals = new ConcurrentHashMap<>();

    /** @param clock that of the records */
    public Metrics(MonotonicClock clock) {
        this.clock = clock;
        this.sinceNanos = clock.nanos();
        for (RequestRecord.Phase phase : RequestRecord.Phase.values()) {
            instruments.aborts.initLabelValues(Words.of(phase));
        }
        for (Refusal refusal : Refusal.values()) {
            refusals.put(refusal.rule(), new LongAdder());
        }
    }

    @Override
    public void began(RequestRecord record) {
        instruments.begun.increment();
    }

    @Override
    public void ended(RequestRecord record) {
        instruments.ended.increment();
        TimeParts parts = record.parts(record.endedNanos);
        route(record.route.orElse(NONE))
                .count(record.request.method(), record.status, parts.nanos(TimeParts.Part.TOTAL));
        instruments.requestBytes.inc(record.bytesIn);
        instruments.responseBytes.inc(record.bytesOut);
        if (record.ender == RequestRecord.Ender.CLIENT) {
            instruments.aborts.labelValues(Words.of(record.phase)).inc();
        }
        if (record.refusal.isPresent()) {
            refusals.computeIfAbsent(record.refusal.get().rule(), rule -> new LongAdder())
                    .increment();
        }
        if (record.upstream.isPresent()) {
            upstream(record.upstream.get()).countRequest(parts, record.endedNanos);
        }
        if (record.reason.isPresent() && record.reason.get() != Reason.CLIENT_CLOSED) {
            upstream(record.upstream.orElse(NONE)).countError(record.reason.get());
        }
        if (record.report().isPresent()) {
            upstream(record.upstream.orElse(NONE)).countCall(record.report().get(), record.tried());
        }
    }

    @Override
    public void goesOn(RequestRecord record) {}

    /** Where these metrics are told of; others may be added. */
    public PrometheusRegistry registry() {
        return instruments.registry;
    }

    /** For how long requests have been counted. */
    public Duration age() {
        return Duration.ofNanos(clock.nanos() - sinceNanos);
    }

    /** Requests that have begun and not ended. */
    public long inFlight() {
        return instruments.inFlight();
    }

    /** Requests that have ended. */
    public long requests() {
        return instruments.ended.sum();
    }

    /** What has passed through that upstream. */
    public UpstreamTraffic traffic(String upstream) {
        UpstreamSeries series = upstreams.get(upstream);
        return series == null ? UpstreamTraffic.NONE : series.traffic(clock.nanos());
    }

    /** Errors of requests that reached no upstream, by reason. */
    public Map<String, Long> errorsWithoutUpstream() {
        return traffic(NONE).errors();
    }

    /** How many requests each rule refused: all rules, in alphabetical order. */
    public Map<String, Long> refusals() {
        Map<String, Long> counts = new TreeMap<>();
        refusals.forEach((rule, count) -> counts.put(rule, count.sum()));
        return counts;
    }

    /**
     * Says, once a scrape, what the configuration knows. Series of anything else are told once more, and gone with the next scrape that does
     * not find it either.
     */
    public synchronized void keepOnly(Collection<String> currentRoutes, Collection<String> currentUpstreams) {
        routes.forEach((name, series) -> {
            series.missed = name.equals(NONE) || currentRoutes.contains(name) ? 0 : series.missed + 1;
            if (series.missed == SCRAPES_KEPT && routes.remove(name, series)) {
                series.forget();
            }
        });
        upstreams.forEach((name, series) -> {
            series.missed = name.equals(NONE) || currentUpstreams.contains(name) ? 0 : series.missed + 1;
            if (series.missed == SCRAPES_KEPT && upstreams.remove(name, series)) {
                series.forget();
            }
        });
    }

    private RouteSeries route(String name) {
        RouteSeries series = routes.get(name);
        return series != null ? series : routes.computeIfAbsent(name, absent -> new RouteSeries(instruments, absent));
    }

    private UpstreamSeries upstream(String name) {
        UpstreamSeries series = upstreams.get(name);
        return series != null
                ? series
                : upstreams.computeIfAbsent(name, absent -> new UpstreamSeries(instruments, absent, clock.nanos()));
    }
}
