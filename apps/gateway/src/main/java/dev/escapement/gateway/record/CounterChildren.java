package dev.escapement.gateway.record;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The series of a counter that share their first label, kept at hand by the second, which is a word of a closed list. Any thread. */
final class CounterChildren {

    private final Counter counter;
    private final String first;
    private final ConcurrentHashMap<String, CounterDataPoint> bySecond = new ConcurrentHashMap<>();

    CounterChildren(Counter counter, String first) {
        this.counter = counter;
        this.first = first;
    }

    void increment(String second) {
        CounterDataPoint child = bySecond.get(second);
        if (child == null) {
            child = bySecond.computeIfAbsent(second, word -> counter.labelValues(first, word));
        }
        child.inc();
    }

    /** The counts, in alphabetical order of their words. */
    Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        bySecond.forEach((word, child) -> counts.put(word, child.getLongValue()));
        return counts;
    }
}
