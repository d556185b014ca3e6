package dev.escapement.call;

import dev.escapement.guard.CircuitBreaker;
import dev.escapement.guard.Verdict;
import dev.escapement.http.BodyException;
import dev.escapement.http.Response;
import dev.escapement.permit.PermitWaiter;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Report;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Attempt;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a call holds, and how it lets go of it: permits, its place in the queue, a reserved retry, its lanes with their trial places, its
 * timer.
 *
 * <p>The cleanup matrix (E8): who owns what, and what each ending does with it. {@code CleanupMatrixTest},
 * {@code CleanupTransportTest} and {@code CleanupGuardsTest} stand behind each cell.
 *
 * <pre>
 * resource       owner      success       attempt timeout   deadline, cancel, close  send throws   bound
 * permit (CALL)  call       when clean    kept for retries  when clean               at once       reserve
 * permit (ATT.)  lane       when clean    when clean        when clean               at once       reserve
 * place in queue call       –             –                 withdrawn                –             same look
 * reservation    call       used          used              used; back if unstarted  used          same look
 * trial place    lane       success       failure           lease over; else neutral neutral       same look, lease
 * place in table lane       when clean    when clean        when clean               at once       reserve
 * connection     transport  its own rule  abandoned         abandoned                its own       clean()
 * response       caller     delivered     late: released    late: released           released      same look
 * streamed body  transport  read whole    late: released    cut                      –             clean()
 * request body   call       when clean    kept for retries  when clean               when clean    reserve
 * timer          call       disarmed      re-armed          disarmed when clean      disarmed      reserve
 * </pre>
 *
 * <p>What is not clean when the reserve is over is let go by force and counted (T2). With a reserve of 0 that is at once; so it
 * is where nothing can be waited for.
 *
 * <p>Abandon and release may throw anything; that is counted, and the lane stays until it is clean or the reserve over.
 */
abstract class CallHoldings extends CallRun {

    /** A permit of the call's own (CALL), or for the attempt about to start (ATTEMPT). */
    boolean holdsPermit;

    /** A retry from the budget, from the decision until the retry starts (G1). */
    boolean holdsReservation;

    @Nullable
    GrantWaiter waiter;

    /** The newest lane; behind it those that may not be clean yet. */
    @Nullable
    Lane lanes;

    CallHoldings(Client client, Scheduler home, Consumer<? super Report> whenEnded, long startedNanos) {
        super(client, home, whenEnded, startedNanos);
    }

    /** A lane's result came after the lane was settled; the transport keeps what it has (A5). Any thread. */
    final void countLateResult() {
        client.counters().lateResults.increment();
    }

    /** User code that listens to interim answers threw. Any thread. */
    final void countFailedCallback() {
        client.counters().failedCallbacks.increment();
    }

    /**
     * Tells the endpoint's breaker how an attempt ended, once (L5, G2).
     *
     * @param durationNanos since it was started
     */
    final void conclude(Lane lane, Verdict verdict, long durationNanos) {
        int stamp = lane.stamp;
        if (stamp != CircuitBreaker.REFUSED) {
            lane.stamp = CircuitBreaker.REFUSED;
            CircuitBreaker breaker = Objects.requireNonNull(lane.target).breaker();
            Objects.requireNonNull(breaker).record(stamp, verdict, nowNanos, durationNanos);
        }
    }

    /** Gives up on a lane (E7); a result that nobody looked at in time is late, and is let go (A2, A5). */
    final void abandon(Lane lane) {
        Object late = lane.abandon();
        if (late != null) {
            countLateResult();
            if (late instanceof Response response) {
                release(response);
            }
            return;
        }
        Attempt attempt = lane.attempt;
        if (attempt != null) {
            try {
                attempt.abandon();
            } catch (Throwable thrown) {
                client.counters().failedCallOuts.increment();
            }
        }
    }

    /** Ends a body that its reader has not had whole (A8). */
    final void cut(Lane lane, BodyException why) {
        Attempt attempt = lane.attempt;
        if (attempt != null) {
            try {
                attempt.cut(why);
            } catch (Throwable thrown) {
                client.counters().failedCallOuts.increment();
            }
        }
    }

    final void release(Response response) {
        try {
            response.release();
        } catch (Throwable thrown) {
            client.counters().failedCallOuts.increment();
        }
    }

    /** Leaves the queue; where the grant won, its permit is ours to return (L4). */
    final void withdraw() {
        GrantWaiter queued = waiter;
        waiter = null;
        if (queued != null && !client.permits().cancel(queued) && queued.state() == PermitWaiter.State.GRANTED) {
            holdsPermit = true;
        }
    }

    /**
     * Lets go of all that is clean, or of everything.
     *
     * @return whether nothing is held any more
     */
    final boolean letGo(PermitScope scope, boolean force) {
        sweep(null, force);
        if (holdsPermit && (lanes == null || scope == PermitScope.ATTEMPT)) {
            // L4: what was granted for an attempt that never started waits for no older lane.
            holdsPermit = false;
            client.permits().release();
        }
        if (lanes != null) {
            return false;
        }
        sleepNoMore();
        return true;
    }

    /**
     * Drops the lanes that are clean, with the permits they hold, or all of them by force.
     *
     * @param running the newest lane, where it still runs and stays whatever it says; else null
     */
    final void sweep(@Nullable Lane running, boolean force) {
        Lane kept = running;
        Lane lane = running == null ? lanes : running.older;
        if (running == null) {
            lanes = null;
        } else {
            running.older = null;
        }
        while (lane != null) {
            Lane older = lane.older;
            lane.older = null;
            if (force || lane.isClean()) {
                drop(lane);
            } else {
                if (kept == null) {
                    lanes = lane;
                } else {
                    kept.older = lane;
                }
                kept = lane;
            }
            lane = older;
        }
    }

    private void drop(Lane lane) {
        if (!lane.isClean()) {
            client.counters().forcedCleanups.increment();
        }
        if (lane.holdsPermit) {
            lane.holdsPermit = false;
            client.permits().release();
        }
        if (lane.target != null && client.picker() != null) {
            lane.target.attemptClean();
        }
    }
}
