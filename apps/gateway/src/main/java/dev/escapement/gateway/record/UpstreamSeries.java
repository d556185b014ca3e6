package dev.escapement.gateway.record;

import dev.escapement.gateway.record.TimeParts.Part;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/** The series of one upstream, at hand without a look-up by labels, and its latencies of late. Any thread. */
final class UpstreamSeries {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;
    private static final String[] CLASSES = {"_OTHER", "1xx", "2xx", "3xx", "4xx", "5xx"};
    private static final int CLASS = 100;

    private final Instruments instruments;
    private final String upstream;
    private final CounterChildren errors;
    private final CounterChildren attempts;
    private final CounterChildren suppressed;

    /** Made when first needed, so that only what occurred is told. */
    private final AtomicReferenceArray<DistributionDataPoint> phases =
            new AtomicReferenceArray<>(TimeParts.PARTS.length);

    private final RecentLatency[] recent = new RecentLatency[TimeParts.PARTS.length];
    private final LongAdder requests = new LongAdder();
    private final LongAdder calls = new LongAdder();
    private final LongAdder attempted = new LongAdder();

    /** How many scrapes in a row did not find the upstream in the configuration. Written by scrapes, one at a time. */
    int missed;

    UpstreamSeries(Instruments instruments, String upstream, long nowNanos) {
        this.instruments = instruments;
        this.upstream = upstream;
        this.errors = new CounterChildren(instruments.errors, upstream);
        this.attempts = new CounterChildren(instruments.attempts, upstream);
        this.suppressed = new CounterChildren(instruments.suppressed, upstream);
        for (Part part : TimeParts.PARTS) {
            recent[part.index()] = new RecentLatency(nowNanos);
        }
    }

    void countRequest(TimeParts parts, long nowNanos) {
        requests.increment();
        for (Part part : TimeParts.PARTS) {
            long nanos = parts.nanos(part);
            if (nanos != TimeParts.NONE) {
                phase(part).observe(nanos / NANOS_PER_SECOND);
                recent[part.index()].record(nanos, nowNanos);
            }
        }
    }

    private DistributionDataPoint phase(Part part) {
        DistributionDataPoint child = phases.get(part.index());
        if (child == null) {
            child = instruments.phases.labelValues(upstream, part.word());
            phases.set(part.index(), child);
        }
        return child;
    }

    void countError(Reason reason) {
        errors.increment(reason.word());
    }

    void countCall(Report report, List<Tried> tried) {
        calls.increment();
        attempted.add(report.attempts());
        for (Tried attempt : tried) {
            attempts.increment(outcome(attempt.report()));
        }
        if (report.suppressed().isPresent()) {
            suppressed.increment(Words.of(report.suppressed().get()));
        }
    }

    /** A class of statuses, or how the attempt failed. */
    private static String outcome(AttemptReport attempt) {
        if (attempt.outcome() instanceof Outcome.Response answered) {
            int index = answered.response().status() / CLASS;
            return CLASSES[index > 0 && index < CLASSES.length ? index : 0];
        }
        return Words.failure(attempt);
    }

    UpstreamTraffic traffic(long nowNanos) {
        Map<String, UpstreamTraffic.Latency> latencies = new LinkedHashMap<>();
        for (Part part : TimeParts.PARTS) {
            OptionalLong median = recent[part.index()].percentile(MEDIAN, nowNanos);
            OptionalLong tail = recent[part.index()].percentile(TAIL, nowNanos);
            if (median.isPresent() && tail.isPresent()) {
                latencies.put(part.word(), new UpstreamTraffic.Latency(median.getAsLong(), tail.getAsLong()));
            }
        }
        return new UpstreamTraffic(
                requests.sum(),
                calls.sum(),
                attempted.sum(),
                errors.counts(),
                attempts.counts(),
                suppressed.counts(),
                latencies);
    }

    /** Takes the series out of what is told. */
    void forget() {
        instruments.errors.removeIf(labels -> labels.get(0).equals(upstream));
        instruments.attempts.removeIf(labels -> labels.get(0).equals(upstream));
        instruments.suppressed.removeIf(labels -> labels.get(0).equals(upstream));
        instruments.phases.removeIf(labels -> labels.get(0).equals(upstream));
    }
}
