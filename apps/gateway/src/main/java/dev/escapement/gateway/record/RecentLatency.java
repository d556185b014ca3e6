package dev.escapement.gateway.record;

import dev.escapement.measure.LatencyHistogram;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How long things took of late: percentiles over the last 15 to 30 seconds.
 *
 * <p>Two histograms overlap: each length is recorded in both, and every 15 seconds the older one, which is the one asked, gives way to the
 * younger, which a fresh one follows. Thread-safety: any thread. A length recorded while they change places may be missed. Cost: two atomic
 * additions. Memory: 30 kB.
 */
final class RecentLatency {

    static final long HALF_NANOS = Duration.ofSeconds(15).toNanos();

    private record Pair(LatencyHistogram older, LatencyHistogram younger, long sinceNanos) {}

    /** Written under the lock of {@code this}. */
    private volatile Pair pair;

    RecentLatency(long nowNanos) {
        pair = new Pair(new LatencyHistogram(), new LatencyHistogram(), nowNanos);
    }

    void record(long nanos, long nowNanos) {
        Pair now = turned(nowNanos);
        now.older.record(nanos);
        now.younger.record(nanos);
    }

    /** The length that so many percent did not exceed; empty if there was none of late. */
    OptionalLong percentile(double percent, long nowNanos) {
        return turned(nowNanos).older.percentile(percent);
    }

    private Pair turned(long nowNanos) {
        Pair now = pair;
        return nowNanos - now.sinceNanos < HALF_NANOS ? now : turn(nowNanos);
    }

    private synchronized Pair turn(long nowNanos) {
        Pair now = pair;
        long age = nowNanos - now.sinceNanos;
        if (age >= HALF_NANOS) {
            LatencyHistogram older = age < 2 * HALF_NANOS ? now.younger : new LatencyHistogram();
            pair = new Pair(older, new LatencyHistogram(), nowNanos);
        }
        return pair;
    }
}
