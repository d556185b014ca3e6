package dev.escapement.netty;

import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import java.net.InetAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One destination as all event loops of a transport see it: the limit they share, the pools that each of them has, and the
 * addresses that the name stands for at present.
 *
 * <p>Any thread. Nothing here is written while connections are lent and given back and nobody waits.
 */
final class Origin {

    private final Destination destination;
    private final SharedLimit<Lane, ConnectionPool> limit;

    /** A pool for each loop that has something to do with this destination; written inside {@link Origins}, replaced as a whole. */
    private volatile ConnectionPool[] pools = {};

    /** What the name stands for; null for whatever it may be. Written by whoever looks names up, replaced as a whole. */
    private volatile @Nullable Set<InetAddress> addresses;

    Origin(Destination destination, int maxConnections, int maxWaiters) {
        this.destination = destination;
        this.limit = new SharedLimit<>(maxConnections, maxWaiters);
    }

    Destination destination() {
        return destination;
    }

    SharedLimit<Lane, ConnectionPool> limit() {
        return limit;
    }

    // Pools.

    /** Inside {@link Origins} alone. */
    void add(ConnectionPool pool) {
        ConnectionPool[] before = pools;
        ConnectionPool[] after = new ConnectionPool[before.length + 1];
        System.arraycopy(before, 0, after, 0, before.length);
        after[before.length] = pool;
        pools = after;
    }

    /** Inside {@link Origins} alone; true if that was the last one. */
    boolean remove(ConnectionPool pool) {
        ConnectionPool[] before = pools;
        ConnectionPool[] after = new ConnectionPool[Math.max(0, before.length - 1)];
        int kept = 0;
        for (ConnectionPool other : before) {
            if (other != pool) {
                after[kept++] = other;
            }
        }
        pools = after;
        return kept == 0;
    }

    /**
     * Somebody waits, and this pool has nothing idle: another loop that has is asked to serve. It asks the next one in its
     * turn if it comes too late. O(loops).
     */
    void callIdle(ConnectionPool asking) {
        for (ConnectionPool pool : pools) {
            if (pool != asking && pool.idle() > 0 && pool.call()) {
                return;
            }
        }
    }

    /** A place has come free on this pool's loop: the next connection is made where it is waited for longest. */
    void placeFreed(ConnectionPool here) {
        connectFor(limit.freed(), here);
    }

    /** Whoever still waits may lack a connection. */
    void connectIfLacking(ConnectionPool here) {
        if (limit.waiting() > 0) {
            connectFor(limit.reserve(), here);
        }
    }

    /** A place has been taken for this waiter: the connection is made on its loop, or else on any that runs. */
    void connectFor(@Nullable Lane waiter, ConnectionPool here) {
        if (waiter == null) {
            return;
        }
        ConnectionPool there = waiter.place();
        if ((there != null && there.connectSoon()) || here.connectSoon()) {
            return;
        }
        for (ConnectionPool pool : pools) {
            if (pool.connectSoon()) {
                return;
            }
        }
        limit.unreserve();
        here.refuseAll();
    }

    // Addresses.

    /**
     * What the destination's name stands for from now on. Connections to any other address are closed when they are given
     * back, or by the next sweep where they lie idle; none is cut in the middle of an attempt. An empty set says nothing:
     * every address counts as current then.
     */
    void addressesAre(Set<InetAddress> current) {
        addresses = current.isEmpty() ? null : Set.copyOf(current);
    }

    /** Whether the name still stands for this address. */
    boolean isCurrent(InetAddress address) {
        Set<InetAddress> current = addresses;
        return current == null || current.contains(address);
    }

    // Figures.

    /** What a lane is told that is one too many. */
    TransportFailure exhausted(long nowNanos) {
        DestinationStats now = stats(nowNanos);
        return TransportFailure.of(
                Kind.POOL_EXHAUSTED,
                "no connection to " + destination + " is free: limit " + now.limit() + ", active " + now.active()
                        + ", idle " + now.idle()
                        + ", connecting " + now.connecting()
                        + ", waiting " + now.waiting() + " of " + limit.maxWaiters()
                        + ", longest for " + now.oldestWait().toMillis() + " ms");
    }

    DestinationStats stats(long nowNanos) {
        return DestinationStats.of(destination, limit, pools, nowNanos);
    }
}
