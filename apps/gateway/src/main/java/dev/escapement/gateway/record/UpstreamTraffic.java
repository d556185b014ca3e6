package dev.escapement.gateway.record;

import java.util.Map;

/**
 * What has passed through one upstream since its first request. Immutable.
 *
 * @param requests that were routed to it and have ended
 * @param calls those of them for which a call was made
 * @param attempts of those calls
 * @param errors by reason
 * @param outcomes attempts by how they ended
 * @param suppressed retries not made, by reason
 * @param latencies by part of the time, in order, over the last 15 to 30 seconds; parts without any are absent
 */
public record UpstreamTraffic(
        long requests,
        long calls,
        long attempts,
        Map<String, Long> errors,
        Map<String, Long> outcomes,
        Map<String, Long> suppressed,
        Map<String, Latency> latencies) {

    /** Of an upstream that nobody has asked for anything. */
    public static final UpstreamTraffic NONE = new UpstreamTraffic(0, 0, 0, Map.of(), Map.of(), Map.of(), Map.of());

    /** Percentiles, in nanoseconds. */
    public record Latency(long medianNanos, long p99Nanos) {}
}
