package dev.escapement.netty;

import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.BodyException;
import dev.escapement.http.Request;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.Endpoint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * A transport on one event loop and the attempts a test makes through it; everything told is checked for rule breaks at
 * the end, and nothing may be left.
 */
final class World implements AutoCloseable {

    private static final long PATIENCE_NANOS = 20_000_000_000L;

    final NettyTransport transport;
    private final List<RecordingExchange> exchanges = new ArrayList<>();

    World(NettyTransport transport) {
        this.transport = transport;
    }

    static World of(NettyTransportBuilder builder) {
        return new World(builder.eventLoopThreads(1).build());
    }

    static World ofDefaults() {
        return of(NettyTransport.builder());
    }

    Scheduler loop() {
        return transport.schedulers().forCall();
    }

    /** One attempt under way. */
    record Sent(RecordingExchange exchange, Attempt attempt) {

        /** The body of the response, in Latin-1. */
        String text() {
            return StandardCharsets.ISO_8859_1
                    .decode(exchange.response().body().content())
                    .toString();
        }

        int status() throws InterruptedException {
            exchange.awaitResult();
            exchange.await(Fact.CLEAN);
            return exchange.response().status();
        }

        dev.escapement.transport.TransportFailure failure() throws InterruptedException {
            exchange.awaitResult();
            exchange.await(Fact.CLEAN);
            return exchange.failure();
        }
    }

    /** Sends on the loop, as a call whose home it is. */
    Sent send(Request request) throws InterruptedException {
        return send(request, Endpoint.of(request.uri()));
    }

    /** The same by way of that endpoint. */
    Sent send(Request request, Endpoint endpoint) throws InterruptedException {
        RecordingExchange exchange = exchange(loop(), endpoint);
        AtomicReference<Attempt> attempt = new AtomicReference<>();
        onLoop(() -> attempt.set(transport.send(request, exchange)));
        return new Sent(exchange, attempt.get());
    }

    /** Sends on the loop, for a caller who takes the response in parts. */
    Sent stream(Request request) throws InterruptedException {
        RecordingExchange exchange =
                RecordingExchange.streaming(loop(), loop().nanos() + PATIENCE_NANOS, Endpoint.of(request.uri()));
        exchanges.add(exchange);
        AtomicReference<Attempt> attempt = new AtomicReference<>();
        onLoop(() -> attempt.set(transport.send(request, exchange)));
        return new Sent(exchange, attempt.get());
    }

    /** Cuts the body of a response that was taken, on the loop. */
    void cut(Sent sent, BodyException.Kind why) throws InterruptedException {
        onLoop(() -> sent.attempt().cut(new BodyException(why, "cut by the test")));
    }

    /** Sends where it is called: on the loop. */
    Sent sendHere(Request request) {
        RecordingExchange exchange = exchange(loop(), Endpoint.of(request.uri()));
        return new Sent(exchange, transport.send(request, exchange));
    }

    RecordingExchange exchange(Scheduler home, ScriptedServer server) {
        return exchange(home, Endpoint.of(server.uri("/")));
    }

    RecordingExchange exchange(Scheduler home, Endpoint endpoint) {
        RecordingExchange exchange = new RecordingExchange(home, home.nanos() + PATIENCE_NANOS, endpoint);
        exchanges.add(exchange);
        return exchange;
    }

    /** Abandons on the loop, and waits until that is done. */
    boolean abandon(Sent sent) throws InterruptedException {
        AtomicReference<Boolean> won = new AtomicReference<>();
        onLoop(() -> won.set(sent.exchange().abandon(sent.attempt())));
        return won.get();
    }

    /** Runs something on the loop and waits for its end. */
    void onLoop(Runnable work) throws InterruptedException {
        java.util.concurrent.FutureTask<Void> task = new java.util.concurrent.FutureTask<>(work, null);
        loop().execute(task);
        try {
            task.get(20, java.util.concurrent.TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** Lets the loop go round until the figures are so. */
    PoolStats awaitStats(Predicate<PoolStats> condition) throws InterruptedException {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            PoolStats stats = transport.stats();
            if (condition.test(stats)) {
                return stats;
            }
            if (System.nanoTime() > endNanos) {
                throw new AssertionError("never so: " + stats);
            }
            onLoop(() -> {});
        }
    }

    @Override
    public void close() {
        transport.close();
        for (RecordingExchange exchange : exchanges) {
            if (!exchange.violations().isEmpty()) {
                throw new AssertionError(exchange.toString());
            }
            if (exchange.count(Fact.CLEAN) != 1) {
                throw new AssertionError("not clean once: " + exchange);
            }
        }
        PoolStats stats = transport.stats();
        if (stats.active() + stats.idle() + stats.connecting() + stats.waiting() != 0) {
            throw new AssertionError("left over: " + stats);
        }
    }
}
