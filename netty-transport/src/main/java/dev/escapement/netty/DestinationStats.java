package dev.escapement.netty;

import java.time.Duration;

/**
 * What a transport holds for one destination, over all its event loops, at about one moment. The figures are read one after
 * another while the loops go on, so they need not add up; at rest they do.
 *
 * @param destination the endpoint and, under TLS, whose name is verified there if another's
 * @param limit how many connections there may be
 * @param open places taken of that limit: connections up, on their way up, and on their way down
 * @param active connections that serve an attempt
 * @param idle connections that wait for one
 * @param connecting connections on their way up, name lookup and TLS included
 * @param waiting attempts that wait for a connection
 * @param oldestWait how long the one that has waited longest has; zero if none waits
 * @param oldestConnection the age of the oldest connection; zero if there is none
 * @param uses how often a connection was lent, since the transport has known this destination
 */
public record DestinationStats(
        String destination,
        int limit,
        int open,
        int active,
        int idle,
        int connecting,
        int waiting,
        Duration oldestWait,
        Duration oldestConnection,
        long uses) {

    static DestinationStats of(
            Destination destination, SharedLimit<Lane, ConnectionPool> limit, ConnectionPool[] pools, long nowNanos) {
        long active = 0;
        long idle = 0;
        long connecting = 0;
        long uses = 0;
        long oldestOpenedNanos = nowNanos;
        for (ConnectionPool pool : pools) {
            PoolFigures figures = pool.figures();
            active += figures.get(PoolFigures.ACTIVE);
            idle += pool.idle();
            connecting += figures.get(PoolFigures.CONNECTING);
            uses += figures.get(PoolFigures.USES);
            oldestOpenedNanos = Math.min(oldestOpenedNanos, figures.get(PoolFigures.OLDEST_OPENED_NANOS));
        }
        return new DestinationStats(
                destination.toString(),
                limit.limit(),
                limit.open(),
                (int) active,
                (int) idle,
                (int) connecting,
                limit.waiting(),
                Duration.ofNanos(limit.oldestWaitNanos(nowNanos)),
                Duration.ofNanos(nowNanos - oldestOpenedNanos),
                uses);
    }
}
