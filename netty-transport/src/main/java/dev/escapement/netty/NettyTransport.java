package dev.escapement.netty;

import dev.escapement.http.Request;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.Transport;
import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 over Netty: pools of kept-alive connections per event loop, with one limit per endpoint over all of them.
 *
 * <p>Connects to the endpoint that the exchange names. {@code Host} and the name that TLS asks for and verifies stay those of the
 * request's URI, and a connection verified for one name serves no other.
 *
 * <p>An attempt whose home is one of {@link #schedulers()} stays on that loop from acquiring its connection to the last report, unless
 * it has to wait: then the loop whose connection comes free first serves it and reports on it. Any other attempt is carried
 * to a loop and reported from there. Progress is counted at the socket (E1): exactly over plain TCP by NIO
 * and epoll, under TLS as an upper bound that is 0 only if nothing of the request can have left, and by io_uring not in time
 * ({@link IoKind#IO_URING}).
 *
 * <p>A connection serves one attempt at a time and is lent again only by the rule of E6. One that turns out dead before it
 * took a byte is replaced inside the attempt, once (R10); beyond that nothing is ever repeated here. Redirects, cookies,
 * credentials and content codings are the caller's (S2).
 *
 * <p>A response is given at its head to a call that takes it in parts (A8), as a {@link ByteBufBody}: 64 KiB are read ahead of its
 * reader's demand, and its connection is free once the body was read from it. What a reader drops is read on for 64 KiB or 50 ms to save the
 * connection. A request in parts is pulled from its publisher a few parts ahead of the socket, chunked where its length is unknown;
 * one that fails, or is not as long as declared, ends with its connection closed and no last chunk.
 *
 * <p>Bounded (G5): connections and waiters per endpoint, head, body in memory, interim answers, lookups. Thread-safe.
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
public final class NettyTransport implements Transport, AutoCloseable {

    /** How long {@link #close} waits at most, and how long loops of our own may take to end. */
    private static final long CLOSE_WAIT_SECONDS = 10;

    private final EventLoopSchedulers schedulers;
    private final @Nullable EventLoopGroup own;
    private final @Nullable NameResolver ownNames;
    private final SslContext tls;
    private final Origins origins;

    /** Never written after construction, so that any thread may read. */
    private final IdentityHashMap<EventLoop, LoopPools> pools = new IdentityHashMap<>();

    private final AtomicReference<@Nullable CompletableFuture<Void>> closing = new AtomicReference<>();

    /** Takes what is its own along when it ends. */
    NettyTransport(
            Settings settings,
            EventLoopSchedulers schedulers,
            @Nullable EventLoopGroup own,
            NameResolver names,
            @Nullable NameResolver ownNames) {
        this.schedulers = schedulers;
        this.own = own;
        this.ownNames = ownNames;
        this.tls = settings.tls();
        this.origins = new Origins(settings);
        Lookup lookup = new Lookup(names, settings.clock());
        for (LoopScheduler scheduler : schedulers.all()) {
            pools.put(scheduler.loop(), new LoopPools(scheduler.loop(), settings, lookup, origins));
        }
    }

    /** A transport with the default settings and event loops of its own. */
    public static NettyTransport ofDefaults() {
        return builder().build();
    }

    public static NettyTransportBuilder builder() {
        return new NettyTransportBuilder();
    }

    /** The schedulers of this transport's loops: calls that have their home here never change threads. */
    public EventLoopSchedulers schedulers() {
        return schedulers;
    }

    @Override
    public Attempt send(Request request, Exchange exchange) {
        Scheduler home = exchange.scheduler();
        LoopPools here = home instanceof LoopScheduler loop ? pools.get(loop.loop()) : null;
        if (here != null && here.inLoop()) {
            Lane lane = new Lane(here, request, exchange);
            lane.run();
            return lane;
        }
        LoopPools there = here != null ? here : pools(schedulers.next());
        Lane lane = new Lane(there, request, exchange);
        try {
            there.execute(lane);
        } catch (RejectedExecutionException e) {
            exchange.clean(ConnectionFate.NONE, 0);
            exchange.fail(TransportFailure.of(Kind.CLOSED_LOCALLY, "the event loops have ended", e));
            return Attempt.OVER;
        }
        return lane;
    }

    private LoopPools pools(LoopScheduler scheduler) {
        LoopPools found = pools.get(scheduler.loop());
        if (found == null) {
            throw new IllegalStateException("a loop without pools");
        }
        return found;
    }

    /** What is confined to the loops: for tests that run on them. */
    Collection<LoopPools> pools() {
        return pools.values();
    }

    /** The destinations known at present: for those who look names up. */
    Origins origins() {
        return origins;
    }

    /** What this transport holds and has done. Any thread; costs a few reads per loop and per destination on it. */
    public PoolStats stats() {
        List<LoopCounters> counters = new ArrayList<>();
        for (LoopPools loop : pools.values()) {
            counters.add(loop.counters());
        }
        return PoolStats.of(counters, origins.all(), schedulers.clock().nanos());
    }

    /**
     * Stops lending at once: waiting attempts fail as closed locally, idle connections close, new attempts are refused. Running
     * attempts may end within the grace and are then closed too. A second call changes nothing but can only shorten the
     * grace.
     *
     * @param grace at least zero, which closes at once
     * @return complete when every connection is closed and every attempt is clean; loops of our own have ended then, borrowed
     *     ones go on
     */
    public CompletableFuture<Void> shutdown(Duration grace) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace " + grace + ": expected at least zero");
        }
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> ended = closing.compareAndExchange(null, mine);
        if (ended == null) {
            ended = mine;
            List<CompletableFuture<Void>> parts = new ArrayList<>();
            for (LoopPools loop : pools.values()) {
                parts.add(loop.stopLending());
            }
            if (ownNames != null) {
                ownNames.close();
            }
            CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0])).thenRun(() -> endLoops(mine));
        }
        for (LoopPools loop : pools.values()) {
            loop.closeAfter(grace);
        }
        return ended;
    }

    private void endLoops(CompletableFuture<Void> done) {
        // OpenSSL's lies outside the heap; the connections that used it are gone.
        ReferenceCountUtil.safeRelease(tls);
        EventLoopGroup group = own;
        if (group == null) {
            done.complete(null);
        } else {
            group.shutdownGracefully(0, CLOSE_WAIT_SECONDS, TimeUnit.SECONDS).addListener(ended -> done.complete(null));
        }
    }

    /** Closes at once and, unless called on one of its own loops, waits until that is done, for ten seconds at most. */
    @Override
    public void close() {
        CompletableFuture<Void> ended = shutdown(Duration.ZERO);
        for (LoopPools loop : pools.values()) {
            if (loop.inLoop()) {
                return;
            }
        }
        try {
            ended.get(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            // The loops are stuck in somebody's code; waiting longer helps nobody.
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
