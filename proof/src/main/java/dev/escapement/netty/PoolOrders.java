package dev.escapement.netty;

import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Request;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.Endpoint;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool's lease against eviction, and against all else that happens on its loop, in every order: two attempts want the one
 * connection that lies idle, its limit runs out, its socket dies, the first attempt is given up.
 *
 * <p>A pool is confined to its loop, so no two of these run at once; what can go wrong is their order. The events of an order
 * happen in one task of the loop, so that nothing that they bring about is noticed in between: a socket that has died is one of
 * which nobody was told. Then everything may come to its end, over real sockets, and is compared with {@link Expectation}.
 *
 * <p>{@link #get} runs the orders, on the thread that calls it, and says of the first that ends otherwise how it does.
 */
public final class PoolOrders implements Supplier<List<String>> {

    /** What happens; the order of the constants means nothing. */
    enum Event {
        FIRST_GIVES_UP,
        FIRST_WANTS,
        LIMIT_RUNS_OUT,
        SOCKET_DIES,
        SECOND_WANTS
    }

    private static final Duration IDLE_LIMIT = Duration.ofSeconds(10);
    private static final long FAR = Duration.ofHours(1).toNanos();

    /** How long everything may take to come to its end, in real time. */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    /** For any loader to make. */
    public PoolOrders() {}

    @Override
    public List<String> get() {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.otherwise().serve(request -> ScriptedServer.response(200, ""));
            for (List<Event> order : ordersOf(List.of(Event.values()))) {
                String expected = Expectation.of(order);
                String seen = run(server, order);
                if (!seen.equals(expected)) {
                    return List.of(order + ": expected " + expected + ", seen " + seen);
                }
            }
        }
        return List.of();
    }

    /** Every order of these. */
    static List<List<Event>> ordersOf(List<Event> events) {
        if (events.isEmpty()) {
            return List.of(List.of());
        }
        List<List<Event>> orders = new ArrayList<>();
        for (Event first : events) {
            List<Event> rest = new ArrayList<>(events);
            rest.remove(first);
            for (List<Event> tail : ordersOf(rest)) {
                List<Event> order = new ArrayList<>(List.of(first));
                order.addAll(tail);
                orders.add(order);
            }
        }
        return orders;
    }

    private static String run(ScriptedServer server, List<Event> order) {
        try (Scene scene = new Scene(server)) {
            return scene.play(order);
        } catch (Throwable broken) {
            // What a broken pool throws or never comes to is a difference like any other.
            return broken.toString();
        }
    }

    /** A transport of one loop and one connection, which lies idle when the scene begins. */
    private static final class Scene implements AutoCloseable {

        private final ScriptedServer server;
        private final AtomicLong nowNanos = new AtomicLong(FAR);
        private final Queue<SocketChannel> channels = new ConcurrentLinkedQueue<>();
        private final NettyTransport transport;
        private final Scheduler loop;
        private final Sent first;
        private final Sent second;

        Scene(ScriptedServer server) throws Exception {
            this.server = server;
            transport = NettyTransport.builder()
                    .eventLoopThreads(1)
                    .maxConnectionsPerEndpoint(1)
                    .idleLimit(IDLE_LIMIT)
                    .clock(nowNanos::get)
                    .channels(this::channel)
                    .build();
            loop = transport.schedulers().forCall();
            first = new Sent();
            second = new Sent();
            Sent before = new Sent();
            onLoop(before::send);
            before.exchange.await(Fact.CLEAN);
            onLoop(() -> {});
        }

        private SocketChannel channel() {
            SocketChannel made = new NioSocketChannel();
            channels.add(made);
            return made;
        }

        String play(List<Event> order) throws Exception {
            onLoop(() -> order.forEach(this::happen));
            PoolStats stats = comeToRest();
            return first.end() + ", " + second.end() + (stats.replaced() == 0 ? "" : ", replaced " + stats.replaced());
        }

        /** Goes round the loop until nothing is under way. */
        private PoolStats comeToRest() throws Exception {
            long sinceNanos = System.nanoTime();
            for (; ; ) {
                onLoop(() -> {});
                PoolStats stats = transport.stats();
                boolean atRest = stats.active() + stats.waiting() + stats.connecting() == 0;
                if (atRest && first.isOver() && second.isOver()) {
                    return stats;
                }
                if (System.nanoTime() - sinceNanos > PATIENCE_NANOS) {
                    throw new IllegalStateException(stats + ", " + first.exchange + ", " + second.exchange);
                }
            }
        }

        // What becomes of a channel is told by its events.
        @SuppressWarnings("FutureReturnValueIgnored")
        private void happen(Event event) {
            switch (event) {
                case FIRST_WANTS -> first.send();
                case SECOND_WANTS -> second.send();
                case LIMIT_RUNS_OUT -> {
                    nowNanos.addAndGet(IDLE_LIMIT.toNanos());
                    transport.pools().forEach(LoopPools::sweep);
                }
                case SOCKET_DIES -> channels.element().close();
                case FIRST_GIVES_UP -> first.giveUp();
            }
        }

        private void onLoop(Runnable work) throws Exception {
            FutureTask<Void> task = new FutureTask<>(work, null);
            loop.execute(task);
            task.get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        }

        @Override
        public void close() {
            transport.close();
        }

        /** One attempt, sent on the loop. */
        private final class Sent {

            private final RecordingExchange exchange =
                    new RecordingExchange(loop, 2 * FAR, Endpoint.of(server.uri("/")));
            private @Nullable Attempt attempt;

            void send() {
                attempt = transport.send(Request.get(server.uri("/").toString()), exchange);
            }

            void giveUp() {
                Attempt begun = attempt;
                if (begun != null) {
                    exchange.abandon(begun);
                }
            }

            boolean isOver() {
                return exchange.saw(Fact.CLEAN) && (exchange.abandoned() || exchange.hasResult());
            }

            String end() {
                if (!exchange.violations().isEmpty() || exchange.count(Fact.CLEAN) != 1) {
                    return exchange.toString();
                }
                if (exchange.abandoned()) {
                    return "given up";
                }
                return exchange.saw(Fact.SUCCEEDED)
                        ? "answered"
                        : exchange.failure().kind().name();
            }
        }
    }
}
