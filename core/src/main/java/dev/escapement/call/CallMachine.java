package dev.escapement.call;

import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.permit.PermitWaiter;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.Policy;
import dev.escapement.policy.RetryDecision;
import dev.escapement.policy.RetryRule;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.time.Deadlines;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call from entry to clean: a biased select over signal bits.
 *
 * <pre>
 *   ENTERING ──▶ WAITING ──▶ IN_FLIGHT ──▶ DECIDING ──▶ BACKOFF
 *       │           ▲            ▲             │           │
 *       │           └─ a permit  └─ start ─────┼───────────┘ due
 *       │              is needed               │
 *       └───────────── end, from anywhere ─────┴──▶ ENDED ──▶ CLEAN
 *                                                     all lanes clean, or the reserve over
 * </pre>
 *
 * <p><b>One look</b> ({@link #drive}): take all bits; read the clock, after the take; {@link #judge} state and now in A2's
 * order; act; arm the timer for the earliest instant at which anything could change; go idle. If a bit arrived
 * meanwhile, look again with a fresh clock. A report, once fixed, is delivered after going idle, as the thread's last act.
 * An attempt that completes inside {@code send} costs two readings of the clock; one that does not costs a third, by
 * which slow sends are counted (A4).
 *
 * <p><b>Ownership.</b> Every field below is the runner's: of whoever holds RUNNING in {@link Signals}. Threads that only
 * signal touch the word, a lane's settled words, and nothing else. The call is its own timer and its own task.
 *
 * <p><b>Call-outs.</b> Clock, context, execute, arm, disarm, send, abandon, jitter, release and the callback may throw anything: each is
 * caught where it is called. What breaks the call ends it as {@code BROKEN}, by the same steps as any other end.
 *
 * <p><b>Cleanup (E8).</b> What a call holds and who ends it; {@code CleanupMatrixTest} and
 * {@code CleanupTransportTest} stand behind each cell.
 *
 * <pre>
 * resource       owner      success       attempt timeout   deadline, cancel, close  send throws   bound
 * permit (CALL)  call       when clean    kept for retries  when clean               at once       reserve
 * permit (ATT.)  lane       when clean    when clean        when clean               at once       reserve
 * place in queue call       –             –                 withdrawn                –             same look
 * connection     transport  its own rule  abandoned         abandoned                its own       clean()
 * response       caller     delivered     late: released    late: released           released      same look
 * timer          call       disarmed      re-armed          disarmed when clean      disarmed      reserve
 * </pre>
 *
 * <p>What is not clean when the reserve is over is let go by force and counted (T2); with a reserve of 0 that is at once, and so it is
 * where the home refuses work, since nothing can be waited for there.
 */
final class CallMachine extends Signals implements Call, Runnable {

    /** A send that takes longer is counted (A4): 1 ms. */
    private static final long SLOW_SEND_NANOS = 1_000_000L;

    /** An instant that no clock reaches: no deadline, no timer. */
    private static final long NEVER = Long.MAX_VALUE;

    /** After so many failures of our own code in one run the machine is handed to a fresh stack, then given up. */
    private static final int FRESH_STACK_AFTER = 3;

    private static final int GIVE_UP_AFTER = 8;

    /** Where the call stands; see the diagram above. */
    private enum Phase {
        ENTERING,
        /** Queued for a permit. */
        WAITING,
        /** The newest lane runs. */
        IN_FLIGHT,
        /** Its result was taken; retry or end. Left within the look. */
        DECIDING,
        BACKOFF,
        /** The outcome is fixed, something is still held. */
        ENDED,
        CLEAN
    }

    private final Client client;
    private final Scheduler home;
    private final Policy policy;
    private final Request request;
    private final CallOptions options;
    private final Consumer<? super Report> whenEnded;
    private final long startedNanos;

    private Phase phase = Phase.ENTERING;
    /** This look's reading; a call's clock never runs backwards. */
    private long nowNanos;
    /** The overall deadline, {@link #NEVER} until it is fixed. ENDED: when that was. */
    private long deadlineNanos = NEVER;
    /** WAITING: when the wait has expired. BACKOFF: when it is over. ENDED: when the reserve is over. */
    private long phaseEndNanos = NEVER;
    /** What the timer is armed for, {@link #NEVER} if it is not. */
    private long armedNanos = NEVER;
    /** Identifies the call to the source of jitter; 0 until it comes to a retry. */
    private int jitterId;

    /** Where the client finds this call asleep, from the first sleep on; the timer is armed only after that. */
    private int sleepingSlot = SleepingCalls.NONE;

    private byte attempts;
    /** CANCELLED and CLOSED, once taken: bits that are their own state. */
    private byte asked;
    /** A permit of the call's own (CALL), or for the attempt about to start (ATTEMPT). */
    private boolean holdsPermit;
    /** The home refuses work: nothing can be armed or waited for. */
    private boolean homeless;

    private @Nullable Throwable broken;
    private @Nullable GrantWaiter waiter;
    /** The newest lane; behind it those that may not be clean yet. */
    private @Nullable Lane lanes;
    /** The attempts already decided upon. */
    private @Nullable AttemptReport history;
    /** Fixed and not yet delivered. */
    private @Nullable Report report;

    /**
     * A call that has entered; owned by the constructing thread until {@link #start}.
     *
     * @param startedNanos the clock's reading at entry
     */
    CallMachine(
            Client client,
            Scheduler home,
            Policy policy,
            Request request,
            CallOptions options,
            Consumer<? super Report> whenEnded,
            long startedNanos) {
        this.client = client;
        this.home = home;
        this.policy = policy;
        this.request = request;
        this.options = options;
        this.whenEnded = whenEnded;
        this.startedNanos = startedNanos;
        this.nowNanos = startedNanos;
    }

    // ---- Signals: any thread

    /** Begins, in context with the reading taken at entry, or by way of the home. */
    void start() {
        if (inContext()) {
            drive(true);
        } else {
            handOver();
        }
    }

    /** Sets a bit, and runs the machine if nobody does. */
    void raise(int bit) {
        if (set(bit)) {
            if (inContext()) {
                drive(false);
            } else {
                handOver();
            }
        }
    }

    /** Sets a bit from within another call's machine, on whose stack this one must not run. */
    void raiseElsewhere(int bit) {
        if (set(bit)) {
            handOver();
        }
    }

    @Override
    public void cancel() {
        raise(CANCELLED);
    }

    @Override
    public void fire() {
        raise(WOKEN);
    }

    /** The home runs us. */
    @Override
    public void run() {
        if (claim()) {
            Turns.take(this);
        }
    }

    /** This thread has claimed the call and comes to it now. */
    void takeTurn() {
        drive(false);
    }

    Scheduler home() {
        return home;
    }

    /** A lane's result came after the lane was settled; the transport keeps what it has (A5). */
    void countLateResult() {
        client.counters().lateResults.increment();
    }

    // ---- The run: owner only from here on

    private boolean inContext() {
        try {
            return home.inContext();
        } catch (Throwable thrown) {
            // By way of the home, then: what runs there is in context.
            broken = thrown;
            return false;
        }
    }

    private void handOver() {
        offer();
        try {
            home.execute(this);
        } catch (Throwable refused) {
            // A scheduler may throw and run us all the same: whoever claims, drives.
            if (claim()) {
                homeless = true;
                if (!(refused instanceof RejectedExecutionException)) {
                    broken = refused;
                }
                Turns.take(this);
            }
        }
    }

    private void drive(boolean clockIsFresh) {
        Report fixed = null;
        boolean fresh = clockIsFresh;
        boolean clean = false;
        boolean idle = false;
        int failures = 0;
        while (!idle) {
            try {
                remember(take());
                if (!fresh) {
                    readClock();
                }
                fresh = false;
                look();
                if (report != null) {
                    fixed = report;
                    report = null;
                }
                clean = phase == Phase.CLEAN;
                idle = !isSignalled() && readyToSleep() && goIdle();
            } catch (Throwable bug) {
                // Ours, or a stack without room: the next round ends the call by the same steps as any other end.
                broken = bug;
                failures++;
                if (failures == FRESH_STACK_AFTER && !homeless && fixed == null && report == null) {
                    handOver();
                    return;
                }
                idle = failures >= GIVE_UP_AFTER && goIdle();
            }
        }
        // Nobody waits for us any more, and another thread may run the call: only locals from here on.
        if (fixed != null) {
            deliver(fixed);
        }
        if (clean) {
            client.callCleaned();
        }
    }

    /** Bits that are their own state are kept. */
    private void remember(int bits) {
        asked |= (byte) (bits & (CANCELLED | CLOSED));
        if ((bits & WOKEN) != 0) {
            armedNanos = NEVER;
        }
    }

    private void readClock() {
        long readingNanos;
        try {
            readingNanos = home.nanos();
        } catch (Throwable thrown) {
            broken = thrown;
            return;
        }
        Lane newest = lanes;
        if (newest != null && newest.sending) {
            // The first reading after a send (A4).
            newest.sending = false;
            if (readingNanos - nowNanos > SLOW_SEND_NANOS) {
                client.counters().slowSends.increment();
            }
        }
        nowNanos = Math.max(nowNanos, readingNanos);
    }

    private void look() {
        if (phase.compareTo(Phase.ENDED) < 0) {
            if (broken != null) {
                end(new Outcome.Broken(broken), null);
            } else {
                judge();
            }
        }
        if (phase == Phase.ENDED) {
            tidy();
        } else if (phase != Phase.CLEAN) {
            sweep(false);
        }
    }

    /**
     * The tie rule (A2, A3): of all that is true at one look, the first in this order counts. Overall deadline, the caller's
     * cancellation, the client's closing; then by phase the wait's or the attempt's timeout, and only then the completion, the grant,
     * the end of the backoff.
     */
    private void judge() {
        if (phase == Phase.ENTERING && !fixDeadline()) {
            return;
        }
        if (nowNanos >= deadlineNanos) {
            endAtDeadline();
        } else if ((asked & CANCELLED) != 0) {
            end(Outcome.Cancelled.INSTANCE, Suppressed.CANCELLED);
        } else if ((asked & CLOSED) != 0 || homeless) {
            endByClosing();
        } else {
            switch (phase) {
                case ENTERING -> enter();
                case WAITING -> judgeWait();
                case IN_FLIGHT -> judgeLane(Objects.requireNonNull(lanes));
                case BACKOFF -> judgeBackoff();
                case DECIDING, ENDED, CLEAN -> throw new IllegalStateException("judged in phase " + phase);
            }
        }
    }

    // ---- Entry and permits

    /** T3, P4: the deadline counts from entry, unless it waits for the call's permit. */
    private boolean fixDeadline() {
        if (startsAtPermit()) {
            deadlineNanos = options.deadlineNanos;
            return true;
        }
        return fixDeadlineFrom(startedNanos);
    }

    private boolean startsAtPermit() {
        return policy.deadlineOrigin() == DeadlineOrigin.PERMIT && policy.permitScope() == PermitScope.CALL;
    }

    private boolean fixDeadlineFrom(long originNanos) {
        long ownNanos = Deadlines.plus(originNanos, policy.overallTimeoutNanos());
        if (ownNanos == Deadlines.OVERFLOW) {
            end(new Outcome.PolicyTimeOverflow(Outcome.PolicyTimeOverflow.Which.OVERALL), null);
            return false;
        }
        deadlineNanos = Math.min(ownNanos, options.deadlineNanos);
        return true;
    }

    private void enter() {
        if (policy.permitScope() == PermitScope.CALL) {
            acquire();
        } else {
            startAttempt();
        }
    }

    /** L2: a permit if one is free and nobody waits, else a place in the queue, else no. */
    private void acquire() {
        if (client.permits().tryAcquire()) {
            permitted();
        } else if (policy.maxQueueWaitNanos() == 0) {
            refuse(
                    client.permits().closed()
                            ? Outcome.Rejected.Reason.SHUTTING_DOWN
                            : Outcome.Rejected.Reason.QUEUE_WAIT);
        } else {
            GrantWaiter queued = new GrantWaiter(this);
            switch (client.permits().enqueue(queued)) {
                case GRANTED -> permitted();
                case WAITING -> {
                    waiter = queued;
                    phase = Phase.WAITING;
                    phaseEndNanos = plusOrNever(nowNanos, policy.maxQueueWaitNanos());
                }
                case QUEUE_FULL -> refuse(Outcome.Rejected.Reason.QUEUE_FULL);
                case CLOSED -> refuse(Outcome.Rejected.Reason.SHUTTING_DOWN);
            }
        }
    }

    private void judgeWait() {
        GrantWaiter queued = Objects.requireNonNull(waiter);
        if (nowNanos >= phaseEndNanos) {
            // A6: expired at ≥, also where the grant came first and was not looked at: it goes back.
            refuse(Outcome.Rejected.Reason.QUEUE_WAIT);
        } else if (queued.state() == PermitWaiter.State.GRANTED) {
            waiter = null;
            permitted();
        } else if (queued.state() == PermitWaiter.State.CLOSED) {
            refuse(Outcome.Rejected.Reason.SHUTTING_DOWN);
        }
    }

    private void permitted() {
        holdsPermit = true;
        if (attempts > 0 || !startsAtPermit() || fixDeadlineFrom(nowNanos)) {
            startAttempt();
        }
    }

    /** No permit: a call that made no attempt is rejected, one that did keeps its last result (R7). */
    private void refuse(Outcome.Rejected.Reason reason) {
        if (history == null) {
            end(new Outcome.Rejected(reason), null);
        } else {
            end(
                    history.outcome(),
                    reason == Outcome.Rejected.Reason.SHUTTING_DOWN ? Suppressed.SHUTTING_DOWN : Suppressed.NO_PERMIT);
        }
    }

    // ---- Attempts

    /** A1, P4, T4, at this look's now, whatever was waited for before. */
    private void startAttempt() {
        if (nowNanos >= deadlineNanos) {
            endAtDeadline();
            return;
        }
        sweep(false);
        if (!holdsPermit) {
            // Only with a permit for each attempt: a call's own is never let go before its end.
            acquire();
            return;
        }
        if (Deadlines.plus(nowNanos, policy.attemptTimeoutNanos()) == Deadlines.OVERFLOW) {
            end(new Outcome.PolicyTimeOverflow(Outcome.PolicyTimeOverflow.Which.ATTEMPT), null);
            return;
        }
        long timeoutNanos = Deadlines.attemptTimeoutNanos(
                nowNanos, deadlineNanos, policy.attemptTimeoutNanos(), policy.cleanupReserveNanos());
        if (timeoutNanos == Deadlines.NO_ATTEMPT) {
            endAtDeadline();
            return;
        }
        Lane lane = new Lane(this, nowNanos + timeoutNanos, lanes);
        if (policy.permitScope() == PermitScope.ATTEMPT) {
            lane.holdsPermit = true;
            holdsPermit = false;
        }
        lanes = lane;
        attempts++;
        phase = Phase.IN_FLIGHT;
        lane.sending = true;
        send(lane);
    }

    private void send(Lane lane) {
        try {
            lane.attempt =
                    Objects.requireNonNull(client.transport().send(request, lane), "a transport returned no attempt");
        } catch (Throwable thrown) {
            lane.markClean();
            end(new Outcome.Broken(thrown), null);
            return;
        }
        if (lane.result() == null) {
            readClock();
        }
    }

    private void judgeLane(Lane lane) {
        if (nowNanos >= lane.deadlineNanos()) {
            abandon(lane);
            decide(lane, Outcome.AttemptTimeout.INSTANCE);
            return;
        }
        Object result = lane.result();
        if (result instanceof Response response) {
            releaseLastReal();
            decide(lane, new Outcome.Response(response));
        } else if (result instanceof TransportFailure failure) {
            releaseLastReal();
            decide(lane, new Outcome.TransportFailed(failure));
        } else if (result instanceof Throwable bug) {
            phase = Phase.DECIDING;
            end(new Outcome.Broken(bug), null);
        }
    }

    /** What follows from an attempt that has ended: the rule says, this acts (R1–R7). */
    private void decide(Lane lane, Outcome own) {
        phase = Phase.DECIDING;
        RetryDecision decision;
        try {
            decision = RetryRule.decide(
                    policy,
                    request.method(),
                    options.idempotencyKey != null,
                    attempts,
                    own,
                    lane.progress(),
                    nowNanos,
                    deadlineNanos,
                    client.jitter(),
                    jitterIdFor(own));
        } catch (Throwable thrown) {
            record(lane, own, AttemptReport.NO_RETRY);
            end(new Outcome.Broken(thrown), null);
            return;
        }
        if (decision instanceof RetryDecision.Accept) {
            end(own, null);
        } else if (decision instanceof RetryDecision.Retry retry) {
            record(lane, own, retry.delayNanos());
            phase = Phase.BACKOFF;
            phaseEndNanos = retry.atNanos();
            judgeBackoff();
        } else if (decision instanceof RetryDecision.Stop stop && stop.reason() != Suppressed.CANNOT_FIT) {
            end(own, stop.reason());
        } else {
            record(lane, own, AttemptReport.NO_RETRY);
            if (decision instanceof RetryDecision.Overflow) {
                end(new Outcome.PolicyTimeOverflow(Outcome.PolicyTimeOverflow.Which.BACKOFF), null);
            } else {
                end(overallDeadline(), Suppressed.CANNOT_FIT);
            }
        }
    }

    private void judgeBackoff() {
        if (nowNanos >= phaseEndNanos) {
            startAttempt();
        }
    }

    /** A result that will not be retried draws no jitter, and needs no number. */
    private int jitterIdFor(Outcome own) {
        boolean draws = !(own instanceof Outcome.Response answered
                && !policy.retriesStatus(answered.response().status()));
        if (draws && jitterId == 0) {
            jitterId = client.nextJitterId();
        }
        return jitterId;
    }

    private void record(Lane lane, Outcome own, long delayNanos) {
        Progress progress = lane.progress();
        history = new AttemptReport(
                attempts,
                own,
                progress,
                lane.writtenBytes(),
                lane.sawReply(),
                lane.replacedConnection(),
                CallReport.isAmbiguous(request.method(), own, progress),
                delayNanos,
                history);
    }

    // ---- The end

    private void endAtDeadline() {
        end(overallDeadline(), null);
    }

    private Outcome overallDeadline() {
        Outcome last = CallReport.lastReal(history);
        return last == null ? Outcome.OverallDeadline.WITHOUT_RESULT : new Outcome.OverallDeadline(Optional.of(last));
    }

    private void endByClosing() {
        if (attempts == 0) {
            refuse(Outcome.Rejected.Reason.SHUTTING_DOWN);
        } else {
            end(Outcome.Cancelled.INSTANCE, Suppressed.SHUTTING_DOWN);
        }
    }

    /** Fixes the outcome, once; withdraws and abandons whatever the call still waits for. */
    private void end(Outcome outcome, @Nullable Suppressed suppressed) {
        if (phase == Phase.IN_FLIGHT) {
            phase = Phase.DECIDING;
            abandon(Objects.requireNonNull(lanes));
        }
        GrantWaiter queued = waiter;
        waiter = null;
        if (queued != null && !client.permits().cancel(queued) && queued.state() == PermitWaiter.State.GRANTED) {
            // L4: the grant won, and is ours to return.
            holdsPermit = true;
        }
        boolean lastUndecided = history == null ? attempts > 0 : history.ordinal() < attempts;
        report = new CallReport(
                outcome,
                suppressed,
                history,
                lastUndecided ? lanes : null,
                attempts,
                request.method(),
                policy.version(),
                options,
                startedNanos,
                nowNanos);
        // Last, so that a failure above leaves a call that can still be ended as broken.
        phaseEndNanos = plusOrNever(nowNanos, policy.cleanupReserveNanos());
        deadlineNanos = nowNanos;
        phase = Phase.ENDED;
    }

    /** Gives up on a lane (E7); a result that nobody looked at in time is late, and is let go (A2, A5). */
    private void abandon(Lane lane) {
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
                // The lane stays ours until it is clean or the reserve is over.
                client.counters().failedCallOuts.increment();
            }
        }
    }

    /** R9: an earlier answer was kept as the last real result until this newer one took its place. */
    private void releaseLastReal() {
        if (CallReport.lastReal(history) instanceof Outcome.Response answered) {
            release(answered.response());
        }
    }

    private void release(Response response) {
        try {
            response.release();
        } catch (Throwable thrown) {
            client.counters().failedCallOuts.increment();
        }
    }

    /** ENDED: lets go of what is clean, of everything once the reserve is over (T2, L4). */
    private void tidy() {
        boolean over = homeless || broken != null || nowNanos >= phaseEndNanos;
        sweep(over);
        if (holdsPermit && (lanes == null || policy.permitScope() == PermitScope.ATTEMPT)) {
            // L4: what was granted for an attempt that never started waits for no older lane.
            holdsPermit = false;
            client.permits().release();
        }
        if (lanes != null) {
            return;
        }
        if (nowNanos > deadlineNanos) {
            // E7: from the end to clean.
            client.counters().delayedCleanups.increment();
            client.counters().delayedCleanupNanos.add(nowNanos - deadlineNanos);
        }
        if (sleepingSlot != SleepingCalls.NONE) {
            disarm();
            client.sleeping().remove(sleepingSlot);
            sleepingSlot = SleepingCalls.NONE;
        }
        phase = Phase.CLEAN;
    }

    /** Drops the lanes that are settled and clean, or all settled ones by force, with the permits they hold. */
    private void sweep(boolean force) {
        Lane running = phase == Phase.IN_FLIGHT ? lanes : null;
        Lane kept = running;
        Lane lane = running == null ? lanes : running.older;
        if (running != null) {
            running.older = null;
        } else {
            lanes = null;
        }
        while (lane != null) {
            Lane older = lane.older;
            lane.older = null;
            if (lane.isClean() || force) {
                if (!lane.isClean()) {
                    client.counters().forcedCleanups.increment();
                }
                if (lane.holdsPermit) {
                    lane.holdsPermit = false;
                    client.permits().release();
                }
            } else if (kept == null) {
                lanes = lane;
                kept = lane;
            } else {
                kept.older = lane;
                kept = lane;
            }
            lane = older;
        }
    }

    private void disarm() {
        if (homeless) {
            return;
        }
        try {
            home.disarm(this);
        } catch (Throwable thrown) {
            client.counters().failedCallOuts.increment();
        }
    }

    private void deliver(Report fixed) {
        try {
            whenEnded.accept(fixed);
        } catch (Throwable thrown) {
            client.counters().failedCallbacks.increment();
        }
    }

    // ---- Sleeping

    /** Makes the call findable for the client's close and arms the timer; false if there is something to look at first. */
    private boolean readyToSleep() {
        if (phase == Phase.CLEAN) {
            return true;
        }
        if (broken != null && phase != Phase.ENDED) {
            // The clock that measures a send may have thrown: nothing else would wake us to end that.
            return false;
        }
        if (sleepingSlot == SleepingCalls.NONE) {
            sleepingSlot = client.sleeping().add(this);
            if (client.endsCalls()) {
                // The close may have looked for sleepers before we were one.
                asked |= CLOSED;
                return false;
            }
        }
        long wakeNanos = wakeNanos();
        if (wakeNanos < armedNanos) {
            // A timer armed for earlier than needed is left alone: it wakes, looks, and arms again.
            try {
                if (!home.arm(this, wakeNanos)) {
                    homeless = true;
                    return false;
                }
            } catch (Throwable thrown) {
                broken = thrown;
                return false;
            }
            armedNanos = wakeNanos;
        }
        return true;
    }

    /** The earliest instant at which anything could change by time alone. */
    private long wakeNanos() {
        return switch (phase) {
            case WAITING, BACKOFF -> Math.min(deadlineNanos, phaseEndNanos);
            case IN_FLIGHT ->
                Math.min(deadlineNanos, Objects.requireNonNull(lanes).deadlineNanos());
            case ENDED -> phaseEndNanos;
            case ENTERING, DECIDING, CLEAN -> throw new IllegalStateException("asleep in phase " + phase);
        };
    }

    private static long plusOrNever(long instantNanos, long lengthNanos) {
        long sum = Deadlines.plus(instantNanos, lengthNanos);
        return sum == Deadlines.OVERFLOW ? NEVER : sum;
    }
}
