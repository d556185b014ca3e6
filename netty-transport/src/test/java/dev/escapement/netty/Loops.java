package dev.escapement.netty;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Request;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.Exchange;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/** A transport on several event loops, each of which the test can use and stop: a {@link World} that is told where. */
final class Loops implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 20;

    final World world;
    private final List<LoopScheduler> homes;

    private Loops(NettyTransport transport) {
        world = new World(transport);
        homes = transport.schedulers().all();
    }

    static Loops of(int loops, NettyTransportBuilder builder) {
        return new Loops(builder.eventLoopThreads(loops).build());
    }

    static Loops borrowed(NettyTransportBuilder builder) {
        return new Loops(builder.build());
    }

    LoopScheduler home(int loop) {
        return homes.get(loop);
    }

    PoolStats stats() {
        return world.transport.stats();
    }

    /** What is known of the only destination there is. */
    DestinationStats only() {
        return stats().destinations().get(0);
    }

    PoolStats awaitStats(Predicate<PoolStats> condition) throws InterruptedException {
        return world.awaitStats(condition);
    }

    /** Sends on that loop, as a call whose home it is. */
    World.Sent send(int loop, ScriptedServer server) throws Exception {
        return send(loop, server, exchange -> exchange);
    }

    /** The same, by an exchange around the one that takes notes. */
    World.Sent send(int loop, ScriptedServer server, Function<RecordingExchange, Exchange> around) throws Exception {
        RecordingExchange exchange = world.exchange(home(loop), server);
        Exchange told = around.apply(exchange);
        Request request = Request.get(server.uri("/").toString());
        Attempt attempt = on(loop, () -> world.transport.send(request, told));
        return new World.Sent(exchange, attempt);
    }

    /** Abandons at home, as an engine does, and waits until the handle has been told. */
    boolean abandon(int loop, World.Sent sent) throws Exception {
        return on(loop, () -> sent.exchange().abandon(sent.attempt()));
    }

    <T> T on(int loop, Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        home(loop).execute(task);
        return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Lets that loop do nothing until the gate is opened. */
    Gate stop(int loop) throws InterruptedException {
        Gate gate = new Gate();
        home(loop).execute(() -> {
            try {
                gate.pass();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        gate.awaitArrival();
        return gate;
    }

    @Override
    public void close() {
        world.close();
    }
}
