package dev.escapement.call;

import dev.escapement.guard.EndpointState;
import dev.escapement.guard.Verdict;
import dev.escapement.http.BodyException;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.permit.PermitWaiter;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.RetryDecision;
import dev.escapement.policy.RetryRule;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.time.Deadlines;
import dev.escapement.time.Scheduler;
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
 *                                                │    ▲   all lanes clean, or the reserve over
 *                      at a streamed head (A8)   ▼    │
 *                                             STREAMING
 *                                                the body read whole, dropped or cut
 * </pre>
 *
 * <p>{@link #judge} holds the tie rule, and nothing else does. {@link CallRun} says who runs the call and when it looks,
 * {@link CallHoldings} what it holds and how that is let go, {@link CallAttempts} what it has tried. Every field is the
 * runner's (see {@link Signals}).
 *
 * <p>An attempt that completes inside {@code send} costs two readings of the clock; one that does not costs a third, by which slow
 * sends are counted (A4). What send and jitter throw ends the call as {@code BROKEN}, by the same steps as any other end.
 */
final class CallMachine extends CallAttempts {

    /** A send that takes longer is counted (A4): 1 ms. */
    private static final long SLOW_SEND_NANOS = 1_000_000L;

    /** Where the call stands; see the diagram above. */
    private enum Phase {
        ENTERING,
        /** Queued for a permit. */
        WAITING,
        /** The newest lane was sent, and the clock not read since: a bit is set, and the next look reads it. */
        SENDING,
        /** The newest lane runs. */
        IN_FLIGHT,
        /** Its result was taken; retry or end. Left within the look. */
        DECIDING,
        BACKOFF,
        /** The outcome is fixed: a response, whose body is still to come (A8). */
        STREAMING,
        /** The outcome is fixed, something is still held. */
        ENDED,
        CLEAN
    }

    private final long startedNanos;

    private Phase phase = Phase.ENTERING;

    /**
     * WAITING: when the wait has expired. IN_FLIGHT: when the attempt started. BACKOFF: when it is over. ENDED: when the reserve is; STREAMING:
     * the same for older lanes.
     */
    private long phaseNanos = NEVER;

    /**
     * A call that has entered; owned by the constructing thread until {@link #start}.
     *
     * @param startedNanos the clock's reading at entry
     */
    CallMachine(
            Client client,
            Scheduler home,
            Terms terms,
            Request request,
            CallOptions options,
            Consumer<? super Report> whenEnded,
            long startedNanos) {
        super(client, home, terms, request, options, whenEnded, startedNanos);
        this.startedNanos = startedNanos;
    }

    @Override
    boolean isEnded() {
        return phase.compareTo(Phase.STREAMING) >= 0;
    }

    @Override
    boolean isClean() {
        return phase == Phase.CLEAN;
    }

    @Override
    long wakeNanos() {
        return switch (phase) {
            case WAITING, BACKOFF -> Math.min(deadlineNanos, phaseNanos);
            case IN_FLIGHT ->
                Math.min(deadlineNanos, Objects.requireNonNull(lanes).deadlineNanos());
            case STREAMING ->
                Math.min(Math.min(deadlineNanos, phaseNanos), streamed().idleNanos());
            case ENDED -> phaseNanos;
            case ENTERING, SENDING, DECIDING, CLEAN -> throw new IllegalStateException("asleep in phase " + phase);
        };
    }

    /** A4: the first reading after a send tells how long that took. */
    @Override
    void clockRead(long readingNanos) {
        if (phase == Phase.SENDING) {
            phase = Phase.IN_FLIGHT;
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
        if (phase == Phase.STREAMING) {
            watchBody();
        }
        if (phase == Phase.ENDED) {
            tidy();
        } else if (!isEnded()) {
            sweep(phase == Phase.SENDING || phase == Phase.IN_FLIGHT ? lanes : null, false);
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
                case SENDING, DECIDING, STREAMING, ENDED, CLEAN ->
                    throw new IllegalStateException("judged in phase " + phase);
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
        return policy().deadlineOrigin() == DeadlineOrigin.PERMIT && policy().permitScope() == PermitScope.CALL;
    }

    private boolean fixDeadlineFrom(long originNanos) {
        long ownNanos = Deadlines.plus(originNanos, policy().overallTimeoutNanos());
        if (ownNanos == Deadlines.OVERFLOW) {
            end(new Outcome.PolicyTimeOverflow(Outcome.PolicyTimeOverflow.Which.OVERALL), null);
            return false;
        }
        deadlineNanos = Math.min(ownNanos, options.deadlineNanos);
        return true;
    }

    /** L5: a cheap refusal first; what is found of the endpoint goes along, since a call that is let in asks again in this look. */
    private void enter() {
        EndpointState origin = origin();
        if (origin != null && turnsAway(origin, nowNanos)) {
            refuse(Outcome.Rejected.Reason.BREAKER_OPEN);
        } else if (policy().permitScope() == PermitScope.CALL) {
            acquire(origin);
        } else {
            startAttempt(origin);
        }
    }

    /** L2: a permit if one is free and nobody waits, else a place in the queue, else no. */
    private void acquire(@Nullable EndpointState origin) {
        if (client.permits().tryAcquire()) {
            permitted(origin);
        } else if (policy().maxQueueWaitNanos() == 0) {
            refuse(
                    client.permits().closed()
                            ? Outcome.Rejected.Reason.SHUTTING_DOWN
                            : Outcome.Rejected.Reason.QUEUE_WAIT);
        } else {
            GrantWaiter queued = new GrantWaiter(this, phaseNanos);
            switch (client.permits().enqueue(queued)) {
                case GRANTED -> permitted(origin);
                case WAITING -> {
                    waiter = queued;
                    phase = Phase.WAITING;
                    phaseNanos = plusOrNever(nowNanos, policy().maxQueueWaitNanos());
                }
                case QUEUE_FULL -> refuse(Outcome.Rejected.Reason.QUEUE_FULL);
                case CLOSED -> refuse(Outcome.Rejected.Reason.SHUTTING_DOWN);
            }
        }
    }

    private void judgeWait() {
        GrantWaiter queued = Objects.requireNonNull(waiter);
        if (nowNanos >= phaseNanos) {
            // A6: expired at ≥, also where the grant came first and was not looked at: it goes back.
            refuse(Outcome.Rejected.Reason.QUEUE_WAIT);
        } else if (queued.state() == PermitWaiter.State.GRANTED) {
            waiter = null;
            phase = attempts == 0 ? Phase.ENTERING : Phase.BACKOFF;
            phaseNanos = queued.dueNanos;
            permitted(null);
        } else if (queued.state() == PermitWaiter.State.CLOSED) {
            refuse(Outcome.Rejected.Reason.SHUTTING_DOWN);
        }
    }

    private void permitted(@Nullable EndpointState origin) {
        holdsPermit = true;
        if (attempts > 0 || !startsAtPermit() || fixDeadlineFrom(nowNanos)) {
            startAttempt(origin);
        }
    }

    /** Not let in: a call that made no attempt is rejected, one that did keeps its last result (R7). */
    private void refuse(Outcome.Rejected.Reason reason) {
        if (history == null) {
            end(new Outcome.Rejected(reason), null);
        } else {
            end(
                    history.outcome(),
                    switch (reason) {
                        case SHUTTING_DOWN -> Suppressed.SHUTTING_DOWN;
                        case BREAKER_OPEN -> Suppressed.BREAKER_OPEN;
                        case QUEUE_FULL, QUEUE_WAIT -> Suppressed.NO_PERMIT;
                    });
        }
    }

    // ---- Attempts

    /** A1, P4, T4, at this look's now, whatever was waited for before. */
    private void startAttempt(@Nullable EndpointState origin) {
        if (nowNanos >= deadlineNanos) {
            endAtDeadline();
            return;
        }
        if (attempts > 0 && isBodyGone()) {
            // R8: an abandoned attempt may have come to the body since the decision.
            end(Objects.requireNonNull(history).outcome(), Suppressed.BODY_NOT_REPLAYABLE);
            return;
        }
        sweep(null, false);
        if (!holdsPermit) {
            // Only with a permit for each attempt: a call's own is never let go before its end.
            acquire(origin);
            return;
        }
        if (Deadlines.plus(nowNanos, policy().attemptTimeoutNanos()) == Deadlines.OVERFLOW) {
            end(new Outcome.PolicyTimeOverflow(Outcome.PolicyTimeOverflow.Which.ATTEMPT), null);
            return;
        }
        long timeoutNanos = Deadlines.attemptTimeoutNanos(
                nowNanos, deadlineNanos, policy().attemptTimeoutNanos(), policy().cleanupReserveNanos());
        if (timeoutNanos == Deadlines.NO_ATTEMPT) {
            endAtDeadline();
            return;
        }
        Lane lane = newLane(this, timeoutNanos, startedNanos);
        Request outgoing;
        try {
            outgoing = outgoing(timeoutNanos);
            if (outgoing == null) {
                endAtDeadline();
                return;
            }
            if (!place(lane, origin)) {
                refuse(Outcome.Rejected.Reason.BREAKER_OPEN);
                return;
            }
        } catch (Throwable thrown) {
            end(new Outcome.Broken(thrown), null);
            return;
        }
        if (policy().permitScope() == PermitScope.ATTEMPT) {
            lane.holdsPermit = true;
            holdsPermit = false;
        }
        lanes = lane;
        attempts++;
        if (attempts == 1) {
            terms.budget().deposit(nowNanos);
        }
        holdsReservation = false;
        phase = Phase.SENDING;
        phaseNanos = nowNanos;
        if (lane.older instanceof StreamedLane last) {
            dropUnread(last);
        }
        send(lane, outgoing);
    }

    private void send(Lane lane, Request outgoing) {
        try {
            lane.attempt =
                    Objects.requireNonNull(client.transport().send(outgoing, lane), "a transport returned no attempt");
        } catch (Throwable thrown) {
            lane.markClean();
            end(new Outcome.Broken(thrown), null);
            return;
        }
        // Where a bit is set the next look reads it. A result alone is no bit: another thread may yet have to raise it.
        if (!isSignalled()) {
            readClock();
        }
    }

    private void judgeLane(Lane lane) {
        if (nowNanos >= lane.deadlineNanos()) {
            abandon(lane);
            decide(lane, Verdict.FAILURE);
            return;
        }
        Object result = lane.result();
        if (result instanceof Response response) {
            releaseLastReal();
            decide(lane, Verdict.of(response));
        } else if (result instanceof TransportFailure failure) {
            releaseLastReal();
            decide(lane, Verdict.of(failure));
        } else if (result instanceof Throwable bug) {
            conclude(lane, Verdict.NEUTRAL, 0);
            phase = Phase.DECIDING;
            end(new Outcome.Broken(bug), null);
        }
    }

    /** What follows from an attempt that has ended: the rule says, this acts (R1–R8). */
    private void decide(Lane lane, Verdict verdict) {
        phase = Phase.DECIDING;
        conclude(lane, verdict, nowNanos - phaseNanos);
        RetryDecision decision;
        try {
            decision = RetryRule.decide(this);
        } catch (Throwable thrown) {
            record(lane, ownResult(), AttemptRecord.NO_RETRY);
            end(new Outcome.Broken(thrown), null);
            return;
        }
        if (decision instanceof RetryDecision.Accept) {
            end(ownOutcome(), null);
        } else if (decision instanceof RetryDecision.Retry retry) {
            record(lane, ownResult(), retry.delayNanos());
            phase = Phase.BACKOFF;
            phaseNanos = nowNanos + retry.delayNanos();
            judgeBackoff();
        } else if (decision instanceof RetryDecision.Stop stop && stop.reason() != Suppressed.CANNOT_FIT) {
            end(ownOutcome(), stop.reason());
        } else {
            record(lane, ownResult(), AttemptRecord.NO_RETRY);
            if (decision instanceof RetryDecision.Overflow) {
                end(new Outcome.PolicyTimeOverflow(Outcome.PolicyTimeOverflow.Which.BACKOFF), null);
            } else {
                end(overallDeadline(), Suppressed.CANNOT_FIT);
            }
        }
    }

    /** The newest attempt's own result, as records keep it; null if it timed out. */
    private @Nullable Object ownResult() {
        Response response = response();
        return response == null ? failure() : response;
    }

    private Outcome ownOutcome() {
        Response response = response();
        if (response != null) {
            return new Outcome.Response(response);
        }
        TransportFailure failure = failure();
        return failure == null ? Outcome.AttemptTimeout.INSTANCE : new Outcome.TransportFailed(failure);
    }

    private void judgeBackoff() {
        if (nowNanos >= phaseNanos) {
            startAttempt(null);
        }
    }

    // ---- The end

    private void endAtDeadline() {
        end(overallDeadline(), null);
    }

    private Outcome overallDeadline() {
        Outcome last = lastRealOutcome();
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
        if (phase == Phase.SENDING || phase == Phase.IN_FLIGHT) {
            Lane running = Objects.requireNonNull(lanes);
            abandon(running);
            // G2: the deadline's passing is a timeout; a cancelled attempt, or one broken here, says nothing.
            Verdict verdict = outcome.kind() == Outcome.Kind.OVERALL_DEADLINE ? Verdict.FAILURE : Verdict.NEUTRAL;
            conclude(running, verdict, nowNanos - phaseNanos);
            phase = Phase.DECIDING;
        }
        giveBackReservation();
        withdraw();
        Lane last = (history == null ? attempts > 0 : history.ordinal() < attempts) ? lanes : null;
        byte lastProgress = 0;
        byte lastFlags = 0;
        if (last != null) {
            Object result = AttemptRecord.resultOf(outcome);
            if (isPlaced()) {
                record(last, result, AttemptRecord.NO_RETRY);
            } else {
                lastProgress = AttemptRecord.number(last.progress());
                lastFlags = flags(last, result);
            }
        }
        report = new CallReport(
                outcome,
                suppressed,
                history,
                lastProgress,
                lastFlags,
                attempts,
                policy().version(),
                options,
                startedNanos,
                nowNanos);
        boolean streaming = lanes instanceof StreamedLane newest && keepsBody(newest, outcome);
        // Last, so that a failure above leaves a call that can still be ended as broken.
        if (streaming) {
            phaseNanos = plusOrNever(nowNanos, policy().cleanupReserveNanos());
            deadlineNanos = streamed().streaming().toEnd ? deadlineNanos : NEVER;
            phase = Phase.STREAMING;
        } else {
            toTidy();
        }
    }

    private void toTidy() {
        phaseNanos = plusOrNever(nowNanos, policy().cleanupReserveNanos());
        deadlineNanos = nowNanos;
        phase = Phase.ENDED;
    }

    // ---- Bodies that come in parts (A8)

    private StreamedLane streamed() {
        return (StreamedLane) Objects.requireNonNull(lanes);
    }

    /** Whether a response with its body still to come is what the caller gets. If it is not, nobody will read it. */
    private boolean keepsBody(StreamedLane lane, Outcome outcome) {
        Outcome told = outcome instanceof Outcome.OverallDeadline late
                ? late.lastReal().orElse(outcome)
                : outcome;
        if (told instanceof Outcome.Response answered && answered.response() == lane.unfinished()) {
            return true;
        }
        dropUnread(lane);
        return false;
    }

    /** R9: an answer stays whole until the attempt that follows it is sure to start. */
    private void dropUnread(StreamedLane lane) {
        Response unread = lane.unfinished();
        if (unread != null) {
            lane.drop();
            release(unread);
        }
    }

    /** STREAMING: the body goes on until the transport has read it, or something ends it, in the order of the tie rule. */
    private void watchBody() {
        StreamedLane lane = streamed();
        boolean reserveIsOver = nowNanos >= phaseNanos;
        if (lane.isClean()) {
            // Older lanes keep the reserve that began at the outcome.
            deadlineNanos = nowNanos;
            phase = Phase.ENDED;
        } else if (nowNanos >= deadlineNanos) {
            cutBody(lane, BodyException.Kind.DEADLINE, "the call's deadline has passed");
        } else if (isCancelled()) {
            cutBody(lane, BodyException.Kind.CANCELLED, "the call was cancelled");
        } else if (isClosed() || isStranded()) {
            cutBody(lane, BodyException.Kind.SHUTTING_DOWN, "the client is closed, or its scheduler serves no more");
        } else if (nowNanos >= lane.idleNanos()) {
            cutBody(
                    lane,
                    BodyException.Kind.IDLE,
                    "the body stood still for " + lane.streaming().idleNanos / 1_000_000 + " ms");
        } else if (reserveIsOver) {
            phaseNanos = NEVER;
        }
        // T2: what older lanes hold waits for no body.
        sweep(lane, reserveIsOver);
    }

    private void cutBody(StreamedLane lane, BodyException.Kind kind, String why) {
        toTidy();
        cut(lane, new BodyException(kind, why));
    }

    /** G1: a retry that was reserved and will not start. */
    private void giveBackReservation() {
        if (holdsReservation) {
            holdsReservation = false;
            terms.budget().giveBack(reservedNanos());
        }
    }

    /** When the retry was decided upon: its delay before it is due. */
    private long reservedNanos() {
        return switch (phase) {
            case WAITING -> Objects.requireNonNull(waiter).dueNanos - previousDelayNanos();
            case BACKOFF -> phaseNanos - previousDelayNanos();
            default -> nowNanos;
        };
    }

    /** R9: an earlier answer was kept as the last real result until this newer one took its place. */
    private void releaseLastReal() {
        AttemptRecord real = AttemptRecord.lastReal(history);
        Response answered = real == null ? null : real.response();
        if (answered != null) {
            release(answered);
        }
    }

    /** ENDED: lets go of what is clean, of everything once the reserve is over (T2, L4). */
    private void tidy() {
        if (letGo(policy().permitScope(), isStranded() || nowNanos >= phaseNanos)) {
            if (nowNanos > deadlineNanos) {
                // E7: from the end to clean.
                client.counters().delayedCleanups.increment();
                client.counters().delayedCleanupNanos.add(nowNanos - deadlineNanos);
            }
            phase = Phase.CLEAN;
            releaseBody();
        }
    }

    static long plusOrNever(long instantNanos, long lengthNanos) {
        long sum = Deadlines.plus(instantNanos, lengthNanos);
        return sum == Deadlines.OVERFLOW ? NEVER : sum;
    }
}
