package dev.escapement.call;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The calls that one thread was handed while it ran another: they take turns on one stack frame.
 *
 * <p>A call that lets go of its permit hands the next waiter to that one's home. Where the home refuses, or its executor runs tasks
 * in place, the waiter would end or start on top of the call before it, and the next on top of that, a hundred
 * thousand deep. Here the thread that runs a call takes a note and comes to it afterwards. So a callback on such a thread must not
 * wait for another call.
 *
 * <p>Owned by its thread.
 */
final class Turns {

    private static final ThreadLocal<Turns> OF_THREAD = ThreadLocal.withInitial(Turns::new);

    private final ArrayDeque<CallRun> waiting = new ArrayDeque<>();
    private boolean taken;

    private Turns() {}

    /** Runs a call that this thread has claimed: now, or after the one it runs already. */
    static void take(CallRun claimed) {
        Turns own = OF_THREAD.get();
        if (own.taken) {
            own.waiting.add(claimed);
        } else {
            own.runFrom(claimed);
        }
    }

    private void runFrom(CallRun first) {
        taken = true;
        try {
            @Nullable CallRun next = first;
            while (next != null) {
                next.takeTurn();
                next = waiting.poll();
            }
        } finally {
            taken = false;
        }
    }
}
