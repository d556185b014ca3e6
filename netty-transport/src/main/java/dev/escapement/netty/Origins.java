package dev.escapement.netty;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The destinations that a transport knows at present: those to which some event loop has a pool. Any thread; one at a time
 * per destination, and only where a pool begins or ends.
 */
final class Origins {

    private final int maxConnections;
    private final int maxWaiters;
    private final Map<Destination, Origin> known = new ConcurrentHashMap<>();

    Origins(Settings settings) {
        this.maxConnections = settings.maxConnections();
        this.maxWaiters = settings.maxWaiters();
    }

    /** A new pool of that loop's for that destination. */
    ConnectionPool newPool(LoopPools loop, Destination destination) {
        List<ConnectionPool> made = new ArrayList<>(1);
        known.compute(destination, (key, found) -> {
            Origin origin = found != null ? found : new Origin(key, maxConnections, maxWaiters);
            ConnectionPool pool = new ConnectionPool(loop, origin);
            origin.add(pool);
            made.add(pool);
            return origin;
        });
        return made.get(0);
    }

    /** That pool has ended, and with the last one the destination is forgotten (G5). */
    void forget(ConnectionPool pool) {
        known.computeIfPresent(
                pool.destination(), (key, origin) -> origin == pool.origin() && origin.remove(pool) ? null : origin);
    }

    /** Those known at about this moment. */
    List<Origin> all() {
        return new ArrayList<>(known.values());
    }
}
