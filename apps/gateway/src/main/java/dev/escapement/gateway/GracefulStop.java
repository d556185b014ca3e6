package dev.escapement.gateway;

import dev.escapement.gateway.config.ShutdownConfig;
import dev.escapement.gateway.inbound.InboundServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How a gateway ends without losing a request: it says that it is not ready, goes on serving for a while, since balancers learn late, then
 * listens no more, closes what is idle at moments spread over the time that is left, lets what runs end by itself, and cuts what has not
 * ended by the end of the grace.
 *
 * <p>Any thread begins it; one thread of its own goes through the steps.
 */
final class GracefulStop {

    /** Of the grace, for closing what has not ended by then. */
    private static final Duration CLEANING_UP = Duration.ofSeconds(2);

    private final Gateway gateway;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Void> hurried = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    GracefulStop(Gateway gateway) {
        this.gateway = gateway;
    }

    /** Whether a stop is under way, or over. */
    boolean hasBegun() {
        return begun.get();
    }

    /** Begins, if it has not begun. */
    boolean begin() {
        boolean first = begun.compareAndSet(false, true);
        if (first) {
            new Thread(this::run, "escapement-stop").start();
        }
        return first;
    }

    /** Every wait is over. */
    void hurry() {
        hurried.complete(null);
    }

    CompletableFuture<Boolean> ended() {
        return ended;
    }

    private void run() {
        boolean whole = false;
        try {
            whole = drain();
        } finally {
            gateway.takeApart();
            ended.complete(whole);
        }
    }

    /** Returns whether every request ended by itself. */
    private boolean drain() {
        ShutdownConfig settings = gateway.config().shutdown();
        long endNanos = System.nanoTime() + settings.grace().toNanos();
        long cutNanos =
                endNanos - Math.min(CLEANING_UP.toNanos(), settings.grace().toNanos() / 4);
        InboundServer inbound = gateway.inbound();
        gateway.reloadLoop().close();
        gateway.log("stopping: not ready from now on, and at the end in "
                + settings.grace().toSeconds() + " s");
        inbound.beginDraining();
        await(
                new CompletableFuture<>(),
                System.nanoTime() + settings.drainDelay().toNanos());
        inbound.stopAccepting();
        inbound.closeIdle(Duration.ofNanos(Math.max(0, cutNanos - System.nanoTime())));
        CompletableFuture<Void> closed = inbound.allClosed();
        boolean whole = await(closed, cutNanos);
        if (!whole) {
            gateway.log("stopping: the grace is over, and what still runs is cut");
            inbound.closeAll();
            await(closed, endNanos);
        }
        return whole;
    }

    /** Whether it completed in time, and nobody was in a hurry. */
    private boolean await(CompletableFuture<Void> event, long untilNanos) {
        try {
            CompletableFuture.anyOf(event, hurried)
                    .get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // Told by what follows.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return event.isDone();
    }
}
