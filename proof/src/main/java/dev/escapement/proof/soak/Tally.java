package dev.escapement.proof.soak;

import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How many calls have begun and how each has ended, and the first thing that was wrong with one. Any thread. */
final class Tally {

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong running = new AtomicLong();
    private final LongAdder retried = new LongAdder();
    private final ConcurrentMap<String, LongAdder> ends = new ConcurrentSkipListMap<>();
    private final AtomicReference<@Nullable String> violation = new AtomicReference<>();

    /** A call begins; its number, from 1. */
    long begin() {
        running.incrementAndGet();
        return begun.incrementAndGet();
    }

    /** A call's first report came. */
    void ended(Report report) {
        ends.computeIfAbsent(name(report.outcome()), kind -> new LongAdder()).increment();
        if (report.attempts() > 1) {
            retried.increment();
        }
        if (running.decrementAndGet() == 0) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    private static String name(Outcome outcome) {
        return outcome instanceof Outcome.Rejected rejected
                ? rejected.reason().toString()
                : outcome.kind().toString();
    }

    /** Something was wrong; the first of them is kept. */
    void wrong(String what) {
        violation.compareAndSet(null, what);
    }

    /** Fails if anything was wrong so far. */
    void check() {
        String found = violation.get();
        if (found != null) {
            throw new AssertionError(found);
        }
    }

    /** Waits until every call that has begun has ended. */
    synchronized void awaitQuiet(long mostSeconds) throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(mostSeconds);
        while (running.get() > 0) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            if (leftMillis <= 0) {
                throw new AssertionError(
                        "A5 " + running + " calls have no outcome " + mostSeconds + " s after the last began");
            }
            wait(leftMillis);
        }
    }

    long begun() {
        return begun.get();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("calls=" + begun + " retried=" + retried);
        ends.forEach((kind, count) -> text.append(' ').append(kind).append('=').append(count));
        return text.toString();
    }
}
