package dev.escapement.time;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A timer fired by some other thread: counts, notes when and where, and can be waited for. */
class RacingTimer extends Timer {

    final AtomicInteger fired = new AtomicInteger();

    private final MonotonicClock clock;
    /** A permit for each time it fired. */
    private final Semaphore firings = new Semaphore(0);

    // Written before the permit is given, read after.
    volatile long firedNanos;
    volatile @Nullable Thread firedBy;

    RacingTimer(MonotonicClock clock) {
        this.clock = clock;
    }

    @Override
    public void fire() {
        firedNanos = clock.nanos();
        firedBy = Thread.currentThread();
        fired.incrementAndGet();
        firings.release();
    }

    /** Waits until the timer has fired once more; a test that waits for half a minute has failed. */
    void await() throws InterruptedException {
        if (!firings.tryAcquire(30, TimeUnit.SECONDS)) {
            throw new AssertionError("never fired");
        }
    }
}
