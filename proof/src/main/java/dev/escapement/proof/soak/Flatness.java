package dev.escapement.proof.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Whether what a process holds at rest stays where it is while work goes on.
 *
 * <p>The first third of the readings is warming up: classes are loaded, pools reach their size. Of the rest, the least of
 * the last third is held against the greatest of the first third: pools breathe, so that single readings go up and down, but what
 * grows without end leaves its former height behind for good. Confined to one thread.
 */
final class Flatness {

    /** Fewer readings say nothing. */
    static final int FEWEST = 9;

    private static final long SLACK_BYTES = 512 * 1024;

    private final List<Gauges> readings = new ArrayList<>();

    void add(Gauges reading) {
        readings.add(reading);
    }

    /** What has grown; empty if nothing has, or there are fewer than {@link #FEWEST} readings. */
    Optional<String> growth() {
        if (readings.size() < FEWEST) {
            return Optional.empty();
        }
        List<String> grown = new ArrayList<>();
        judge("heap bytes", Gauges::heapBytes, SLACK_BYTES, grown);
        judge("direct bytes", Gauges::directBytes, SLACK_BYTES, grown);
        judge("threads", Gauges::threads, 0, grown);
        judge("descriptors", Gauges::descriptors, 0, grown);
        return grown.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", grown));
    }

    private void judge(String what, ToLongFunction<Gauges> figure, long slack, List<String> grown) {
        int warm = readings.size() / 3;
        int part = (readings.size() - warm) / 3;
        long before = readings.subList(warm, warm + part).stream()
                .mapToLong(figure)
                .max()
                .orElseThrow();
        long after = readings.subList(readings.size() - part, readings.size()).stream()
                .mapToLong(figure)
                .min()
                .orElseThrow();
        if (after > before + slack) {
            grown.add(what + " from at most " + before + " to at least " + after);
        }
    }
}
