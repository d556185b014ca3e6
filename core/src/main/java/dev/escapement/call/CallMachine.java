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
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.util.Objects;
import java.util.Optional;
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
 * <p>{@link #judge} holds the tie rule, and nothing else does. {@link CallRun} says who runs the call and when it looks,
 * {@link CallHoldings} what it holds and how that is let go. Every field is the runner's (see {@link Signals}).
 *
 * <p>An attempt that completes inside {@code send} costs two readings of the clock; one that does not costs a third, by which slow
 * sends are counted (A4). What send and jitter throw ends the call as {@code BROKEN}, by the same steps as any other end.
 */
final class CallMachine extends CallHoldings {

    /** A send that takes longer is counted (A4): 1 ms. */
    private static final long SLOW_SEND_NANOS = 1_000_000L;

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

    private final Policy policy;
    private final Request request;
    private final CallOptions options;
    private final long startedNanos;

    private Phase phase = Phase.ENTERING;

    /** The overall deadline, {@link #NEVER} until it is fixed. ENDED: when that was. */
    private long deadlineNanos = NEVER;

    /** WAITING: when the wait has expired. BACKOFF: when it is over. ENDED: when the reserve is over. */
    private long phaseEndNanos = NEVER;

    /** Identifies the call to the source of jitter; 0 until it comes to a retry. */
    private int jitterId;

    private byte attempts;

    /** The attempts already decided upon. */
    private @Nullable AttemptReport history;

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
        super(client, home, whenEnded, startedNanos);
        this.policy = policy;
        this.request = request;
        this.options = options;
        this.startedNanos = startedNanos;
    }

    @Override
    boolean isEnded() {
        return phase.compareTo(Phase.ENDED) >= 0;
    }

    @Override
    boolean isClean() {
        return phase == Phase.CLEAN;
    }

    @Override
    long wakeNanos() {
        return switch (phase) {
            case WAITING, BACKOFF -> Math.min(deadlineNanos, phaseEndNanos);
            case IN_FLIGHT ->
                Math.min(deadlineNanos, Objects.requireNonNull(lanes).deadlineNanos());
            case ENDED -> phaseEndNanos;
            case ENTERING, DECIDING, CLEAN -> throw new IllegalStateException("asleep in phase " + phase);
        };
    }

    /** A4: the first reading after a send tells how long that took. */
    @Override
    void clockRead(long readingNanos) {
        Lane newest = lanes;
        if (newest != null && newest.sending) {
            newest.sending = false;
            if (readingNanos - nowNanos > SLOW_SEND_NANOS) {
                client.counters().slowSends.increment();
            }
        }
    }

    @Override
    void look() {
        if (!isEnded()) {
            if (broken != null) {
                end(new Outcome.Broken(broken), null);
            } else {
                judge();
            }
        }
        if (phase == Phase.ENDED) {
            tidy();
        } else if (phase != Phase.CLEAN) {
            sweep(phase == Phase.IN_FLIGHT ? lanes : null, false);
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
        } else if (isCancelled()) {
            end(Outcome.Cancelled.INSTANCE, Suppressed.CANCELLED);
        } else if (isClosed()) {
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
        sweep(null, false);
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

    /** Where the attempts of this call go. */
    Endpoint endpoint() {
        return Endpoint.of(request.uri());
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
        withdraw();
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

    /** R9: an earlier answer was kept as the last real result until this newer one took its place. */
    private void releaseLastReal() {
        if (CallReport.lastReal(history) instanceof Outcome.Response answered) {
            release(answered.response());
        }
    }

    /** ENDED: lets go of what is clean, of everything once the reserve is over (T2, L4). */
    private void tidy() {
        if (letGo(policy.permitScope(), isStranded() || nowNanos >= phaseEndNanos)) {
            if (nowNanos > deadlineNanos) {
                // E7: from the end to clean.
                client.counters().delayedCleanups.increment();
                client.counters().delayedCleanupNanos.add(nowNanos - deadlineNanos);
            }
            phase = Phase.CLEAN;
        }
    }

    private static long plusOrNever(long instantNanos, long lengthNanos) {
        long sum = Deadlines.plus(instantNanos, lengthNanos);
        return sum == Deadlines.OVERFLOW ? NEVER : sum;
    }
}
