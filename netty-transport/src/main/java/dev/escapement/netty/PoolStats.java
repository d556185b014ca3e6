package dev.escapement.netty;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a transport holds and has done: the sum over its event loops at about one moment. The figures are read one after
 * another while the loops go on, so they need not add up; at rest they do.
 *
 * @param active connections that serve an attempt
 * @param idle connections that wait for one
 * @param connecting connections on their way up, name lookup and TLS included
 * @param waiting attempts that wait for a connection
 * @param opened connections that came up since the start
 * @param replaced stale connections that were replaced inside their attempt (R10)
 * @param stolen attempts that moved to the connection of another event loop, since their own had none to give: many of them
 *     beside idle connections mean that load lies unevenly on the loops
 * @param poisoned connections closed although nobody had asked for it, by reason; reasons that did not occur are absent
 * @param discardedBytes bytes of replies that were read and thrown away
 * @param destinationCount how many destinations the transport knows at present
 * @param destinations those of them where most attempts wait, then where most connections are open: {@value #MOST_DESTINATIONS}
 *     at most (G5)
 */
public record PoolStats(
        long active,
        long idle,
        long connecting,
        long waiting,
        long opened,
        long replaced,
        long stolen,
        Map<Poison, Long> poisoned,
        long discardedBytes,
        int destinationCount,
        List<DestinationStats> destinations) {

    /** How many destinations are told one by one. */
    public static final int MOST_DESTINATIONS = 64;

    private static final Comparator<DestinationStats> BUSIEST = Comparator.comparingInt(DestinationStats::waiting)
            .thenComparingInt(DestinationStats::open)
            .reversed()
            .thenComparing(DestinationStats::destination);

    public PoolStats {
        poisoned =
                Collections.unmodifiableMap(poisoned.isEmpty() ? new EnumMap<>(Poison.class) : new EnumMap<>(poisoned));
        destinations = List.copyOf(destinations);
    }

    static PoolStats of(Iterable<LoopCounters> loops, Iterable<Origin> origins, long nowNanos) {
        List<DestinationStats> destinations = new ArrayList<>();
        long active = 0;
        long idle = 0;
        long connecting = 0;
        long waiting = 0;
        for (Origin origin : origins) {
            DestinationStats stats = origin.stats(nowNanos);
            destinations.add(stats);
            active += stats.active();
            idle += stats.idle();
            connecting += stats.connecting();
            waiting += stats.waiting();
        }
        destinations.sort(BUSIEST);
        long opened = 0;
        long replaced = 0;
        long stolen = 0;
        long discardedBytes = 0;
        Map<Poison, Long> poisoned = new EnumMap<>(Poison.class);
        for (LoopCounters loop : loops) {
            opened += loop.get(LoopCounters.OPENED);
            replaced += loop.get(LoopCounters.REPLACED);
            stolen += loop.get(LoopCounters.STOLEN);
            discardedBytes += loop.get(LoopCounters.DISCARDED_BYTES);
            for (Poison reason : Poison.values()) {
                long count = loop.get(reason);
                if (count > 0) {
                    poisoned.merge(reason, count, Long::sum);
                }
            }
        }
        return new PoolStats(
                active,
                idle,
                connecting,
                waiting,
                opened,
                replaced,
                stolen,
                poisoned,
                discardedBytes,
                destinations.size(),
                destinations.subList(0, Math.min(destinations.size(), MOST_DESTINATIONS)));
    }
}
