package dev.escapement.gateway.inbound;

import dev.escapement.time.MonotonicClock;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection's timer: what it waits for, and until when. Moving an instant to later costs nothing: the task wakes, looks, and is armed
 * again. So a request that is read and answered at once arms nothing. Confined to its connection's loop.
 */
final class Watchdog implements Runnable {

    /** What did not happen in time. */
    enum Watch {
        /** The first byte after a connect. */
        FIRST_BYTE,
        /** The rest of a head. */
        HEAD,
        /** More of a body that was asked for. */
        BODY,
        /** The next request. */
        KEEP_ALIVE,
        /** The peer's last word, or an answer at the end of a stop's grace. */
        LINGER
    }

    private static final long NEVER = Long.MAX_VALUE;

    private final EventLoop loop;
    private final MonotonicClock clock;
    private final Consumer<Watch> expired;
    private final Runnable writeLook;

    private Watch watch = Watch.FIRST_BYTE;
    private long dueNanos = NEVER;
    private long writeLookNanos = NEVER;
    private long armedNanos = NEVER;
    private @Nullable ScheduledFuture<?> armed;

    /**
     * For a connection.
     *
     * @param expired told what did not happen, after which nothing is watched
     * @param writeLook run when it is time to look how writing gets on
     */
    Watchdog(EventLoop loop, MonotonicClock clock, Consumer<Watch> expired, Runnable writeLook) {
        this.loop = loop;
        this.clock = clock;
        this.expired = expired;
        this.writeLook = writeLook;
    }

    /** Waits for that, instead of what it waited for before. */
    void watch(Watch what, long untilNanos) {
        watch = what;
        dueNanos = untilNanos;
        arm();
    }

    /** Whether it waits for that. */
    boolean isWatching(Watch what) {
        return watch == what && dueNanos != NEVER;
    }

    /** Does not wait for that any more, if it did. */
    void rest(Watch what) {
        if (watch == what) {
            dueNanos = NEVER;
        }
    }

    /** Waits for nothing but what is to be written. */
    void rest() {
        dueNanos = NEVER;
    }

    /** Looks how writing gets on, then; once. */
    void lookAtWriting(long atNanos) {
        writeLookNanos = atNanos;
        arm();
    }

    /** Whether it is to look how writing gets on. */
    boolean isWatchingWriting() {
        return writeLookNanos != NEVER;
    }

    /** Waits for nothing any more. */
    void stop() {
        dueNanos = NEVER;
        writeLookNanos = NEVER;
        disarm();
    }

    private void arm() {
        long next = Math.min(dueNanos, writeLookNanos);
        if (next < armedNanos) {
            disarm();
            armedNanos = next;
            armed = loop.schedule(this, next - clock.nanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void disarm() {
        ScheduledFuture<?> future = armed;
        if (future != null) {
            future.cancel(false);
            armed = null;
        }
        armedNanos = NEVER;
    }

    @Override
    public void run() {
        armed = null;
        armedNanos = NEVER;
        long now = clock.nanos();
        if (writeLookNanos <= now) {
            writeLookNanos = NEVER;
            writeLook.run();
        }
        if (dueNanos <= now) {
            dueNanos = NEVER;
            expired.accept(watch);
        }
        arm();
    }
}
