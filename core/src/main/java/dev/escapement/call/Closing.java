package dev.escapement.call;

import dev.escapement.time.Deadlines;
import dev.escapement.time.Scheduler;
import dev.escapement.time.Timer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The close of a client (S1): refuse, wait for the grace, end the rest, complete when nothing is held.
 *
 * <p>Any thread. {@link #callCleaned} costs one volatile read while the client is open.
 */
final class Closing {

    private final Client client;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /** Those that may still be armed. */
    private final Queue<Grace> graces = new ConcurrentLinkedQueue<>();

    /** Set once, before the pool closes. */
    private volatile boolean begun;

    /** Set once, before the calls asleep are looked for. */
    private volatile boolean graceOver;

    Closing(Client client) {
        this.client = client;
    }

    CompletableFuture<Void> begin(Duration grace) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace = " + grace + ": expected 0 or more");
        }
        begun = true;
        // Every permit is some call's, and every call says when it is clean, after its report.
        client.permits().close();
        if (grace.isZero()) {
            endCalls();
        } else {
            endCallsAfter(grace);
        }
        callCleaned();
        return done.copy();
    }

    private void endCallsAfter(Duration grace) {
        Scheduler home = client.schedulers().forCall();
        boolean countable = grace.compareTo(Duration.ofNanos(Long.MAX_VALUE)) <= 0;
        long endNanos = countable ? Deadlines.plus(home.nanos(), grace.toNanos()) : Deadlines.OVERFLOW;
        if (endNanos != Deadlines.OVERFLOW) {
            Grace begunNow = new Grace(home, endNanos);
            graces.add(begunNow);
            begunNow.begin();
        }
    }

    boolean graceIsOver() {
        return graceOver;
    }

    private void endCalls() {
        graceOver = true;
        for (CallRun call : client.sleeping().snapshot()) {
            call.raiseElsewhere(Signals.CLOSED);
        }
    }

    /** A call is clean and has delivered its report. */
    void callCleaned() {
        if (begun && client.permits().held() == 0 && client.sleeping().size() == 0) {
            for (Grace grace = graces.poll(); grace != null; grace = graces.poll()) {
                grace.end();
            }
            done.complete(null);
        }
    }

    /** The end of one grace; armed and disarmed in its home's context, by one thread at a time. */
    private final class Grace extends Timer {

        private final Scheduler home;
        private final long endNanos;

        /** Guarded by this, as arming and disarming are: a home may run both tasks at once, or in either order. */
        private boolean over;

        Grace(Scheduler home, long endNanos) {
            this.home = home;
            this.endNanos = endNanos;
        }

        void begin() {
            execute(this::arm);
        }

        void end() {
            execute(this::disarm);
        }

        private void arm() {
            if (!isArmed()) {
                endCalls();
            }
        }

        private synchronized boolean isArmed() {
            try {
                return over || home.arm(this, endNanos);
            } catch (Throwable broken) {
                return false;
            }
        }

        private synchronized void disarm() {
            over = true;
            home.disarm(this);
        }

        @Override
        public void fire() {
            execute(Closing.this::endCalls);
        }

        /** A scheduler that is closed, or broken, wakes nobody: the grace is over. */
        private void execute(Runnable task) {
            try {
                home.execute(task);
            } catch (Throwable refused) {
                endCalls();
            }
        }
    }
}
