package dev.escapement.gateway.record;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The series of one route, at hand without a look-up by labels. Any thread. */
final class RouteSeries {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Instruments instruments;
    private final String route;
    private final DistributionDataPoint duration;

    /** By method and code; made when first needed, so that only what occurred is told. */
    private final AtomicReferenceArray<CounterDataPoint> requests =
            new AtomicReferenceArray<>(MethodLabels.COUNT * StatusCodes.COUNT);

    /** How many scrapes in a row did not find the route in the configuration. Written by scrapes, one at a time. */
    int missed;

    RouteSeries(Instruments instruments, String route) {
        this.instruments = instruments;
        this.route = route;
        this.duration = instruments.duration.labelValues(route);
    }

    void count(String method, int status, long totalNanos) {
        int methodIndex = MethodLabels.indexOf(method);
        int codeIndex = StatusCodes.indexOf(status);
        int index = methodIndex * StatusCodes.COUNT + codeIndex;
        CounterDataPoint child = requests.get(index);
        if (child == null) {
            child = instruments.requests.labelValues(
                    route, MethodLabels.label(methodIndex), StatusCodes.label(codeIndex));
            requests.set(index, child);
        }
        child.inc();
        if (totalNanos != TimeParts.NONE) {
            duration.observe(totalNanos / NANOS_PER_SECOND);
        }
    }

    /** Takes the series out of what is told. */
    void forget() {
        instruments.requests.removeIf(labels -> labels.get(0).equals(route));
        instruments.duration.remove(route);
    }
}
