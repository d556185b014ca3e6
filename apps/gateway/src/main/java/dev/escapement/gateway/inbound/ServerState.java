package dev.escapement.gateway.inbound;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.time.MonotonicClock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

    /** One for each rule; the map itself does not change. */
    private final Map<Refusal, LongAdder> refused = new EnumMap<>(Refusal.class);

    private final CompletableFuture<Void> allClosed = new CompletableFuture<>();

    /** Set once, by whoever stops the server. */
    private volatile boolean draining;

    /** Set once the listening socket is closed: the last connection's end is the end of all. */
    private volatile boolean closed;

    ServerState(Supplier<GatewayConfig> config, RequestHandler handler) {
        this.config = config;
        this.handler = handler;
        for (Refusal rule : Refusal.values()) {
            refused.put(rule, new LongAdder());
        }
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

    /** A number for a connection. */
    long nextId() {
        return ids.incrementAndGet();
    }

    /** A connection that is told of from here on. */
    void opened(ClientHandler connection) {
        connections.add(connection);
    }

    void closed(ClientHandler connection) {
        connections.remove(connection);
    }

    /** One that was admitted is closed. */
    void left() {
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
        known(refused.get(why)).increment();
    }

    private static <T> T known(@Nullable T value) {
        return Objects.requireNonNull(value, "each rule has a count");
    }

    void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }

    InboundFigures figures() {
        int active = 0;
        int idle = 0;
        int closing = 0;
        for (ClientHandler connection : connections) {
            switch (connection.phase()) {
                case ACTIVE -> active++;
                case IDLE -> idle++;
                case CLOSING -> closing++;
            }
        }
        Map<Refusal, Long> rules = new EnumMap<>(Refusal.class);
        refused.forEach((rule, count) -> rules.put(rule, count.sum()));
        return new InboundFigures(active, idle, closing, accepted.get(), beyondLimit.get(), rules);
    }
}
