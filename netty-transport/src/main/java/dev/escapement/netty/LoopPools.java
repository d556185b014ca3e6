package dev.escapement.netty;

import dev.escapement.time.MonotonicClock;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.FutureListener;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a transport has on one event loop: a pool per destination, an encoder, the figures, one sweep for all that lies idle.
 *
 * <p>Confined to the loop, but for {@link #execute}, {@link #tryExecute}, {@link #inLoop}, {@link #isEnding}, {@link #counters},
 * {@link #stopLending} and {@link #closeAfter}. Once the loop has ended, by whoever is told so.
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class LoopPools {

    private static final long MAX_SWEEP_NANOS = 1_000_000_000;
    private static final long MIN_SWEEP_NANOS = 1_000_000;

    private final EventLoop loop;
    private final Settings settings;
    private final Lookup lookup;
    private final Origins origins;
    private final MonotonicClock clock;
    private final RequestEncoder encoder;
    private final LoopCounters counters = new LoopCounters();
    private final long sweepEveryNanos;
    private final CompletableFuture<Void> emptied = new CompletableFuture<>();

    private final Map<Destination, ConnectionPool> pools = new HashMap<>();
    private @Nullable ConnectionPool lastUsed;
    private boolean lending = true;
    private boolean sweepStands;

    LoopPools(EventLoop loop, Settings settings, Lookup lookup, Origins origins) {
        this.loop = loop;
        this.settings = settings;
        this.lookup = lookup;
        this.origins = origins;
        this.clock = settings.clock();
        this.encoder = new RequestEncoder(settings.allocator());
        // Lending checks the limit itself, exactly; the sweep only sees to it that sockets do not lie about much
        // longer.
        this.sweepEveryNanos = Math.max(MIN_SWEEP_NANOS, Math.min(settings.idleLimitNanos() / 8, MAX_SWEEP_NANOS));
        FutureListener<Object> whenLoopHasEnded = ended -> loopEnded();
        // A borrowed loop may live much longer than this.
        emptied.thenRun(() -> loop.terminationFuture().removeListener(whenLoopHasEnded));
        loop.terminationFuture().addListener(whenLoopHasEnded);
    }

    EventLoop loop() {
        return loop;
    }

    Settings settings() {
        return settings;
    }

    Lookup lookup() {
        return lookup;
    }

    RequestEncoder encoder() {
        return encoder;
    }

    LoopCounters counters() {
        return counters;
    }

    long nowNanos() {
        return clock.nanos();
    }

    boolean inLoop() {
        return loop.inEventLoop();
    }

    void execute(Runnable task) {
        loop.execute(task);
    }

    /** False if the loop has ended. */
    boolean tryExecute(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    Future<?> schedule(Runnable task, long delayNanos) {
        return loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    }

    /** The pool for requests of that URI by way of that endpoint. Attempts in a row to one destination find it without making a key. */
    ConnectionPool poolFor(Endpoint endpoint, URI uri) {
        ConnectionPool last = lastUsed;
        if (last != null && last.destination().serves(endpoint, uri)) {
            return last;
        }
        Destination wanted = Destination.of(endpoint, uri);
        ConnectionPool pool = pools.get(wanted);
        if (pool == null) {
            pool = origins.newPool(this, wanted);
            pools.put(wanted, pool);
            sweepLater();
        }
        lastUsed = pool;
        return pool;
    }

    boolean isLending() {
        return lending;
    }

    /** Whether the loop is to go on: a loop that its group wants to rest, or to end, keeps no idle connection from doing so. */
    boolean isStaying() {
        return !loop.isSuspended() && !loop.isShuttingDown();
    }

    /** Whether the loop has ended or is about to. */
    boolean isEnding() {
        return loop.isShuttingDown();
    }

    /** What an attempt is told that comes too late. */
    TransportFailure closedFailure() {
        return TransportFailure.of(Kind.CLOSED_LOCALLY, "the transport is closed");
    }

    /** A pool has lost something: whoever is empty is forgotten (G5), and the last one ends the closing. */
    void shrunk(ConnectionPool pool) {
        if (pool.isEmpty()) {
            // Later, since the pool may be in the middle of filling again.
            executeIfAlive(() -> forgetIfEmpty(pool));
        }
    }

    private void forgetIfEmpty(ConnectionPool pool) {
        if (pool.isEmpty() && pools.remove(pool.destination(), pool)) {
            forget(pool);
        }
        endIfEmpty();
    }

    private void forget(ConnectionPool pool) {
        if (lastUsed == pool) {
            lastUsed = null;
        }
        pool.beForgotten();
        origins.forget(pool);
    }

    // Sweeping.

    /** There is a pool: a sweep has to stand. */
    private void sweepLater() {
        if (!sweepStands) {
            sweepStands = true;
            schedule(this::sweep, sweepEveryNanos);
        }
    }

    void sweep() {
        sweepStands = false;
        long nowNanos = nowNanos();
        for (ConnectionPool pool : new ArrayList<>(pools.values())) {
            lookup.keepCurrent(pool.origin());
            pool.sweep(nowNanos);
            // One whose lanes were all served elsewhere has lost nothing that would have told.
            forgetIfEmpty(pool);
        }
        if (!pools.isEmpty()) {
            sweepLater();
        }
    }

    // Closing.

    /** From any thread: lends no more; the future is complete once nothing is left. */
    CompletableFuture<Void> stopLending() {
        executeIfAlive(() -> {
            lending = false;
            for (ConnectionPool pool : new ArrayList<>(pools.values())) {
                pool.stopLending();
            }
            executeIfAlive(this::endIfEmpty);
        });
        return emptied;
    }

    /** From any thread: closes what {@link #stopLending} has left, after a time. */
    void closeAfter(Duration grace) {
        if (grace.isZero()) {
            executeIfAlive(this::closeNow);
        } else {
            executeIfAlive(() -> loop.schedule(this::closeNow, saturatedNanos(grace), TimeUnit.NANOSECONDS));
        }
    }

    private void closeNow() {
        for (ConnectionPool pool : new ArrayList<>(pools.values())) {
            pool.closeNow();
        }
    }

    /** The loop has closed everything on its way down; whatever it did not come to is made good here. */
    private void loopEnded() {
        for (ConnectionPool pool : new ArrayList<>(pools.values())) {
            pool.loopEnded();
            forget(pool);
        }
        pools.clear();
        emptied.complete(null);
    }

    /** A loop that has ended has closed everything on its way down. */
    private void executeIfAlive(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            emptied.complete(null);
        }
    }

    private static long saturatedNanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    private void endIfEmpty() {
        if (!lending && pools.values().stream().allMatch(ConnectionPool::isEmpty)) {
            emptied.complete(null);
        }
    }
}
