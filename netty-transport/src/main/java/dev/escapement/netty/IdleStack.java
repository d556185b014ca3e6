package dev.escapement.netty;

import org.jspecify.annotations.Nullable;

/**
 * Connections that wait for an attempt, last in, first out, so that the few that are needed stay warm and the rest grow old. The
 * links are the connections' own: every operation but the sweep is O(1) and allocates nothing.
 *
 * <p>Confined to the pool's event loop, but for {@link #published}: the size as the loop last made it known to the others. It
 * does so when it has come to rest, so that a connection which passes from hand to hand is never seen here.
 */
final class IdleStack {

    private @Nullable Connection newest;
    private @Nullable Connection oldest;
    private int size;
    private final IdleCount published = new IdleCount();

    int size() {
        return size;
    }

    /** The connection that has lain here longest, which stays. */
    @Nullable
    Connection oldest() {
        return oldest;
    }

    /** The connection that came last, which stays. */
    @Nullable
    Connection newest() {
        return newest;
    }

    void push(Connection connection) {
        connection.olderIdle = newest;
        if (newest == null) {
            oldest = connection;
        } else {
            newest.newerIdle = connection;
        }
        newest = connection;
        size++;
    }

    /** Takes the connection out; false if it was not in. */
    boolean remove(Connection connection) {
        Connection newer = connection.newerIdle;
        Connection older = connection.olderIdle;
        if (newer == null && newest != connection) {
            return false;
        }
        if (newer == null) {
            newest = older;
        } else {
            newer.olderIdle = older;
        }
        if (older == null) {
            oldest = newer;
        } else {
            older.newerIdle = newer;
        }
        connection.newerIdle = null;
        connection.olderIdle = null;
        size--;
        return true;
    }

    /** Closes those that need not be kept at this instant. */
    void sweep(long nowNanos) {
        for (Connection next = oldest; next != null; ) {
            Connection newer = next.newerIdle;
            if (!next.isKept(nowNanos)) {
                next.close();
            }
            next = newer;
        }
    }

    /** Makes the size known. It may be what somebody elsewhere waits for: ask for waiters after this. */
    void publish() {
        published.publish(size);
    }

    /** The size as the loop has made it known. Any thread; a newcomer asks after it has entered the queue. */
    int published() {
        return published.get();
    }
}
