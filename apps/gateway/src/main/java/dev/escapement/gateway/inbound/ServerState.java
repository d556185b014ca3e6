package dev.escapement.gateway.inbound;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.time.MonotonicClock;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;

/** What the connections of one server share. Any thread. */
final class ServerState {

    final Supplier<GatewayConfig> config;
    final RequestHandler handler;
    final MonotonicClock clock = MonotonicClock.system();
    final DateLine date = new DateLine();

    private final Set<ClientHandler> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong beyondLimit = new AtomicLong();
    private final AtomicLongArray refused = new AtomicLongArray(Refusal.values().length);
    private final CompletableFuture<Void> allClosed = new CompletableFuture<>();

    /** Set once, by whoever stops the server. */
    private volatile boolean draining;

    /** Set once the listening socket is closed: the last connection's end is the end of all. */
    private volatile boolean closed;

    ServerState(Supplier<GatewayConfig> config, RequestHandler handler) {
        this.config = config;
        this.handler = handler;
    }

    /** Makes room for one more connection, or counts that there was none. */
    boolean admit() {
        accepted.incrementAndGet();
        if (open.incrementAndGet() <= config.get().inbound().maxConnections()) {
            return true;
        }
        beyondLimit.incrementAndGet();
        left();
        return false;
    }

    /** A number for a connection that was admitted. */
    long opened(ClientHandler connection) {
        connections.add(connection);
        return ids.incrementAndGet();
    }

    void closed(ClientHandler connection) {
        if (connections.remove(connection)) {
            left();
        }
    }

    private void left() {
        if (open.decrementAndGet() == 0 && closed) {
            allClosed.complete(null);
        }
    }

    /** No connection comes any more. */
    void noMore() {
        closed = true;
        if (open.get() == 0) {
            allClosed.complete(null);
        }
    }

    CompletableFuture<Void> allClosed() {
        return allClosed;
    }

    Iterable<ClientHandler> connections() {
        return connections;
    }

    void count(Refusal why) {
        refused.incrementAndGet(why.ordinal());
    }

    void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }

    InboundFigures figures() {
        int[] of = new int[ClientHandler.Phase.values().length];
        for (ClientHandler connection : connections) {
            of[connection.phase().ordinal()]++;
        }
        long[] rules = new long[refused.length()];
        for (int i = 0; i < rules.length; i++) {
            rules[i] = refused.get(i);
        }
        return new InboundFigures(
                of[ClientHandler.Phase.ACTIVE.ordinal()],
                of[ClientHandler.Phase.IDLE.ordinal()],
                of[ClientHandler.Phase.CLOSING.ordinal()],
                accepted.get(),
                beyondLimit.get(),
                rules);
    }
}
