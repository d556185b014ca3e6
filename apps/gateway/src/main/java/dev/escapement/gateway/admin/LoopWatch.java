package dev.escapement.gateway.admin;

import dev.escapement.time.MonotonicClock;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Says for how long an event loop has not turned: each one writes the time once a second.
 *
 * <p>A loop that does nothing turns too. Any thread may ask; each beat is written by its own loop. Watching ends with the loops.
 */
public final class LoopWatch {

    private static final long BEAT_SECONDS = 1;

    private final MonotonicClock clock;
    private final List<Beat> beats = new ArrayList<>();

    /** Watches these loops from now on. */
    public LoopWatch(Iterable<EventExecutor> loops, MonotonicClock clock) {
        this.clock = clock;
        for (EventExecutor loop : loops) {
            Beat beat = new Beat(clock);
            beats.add(beat);
            var unused = loop.scheduleAtFixedRate(beat, BEAT_SECONDS, BEAT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Of that loop which has not turned for longest, beyond the second in which it need not tell. */
    public Duration longestStall() {
        long nowNanos = clock.nanos();
        long longest = 0;
        for (Beat beat : beats) {
            longest = Math.max(longest, nowNanos - beat.lastNanos - TimeUnit.SECONDS.toNanos(BEAT_SECONDS));
        }
        return Duration.ofNanos(longest);
    }

    /** Of one loop. */
    private static final class Beat implements Runnable {

        private final MonotonicClock clock;

        /** Written by the loop. */
        private volatile long lastNanos;

        Beat(MonotonicClock clock) {
            this.clock = clock;
            this.lastNanos = clock.nanos();
        }

        @Override
        public void run() {
            lastNanos = clock.nanos();
        }
    }
}
