package dev.escapement.netty;

import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one destination: lent last in, first out; lanes that find none wait first in, first out.
 *
 * <p><b>Counts.</b> {@code open} counts connections up and on their way up, and is at most the maximum. A connect belongs to nobody:
 * whatever comes free first goes to whoever waits longest, and there are as many connects under way as waiters lack a
 * connection. A waiter that leaves takes no connect with it; what comes up without a taker lies idle. The one exception
 * is the replacement of a stale connection, which is its lane's own and never an older idle one (R10).
 *
 * <p>Lending, giving back, waiting and leaving the queue are O(1). Confined to its event loop.
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionPool {

    private final LoopPools pools;
    private final Destination destination;
    private final int maxConnections;
    private final int maxWaiters;

    private final IdleStack idle = new IdleStack();
    private final WaitQueue waiters = new WaitQueue();
    private int open;

    /** Connects that are for whoever waits; those for one lane alone are not counted here. */
    private int connectingForAll;

    private final Set<Connection> up = new HashSet<>();
    private final Set<Connecting> comingUp = new HashSet<>();
    private boolean dispatching;

    ConnectionPool(LoopPools pools, Destination destination) {
        this.pools = pools;
        this.destination = destination;
        this.maxConnections = pools.settings().maxConnections();
        this.maxWaiters = pools.settings().maxWaiters();
    }

    LoopPools pools() {
        return pools;
    }

    Settings settings() {
        return pools.settings();
    }

    Destination destination() {
        return destination;
    }

    long nowNanos() {
        return pools.nowNanos();
    }

    boolean isLending() {
        return pools.isLending();
    }

    boolean isEmpty() {
        return open == 0 && waiters.isEmpty();
    }

    // Lanes.

    /** Lends a connection to the lane now, queues it, or refuses it. */
    void acquire(Lane lane) {
        if (!pools.isLending()) {
            lane.refused(pools.closedFailure());
            return;
        }
        if (waiters.isEmpty()) {
            Connection usable = takeIdle();
            if (usable != null) {
                lend(usable, lane);
                return;
            }
        }
        if (open >= maxConnections && waiters.size() - connectingForAll >= maxWaiters) {
            lane.refused(TransportFailure.of(
                    Kind.POOL_EXHAUSTED, "no connection to " + destination + " is free: " + describe()));
            return;
        }
        enqueue(lane);
        dispatch();
    }

    /** Closes a stale connection and makes one for its lane alone, in its place: no waiter comes between (R10). */
    void replace(Connection stale, long discardedBytes, Lane lane) {
        pools.counters().add(LoopCounters.REPLACED, 1);
        connect(lane);
        stale.poison(Poison.STALE, discardedBytes);
    }

    /** The lane wants nothing any more. */
    void forget(Lane lane) {
        if (lane.queued) {
            dequeue(lane);
        }
        Connecting own = lane.dedicated;
        if (own != null) {
            lane.dedicated = null;
            own.giveToAnyone();
            connectingForAll++;
        }
    }

    private void enqueue(Lane lane) {
        lane.waitingSinceNanos = nowNanos();
        waiters.add(lane);
        pools.counters().add(LoopCounters.WAITING, 1);
    }

    private void dequeue(Lane lane) {
        waiters.remove(lane);
        pools.counters().add(LoopCounters.WAITING, -1);
    }

    // Connections.

    /** Back from a lane, fit to be lent again. */
    void giveBack(Connection connection) {
        if (!pools.isLending()) {
            connection.close();
            return;
        }
        pools.counters().add(LoopCounters.ACTIVE, -1);
        lieIdle(connection);
        if (!waiters.isEmpty()) {
            dispatch();
        }
    }

    /** Closed in good order. */
    void leaves(Connection connection) {
        if (!unlinkIdle(connection)) {
            pools.counters().add(LoopCounters.ACTIVE, -1);
        }
    }

    void poisoned(Connection connection, Poison reason, long discardedBytes) {
        leaves(connection);
        pools.counters().poisoned(reason, discardedBytes);
    }

    /** The socket is gone, and its place with it. */
    void gone(Connection connection) {
        up.remove(connection);
        open--;
        dispatch();
        pools.shrunk(this);
    }

    private void lend(Connection connection, Lane lane) {
        pools.counters().add(LoopCounters.ACTIVE, 1);
        lane.leased(connection);
    }

    private void lieIdle(Connection connection) {
        connection.idleFrom(nowNanos());
        idle.push(connection);
        pools.counters().add(LoopCounters.IDLE, 1);
        pools.sweepLater();
    }

    private @Nullable Connection takeIdle() {
        Connection newest = idle.newest();
        if (newest == null) {
            return null;
        }
        long nowNanos = nowNanos();
        while (newest != null && !newest.isUsable(nowNanos)) {
            newest.close();
            newest = idle.newest();
        }
        if (newest != null) {
            unlinkIdle(newest);
            newest.lent(nowNanos);
        }
        return newest;
    }

    private boolean unlinkIdle(Connection connection) {
        boolean wasIdle = idle.remove(connection);
        if (wasIdle) {
            pools.counters().add(LoopCounters.IDLE, -1);
        }
        return wasIdle;
    }

    /** Closes what has lain idle too long, or lived too long. */
    void sweep(long nowNanos) {
        idle.sweep(nowNanos);
    }

    boolean hasIdle() {
        return idle.size() > 0;
    }

    // Matching the two.

    /**
     * Lends what is idle to who waits, and starts the connects that are lacking. One round at a time: what a lane does on being
     * served may come back here, and the round in progress sees it.
     */
    private void dispatch() {
        if (dispatching) {
            return;
        }
        dispatching = true;
        try {
            for (Lane lane = waiters.first(); lane != null; lane = waiters.first()) {
                Connection usable = takeIdle();
                if (usable == null) {
                    break;
                }
                dequeue(lane);
                lend(usable, lane);
            }
            while (connectingForAll < waiters.size() && open < maxConnections && pools.isLending()) {
                connectingForAll++;
                connect(null);
            }
        } finally {
            dispatching = false;
        }
    }

    private void connect(@Nullable Lane only) {
        open++;
        pools.counters().add(LoopCounters.CONNECTING, 1);
        Connecting connecting = new Connecting(this, only);
        comingUp.add(connecting);
        if (only != null) {
            only.dedicated = connecting;
        }
        connecting.start();
    }

    /** A connection has come up, for one lane or for whoever waits. */
    void cameUp(Connecting connecting, Connection connection) {
        Lane only = ended(connecting);
        up.add(connection);
        connection.cameUp();
        pools.counters().add(LoopCounters.OPENED, 1);
        connection.channel().closeFuture().addListener(closed -> gone(connection));
        connection.idleFrom(nowNanos());
        if (only != null) {
            only.dedicated = null;
            lend(connection, only);
        } else if (pools.isLending()) {
            lieIdle(connection);
            dispatch();
        } else {
            pools.counters().add(LoopCounters.ACTIVE, 1);
            connection.close();
        }
    }

    /** None has come up: the lane it was for, or else the one that waits longest, is told. */
    void failed(Connecting connecting, TransportFailure failure) {
        Lane only = ended(connecting);
        open--;
        Lane told = only != null ? only : waiters.first();
        if (only != null) {
            only.dedicated = null;
        } else if (told != null) {
            dequeue(told);
        }
        if (told != null) {
            told.refused(failure);
        }
        dispatch();
        pools.shrunk(this);
    }

    private @Nullable Lane ended(Connecting connecting) {
        comingUp.remove(connecting);
        pools.counters().add(LoopCounters.CONNECTING, -1);
        Lane only = connecting.only();
        if (only == null) {
            connectingForAll--;
        }
        return only;
    }

    // Closing.

    /** Lends no more: who waits is refused, what lies idle is closed. */
    void stopLending() {
        for (Lane lane = waiters.first(); lane != null; lane = waiters.first()) {
            lane.refused(pools.closedFailure());
        }
        for (Connection connection = idle.newest(); connection != null; connection = idle.newest()) {
            connection.close();
        }
    }

    /** Closes everything. */
    void closeNow() {
        stopLending();
        for (Connecting connecting : new ArrayList<>(comingUp)) {
            connecting.abort();
        }
        for (Connection connection : new ArrayList<>(up)) {
            connection.closeLocally();
        }
    }

    private String describe() {
        Lane oldest = waiters.first();
        return "limit " + maxConnections + ", active " + (up.size() - idle.size()) + ", idle " + idle.size()
                + ", connecting "
                + comingUp.size()
                + ", waiting " + waiters.size() + " of " + maxWaiters + ", longest for "
                + (oldest == null ? 0 : (nowNanos() - oldest.waitingSinceNanos) / 1_000_000) + " ms";
    }
}
