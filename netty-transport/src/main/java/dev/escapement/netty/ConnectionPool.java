package dev.escapement.netty;

import dev.escapement.transport.TransportFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one destination: lent last in, first out, to the loop's own lanes; and to those of other
 * loops where they wait, longest first.
 *
 * <p><b>Places.</b> How many connections there may be, and who waits, the pools of all loops have in common: {@link SharedLimit}.
 * A connect belongs to nobody: whatever comes free first, anywhere, goes to whoever waits longest, and there are as many connects
 * under way as waiters lack a connection. A waiter that leaves takes no connect with it; what comes up without a taker lies idle.
 * The one exception is the replacement of a stale connection, which is its lane's own, takes that one's place and is never
 * an older idle one (R10).
 *
 * <p><b>Moving.</b> A lane that finds nothing idle here, and the limit reached, waits; a loop that has something idle is called,
 * takes it out of the queue and serves it on its own thread. So lanes move and channels do not, a lane moves once, and to
 * a connection that it gets. Load that stays uneven mends itself: what one loop keeps and does not use grows old and leaves its
 * place to the loop that waits.
 *
 * <p>Lending, giving back, waiting and leaving the queue are O(1). Confined to its event loop, but for what says otherwise.
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionPool {

    private final LoopPools pools;
    private final Origin origin;
    private final SharedLimit<Lane, ConnectionPool> limit;
    private final PoolFigures figures = new PoolFigures();

    private final IdleStack idle = new IdleStack();

    /** Whose sockets are not gone yet, oldest first. */
    private final Set<Connection> up = new LinkedHashSet<>();

    private final Set<Connecting> comingUp = new HashSet<>();
    private boolean dispatching;
    private boolean forgotten;

    ConnectionPool(LoopPools pools, Origin origin) {
        this.pools = pools;
        this.origin = origin;
        this.limit = origin.limit();
    }

    LoopPools pools() {
        return pools;
    }

    Settings settings() {
        return pools.settings();
    }

    Origin origin() {
        return origin;
    }

    Destination destination() {
        return origin.destination();
    }

    long nowNanos() {
        return pools.nowNanos();
    }

    /** Any thread. */
    PoolFigures figures() {
        return figures;
    }

    /** How many connections lie idle, as the loop has last made it known. Any thread. */
    int idle() {
        return idle.published();
    }

    /** Whether what is given back is kept for others. */
    boolean isKeeping() {
        return pools.isLending() && pools.isStaying();
    }

    // Lanes.

    /** Lends a connection to the lane now, queues it, or refuses it. */
    void acquire(Lane lane) {
        lane.stand(this);
        if (!pools.isLending()) {
            lane.refused(pools.closedFailure());
            return;
        }
        long nowNanos = nowNanos();
        if (limit.waiting() == 0) {
            Connection usable = newestUsable(nowNanos);
            if (usable != null) {
                lend(usable, lane, nowNanos);
                return;
            }
        }
        switch (limit.enter(lane, nowNanos)) {
            case CLOSED -> lane.refused(pools.closedFailure());
            case FULL -> lane.refused(origin.exhausted(nowNanos));
            case QUEUED -> {
                // From here on the lane may be any loop's. One that has a connect of its own waits for that.
                if (!dispatch()) {
                    callIdleIfShort();
                }
            }
        }
    }

    /** Closes a stale connection and makes one for its lane alone, in its place: no waiter comes between (R10). */
    void replace(Connection stale, long discardedBytes, Lane lane) {
        pools.counters().add(LoopCounters.REPLACED, 1);
        stale.passPlaceOn();
        connect(lane);
        stale.poison(Poison.STALE, discardedBytes);
    }

    /** The lane, which does not wait in the queue, wants nothing any more. */
    void forget(Lane lane) {
        Connecting own = lane.dedicated;
        if (own != null) {
            lane.dedicated = null;
            own.giveToAnyone();
            limit.adopt();
        }
    }

    // Connections.

    /** Back from a lane, fit to be lent again. */
    void giveBack(Connection connection) {
        if (!pools.isLending()) {
            connection.close();
            return;
        }
        figures.add(PoolFigures.ACTIVE, -1);
        lieIdle(connection);
    }

    /** Closed in good order. */
    void leaves(Connection connection) {
        if (idle.remove(connection)) {
            idle.publish();
        } else {
            figures.add(PoolFigures.ACTIVE, -1);
        }
    }

    void poisoned(Connection connection, Poison reason, long discardedBytes) {
        leaves(connection);
        pools.counters().poisoned(reason, discardedBytes);
    }

    /** The socket is gone, no lane holds it any more, and its place is free unless another connection has it. */
    void gone(Connection connection, boolean hasPlace) {
        up.remove(connection);
        tellOldest();
        if (hasPlace) {
            origin.placeFreed(this);
        }
        pools.shrunk(this);
    }

    private void lend(Connection connection, Lane lane, long nowNanos) {
        idle.remove(connection);
        idle.publish();
        connection.lent(nowNanos);
        lendNew(connection, lane);
    }

    private void lendNew(Connection connection, Lane lane) {
        figures.add(PoolFigures.ACTIVE, 1);
        figures.add(PoolFigures.USES, 1);
        lane.leased(connection);
    }

    private void lieIdle(Connection connection) {
        connection.idleFrom(nowNanos());
        idle.push(connection);
        dispatch();
    }

    /** The connection that came last and can be lent, which stays; closes those that lie above it. */
    private @Nullable Connection newestUsable(long nowNanos) {
        Connection newest = idle.newest();
        while (newest != null && !newest.isUsable(nowNanos)) {
            newest.close();
            newest = idle.newest();
        }
        return newest;
    }

    /** Closes what has lain idle too long, lived too long, or leads where the name no longer does. */
    void sweep(long nowNanos) {
        idle.sweep(nowNanos);
    }

    private void tellOldest() {
        Iterator<Connection> oldest = up.iterator();
        figures.set(
                PoolFigures.OLDEST_OPENED_NANOS,
                oldest.hasNext() ? oldest.next().openedNanos() : PoolFigures.NONE);
    }

    // Matching the two.

    /**
     * Lends what is idle to who waits, starts the connects that are lacking, and tells the other loops what is left. One round at
     * a time: what a lane does on being served may come back here, and the round in progress sees it.
     *
     * @return whether connects were started
     */
    private boolean dispatch() {
        if (dispatching) {
            return false;
        }
        dispatching = true;
        try {
            boolean connects = false;
            do {
                serve();
                connects |= connectWhatIsLacking();
                idle.publish();
                // Asked after the others could see what lies here, so that whoever came meanwhile is seen.
            } while (limit.waiting() > 0 && newestUsable(nowNanos()) != null);
            return connects;
        } finally {
            dispatching = false;
        }
    }

    private void serve() {
        while (limit.waiting() > 0) {
            long nowNanos = nowNanos();
            Connection usable = newestUsable(nowNanos);
            Lane lane = usable == null ? null : limit.take(this);
            if (usable == null || lane == null) {
                return;
            }
            if (lane.moved) {
                pools.counters().add(LoopCounters.STOLEN, 1);
            }
            lend(usable, lane, nowNanos);
        }
    }

    private boolean connectWhatIsLacking() {
        boolean connects = false;
        while (limit.waiting() > 0 && canConnect() && limit.reserve() != null) {
            connect(null);
            connects = true;
        }
        return connects;
    }

    /** A connect that is under way may take its time, or fail; what lies idle elsewhere is there. */
    private void callIdleIfShort() {
        if (limit.isShort()) {
            origin.callIdle(this);
        }
    }

    /** Somebody waits, and something lies idle here: false if the loop has ended. Any thread. */
    boolean call() {
        return pools.tryExecute(() -> {
            dispatch();
            // What lay here may have gone to another, and a third loop may have something.
            callIdleIfShort();
        });
    }

    /** Makes a connection for whoever waits, in a place that has been reserved; false if the loop has ended. Any thread. */
    boolean connectSoon() {
        return !pools.isEnding()
                && pools.tryExecute(() -> {
                    if (canConnect()) {
                        connect(null);
                    } else {
                        limit.unreserve();
                        origin.connectIfLacking(this);
                    }
                });
    }

    private boolean canConnect() {
        return pools.isLending() && !pools.isEnding() && !forgotten;
    }

    private void connect(@Nullable Lane only) {
        Connecting connecting = new Connecting(this, only);
        comingUp.add(connecting);
        figures.add(PoolFigures.CONNECTING, 1);
        if (only != null) {
            only.dedicated = connecting;
        }
        connecting.start();
    }

    /** A connection has come up, for one lane or for whoever waits. */
    void cameUp(Connecting connecting, Connection connection) {
        Lane only = ended(connecting);
        up.add(connection);
        tellOldest();
        connection.cameUp();
        pools.counters().add(LoopCounters.OPENED, 1);
        connection.idleFrom(nowNanos());
        if (only != null) {
            only.dedicated = null;
            lendNew(connection, only);
            return;
        }
        limit.cameUp();
        if (pools.isLending()) {
            lieIdle(connection);
        } else {
            figures.add(PoolFigures.ACTIVE, 1);
            connection.close();
        }
    }

    /** None has come up: the lane it was for, or else the one that waits longest, is told. */
    void failed(Connecting connecting, TransportFailure failure) {
        Lane only = ended(connecting);
        if (only != null) {
            only.dedicated = null;
            only.refused(failure);
            origin.placeFreed(this);
        } else if (pools.isEnding()) {
            // This loop's end is no news of the destination: another loop makes the connection.
            limit.unreserve();
            origin.connectIfLacking(this);
        } else {
            Lane told = limit.failed(this);
            if (told != null) {
                told.refused(failure);
            }
            origin.connectIfLacking(this);
        }
        pools.shrunk(this);
    }

    private @Nullable Lane ended(Connecting connecting) {
        comingUp.remove(connecting);
        figures.add(PoolFigures.CONNECTING, -1);
        return connecting.only();
    }

    // Closing.

    /** Whether nothing is left that this pool would be needed for. */
    boolean isEmpty() {
        return up.isEmpty() && comingUp.isEmpty() && limit.waiting() == 0;
    }

    /** The loop knows this pool no more. */
    void beForgotten() {
        forgotten = true;
    }

    /** Lends no more: who waits is refused, what lies idle is closed. */
    void stopLending() {
        limit.close();
        refuseAll();
        for (Connection connection = idle.newest(); connection != null; connection = idle.newest()) {
            connection.close();
        }
    }

    /** Nobody can serve those who wait any more. */
    void refuseAll() {
        for (Lane lane = limit.take(this); lane != null; lane = limit.take(this)) {
            lane.refused(pools.closedFailure());
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

    /** The loop has ended without having been told to close: what it had no end for gives its place to the other loops. */
    void loopEnded() {
        for (Connecting connecting : new ArrayList<>(comingUp)) {
            failed(connecting, pools.closedFailure());
        }
        for (Connection connection : new ArrayList<>(up)) {
            connection.gone();
        }
    }
}
