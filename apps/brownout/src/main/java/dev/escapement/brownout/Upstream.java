package dev.escapement.brownout;

import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.policy.JitterSource;
import java.util.ArrayDeque;

/**
 * The other side: workers behind a bounded queue, first come, first served ({@link Scenario} says why so).
 *
 * <p>An attempt comes in whole and at once; the network takes no time. Whoever is at the head when a worker is free is worked
 * on, waited for or not. Confined to the world's thread.
 */
final class Upstream {

    private static final int GOOD = 200;
    private static final int OVERLOADED = 503;

    private final VirtualTime time;
    private final JitterSource lengths;
    private final int queueBound;
    private final long serviceNanos;
    private final ArrayDeque<SimulatedAttempt> queue = new ArrayDeque<>();

    private int freeWorkers;
    private int slowness = 1;
    private long begun;

    // What it has done so far.

    private long received;
    private long wasted;
    private long shed;

    /** @param lengths from which the length of each piece of work is drawn */
    Upstream(VirtualTime time, Scenario scenario, JitterSource lengths) {
        this.time = time;
        this.lengths = lengths;
        queueBound = scenario.queue();
        serviceNanos = scenario.service().toNanos();
        freeWorkers = scenario.workers();
    }

    /** Work that begins from now on takes so many times as long as when all is well; 1 is well. */
    void slowBy(int factor) {
        slowness = factor;
    }

    /** A whole request has arrived. */
    void receive(SimulatedAttempt attempt) {
        received++;
        if (freeWorkers > 0) {
            work(attempt);
        } else if (queue.size() < queueBound) {
            queue.add(attempt);
        } else {
            shed++;
            attempt.answerCleanly(OVERLOADED);
        }
    }

    private void work(SimulatedAttempt attempt) {
        freeWorkers--;
        long lengthNanos = serviceNanos / 2 + lengths.draw(begun++, 1, serviceNanos);
        time.at(time.now() + lengthNanos * slowness, () -> finish(attempt));
    }

    private void finish(SimulatedAttempt attempt) {
        freeWorkers++;
        SimulatedAttempt next = queue.poll();
        if (next != null) {
            work(next);
        }
        if (attempt.cleanings() > 0) {
            wasted++; // whoever sent it has let go of everything
        } else {
            attempt.answerCleanly(GOOD);
        }
    }

    /** Attempts that came in. */
    long received() {
        return received;
    }

    /** Attempts worked on for nobody. */
    long wasted() {
        return wasted;
    }

    /** Attempts refused because the queue was full. */
    long shed() {
        return shed;
    }
}
