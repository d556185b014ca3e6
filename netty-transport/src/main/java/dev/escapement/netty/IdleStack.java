package dev.escapement.netty;

import org.jspecify.annotations.Nullable;

/**
 * Connections that wait for an attempt, last in, first out, so that the few that are needed stay warm and the rest grow old. The
 * links are the connections' own: every operation but the sweep is O(1) and allocates nothing. Confined to the pool's
 * event loop.
 */
final class IdleStack {

    private @Nullable Connection newest;
    private @Nullable Connection oldest;
    private int size;

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

    /** Closes those that may not be lent at this instant. */
    void sweep(long nowNanos) {
        for (Connection next = oldest; next != null; ) {
            Connection newer = next.newerIdle;
            if (!next.isUsable(nowNanos)) {
                next.close();
            }
            next = newer;
        }
    }
}
