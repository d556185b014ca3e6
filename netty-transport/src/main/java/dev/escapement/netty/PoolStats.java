package dev.escapement.netty;

import java.util.Collections;
import java.util.EnumMap;
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
 * @param poisoned connections closed although nobody had asked for it, by reason; reasons that did not occur are absent
 * @param discardedBytes bytes of replies that were read and thrown away
 */
public record PoolStats(
        long active,
        long idle,
        long connecting,
        long waiting,
        long opened,
        long replaced,
        Map<Poison, Long> poisoned,
        long discardedBytes) {

    public PoolStats {
        poisoned =
                Collections.unmodifiableMap(poisoned.isEmpty() ? new EnumMap<>(Poison.class) : new EnumMap<>(poisoned));
    }

    static PoolStats sum(Iterable<LoopCounters> loops) {
        long[] figures = new long[LoopCounters.DISCARDED_BYTES + 1];
        Map<Poison, Long> poisoned = new EnumMap<>(Poison.class);
        for (LoopCounters loop : loops) {
            for (int i = 0; i < figures.length; i++) {
                figures[i] += loop.get(i);
            }
            for (Poison reason : Poison.values()) {
                long count = loop.get(reason);
                if (count > 0) {
                    poisoned.merge(reason, count, Long::sum);
                }
            }
        }
        return new PoolStats(
                figures[LoopCounters.ACTIVE],
                figures[LoopCounters.IDLE],
                figures[LoopCounters.CONNECTING],
                figures[LoopCounters.WAITING],
                figures[LoopCounters.OPENED],
                figures[LoopCounters.REPLACED],
                poisoned,
                figures[LoopCounters.DISCARDED_BYTES]);
    }
}
