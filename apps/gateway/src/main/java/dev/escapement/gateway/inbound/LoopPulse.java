package dev.escapement.gateway.inbound;

import dev.escapement.time.MonotonicClock;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/** Tells how long an event loop has not turned: each leaves the instant at which it did, once a second. Any thread. */
final class LoopPulse {

    private static final long BEAT_MILLIS = 1000;

    private final MonotonicClock clock;

    /** Written by the loops, read by whoever asks. */
    private final AtomicLongArray turnedNanos;

    private final List<ScheduledFuture<?>> beats = new ArrayList<>();

    LoopPulse(EventExecutorGroup loops, MonotonicClock clock) {
        this.clock = clock;
        List<EventExecutor> each = new ArrayList<>();
        loops.forEach(each::add);
        turnedNanos = new AtomicLongArray(each.size());
        for (int i = 0; i < each.size(); i++) {
            int loop = i;
            turnedNanos.set(loop, clock.nanos());
            beats.add(each.get(loop)
                    .scheduleWithFixedDelay(
                            () -> turnedNanos.set(loop, clock.nanos()), 0, BEAT_MILLIS, TimeUnit.MILLISECONDS));
        }
    }

    /** For how long the loop has not turned that has been silent for longest; up to a second is nothing. */
    long longestSilentMillis() {
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < turnedNanos.length(); i++) {
            earliest = Math.min(earliest, turnedNanos.get(i));
        }
        return TimeUnit.NANOSECONDS.toMillis(Math.max(0, clock.nanos() - earliest));
    }

    void stop() {
        beats.forEach(beat -> beat.cancel(false));
    }
}
