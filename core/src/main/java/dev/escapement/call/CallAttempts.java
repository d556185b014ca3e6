package dev.escapement.call;

import dev.escapement.guard.CircuitBreaker;
import dev.escapement.guard.EndpointState;
import dev.escapement.guard.EndpointTable;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.metadata.AttemptFacts;
import dev.escapement.metadata.AttemptKind;
import dev.escapement.metadata.FailureClass;
import dev.escapement.metadata.Metadata;
import dev.escapement.policy.Policy;
import dev.escapement.policy.RetryFacts;
import dev.escapement.policy.RetryRule;
import dev.escapement.report.AttemptDetail;
import dev.escapement.report.Effect;
import dev.escapement.report.LaneKind;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.ReportDetail;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.EndpointPicker;
import dev.escapement.transport.EndpointView;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a call has tried: its terms, its attempts, and the answers to those who ask about them. The rule of retries asks by
 * {@link RetryFacts}, about the newest lane; an endpoint picker by {@link EndpointView}; the report is made of the
 * {@link #history}.
 *
 * <p>Every field is the runner's (see {@link Signals}).
 */
abstract class CallAttempts extends CallHoldings implements RetryFacts, EndpointView {

    /** How often a picker is asked for one attempt, while the breakers refuse what it picks. */
    private static final int MAX_PICKS = 3;

    final Terms terms;
    final Request request;
    final CallOptions options;

    /** The overall deadline, {@link #NEVER} until it is fixed. Once ended: when that was. */
    long deadlineNanos = NEVER;

    /** Identifies the call to the source of jitter; 0 until it draws. */
    private int jitterId;

    byte attempts;

    /** The attempts already decided upon, the newest first. */
    @Nullable
    AttemptRecord history;

    CallAttempts(
            Client client,
            Scheduler home,
            Terms terms,
            Request request,
            CallOptions options,
            Consumer<? super Report> whenEnded,
            long startedNanos) {
        super(client, home, whenEnded, startedNanos);
        this.terms = terms;
        this.request = request;
        this.options = options;
    }

    final Request request() {
        return request;
    }

    /** R8: nobody sends it any more. */
    final void releaseBody() {
        if (request.body().isStreamed()) {
            try {
                request.body().release();
            } catch (Throwable thrown) {
                client.counters().failedCallOuts.increment();
            }
        }
    }

    // ---- What the rule of retries asks, about the newest lane

    private Lane newest() {
        return Objects.requireNonNull(lanes);
    }

    @Override
    public final Policy policy() {
        return terms.policy();
    }

    @Override
    public final Method method() {
        return request.method();
    }

    @Override
    public final boolean isKeyed() {
        return options.idempotencyKey != null;
    }

    @Override
    public final boolean isBodyGone() {
        return request.body().isConsumed();
    }

    @Override
    public final boolean isOwnedAbove() {
        return options.retryOwner != null;
    }

    @Override
    public final int attempts() {
        return attempts;
    }

    @Override
    public final @Nullable Response response() {
        return newest().result() instanceof Response answered ? answered : null;
    }

    @Override
    public final @Nullable TransportFailure failure() {
        return newest().result() instanceof TransportFailure failed ? failed : null;
    }

    @Override
    public final Progress progress() {
        return newest().progress();
    }

    @Override
    public final long nowNanos() {
        return nowNanos;
    }

    @Override
    public final long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public final long previousDelayNanos() {
        return history == null ? 0 : history.delayAfterNanos();
    }

    @Override
    public final InstantSource wallClock() {
        return client.wallClock();
    }

    @Override
    public final long draw(long bound) {
        if (jitterId == 0) {
            jitterId = client.nextJitterId();
        }
        return client.jitter().draw(jitterId, attempts, bound);
    }

    /** Where a picker chooses, the next attempt may go elsewhere, and that is seen when it starts. */
    @Override
    public final boolean breakerAdmits(long atNanos) {
        EndpointState origin = origin();
        return origin == null || !turnsAway(origin, atNanos);
    }

    @Override
    public final boolean reserveRetry() {
        holdsReservation = terms.budget().tryReserve(nowNanos);
        return holdsReservation;
    }

    // ---- What a picker asks

    @Override
    public final boolean tried(Endpoint endpoint) {
        for (AttemptRecord record = history; record != null; record = record.previous()) {
            if (record instanceof PlacedRecord placed && placed.endpoint().equals(endpoint)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public final boolean admits(Endpoint endpoint) {
        return !client.requireEndpoints().rejects(endpoint, nowNanos);
    }

    @Override
    public final int inFlight(Endpoint endpoint) {
        return client.requireEndpoints().inFlight(endpoint);
    }

    // ---- Telling, placing and recording attempts

    /**
     * The request as the next attempt sends it: with what the layers below are told (M1). User code has no part in it.
     *
     * @return null if too little time is left to be told
     */
    final @Nullable Request outgoing(long timeoutNanos) {
        Metadata metadata = client.metadata();
        if (metadata.isNone()) {
            return request;
        }
        return metadata.decorate(
                        request,
                        new AttemptFacts(
                                timeoutNanos,
                                attempts + 1,
                                isOwnedAbove() ? 1 : policy().maxRetries() + 1,
                                AttemptKind.SEQUENTIAL,
                                history == null ? Optional.empty() : FailureClass.of(history.outcome()),
                                Optional.ofNullable(options.operationId),
                                Optional.ofNullable(options.retryOwner)))
                .orElse(null);
    }

    /** What is known of the URI's origin; null where nobody asks about endpoints, or a picker chooses them, one by one. */
    final @Nullable EndpointState origin() {
        EndpointTable endpoints = client.endpoints();
        return endpoints == null || client.picker() != null ? null : endpoints.find(request.uri(), nowNanos);
    }

    /** Whether an endpoint's breaker is sure to refuse at that instant, which counts as a rejection. */
    static boolean turnsAway(EndpointState state, long atNanos) {
        CircuitBreaker breaker = state.breaker();
        if (breaker == null || !breaker.rejects(atNanos)) {
            return false;
        }
        breaker.countRejection();
        return true;
    }

    /**
     * Finds the lane a place: an endpoint whose breaker admits it. User code may throw.
     *
     * @param seen what this look has found of the {@link #origin()} already, or null
     * @return false if there is none
     */
    final boolean place(Lane lane, @Nullable EndpointState seen) {
        EndpointTable endpoints = client.endpoints();
        if (endpoints == null) {
            return true;
        }
        EndpointPicker picker = client.picker();
        if (picker == null) {
            return admit(lane, seen == null ? endpoints.find(request.uri(), nowNanos) : seen);
        }
        EndpointView view = this;
        for (int pick = 0; pick < MAX_PICKS; pick++) {
            Optional<Endpoint> picked = picker.pick(request, attempts + 1, view);
            if (picked.isEmpty()) {
                return false;
            }
            Endpoint endpoint = picked.get();
            // G4: refused once is refused, heed the picker its view or not, for a ramp counts each time it is asked.
            if (view == this || view.admits(endpoint)) {
                EndpointState state = endpoints.find(endpoint, nowNanos);
                if (admit(lane, state)) {
                    state.attemptStarted();
                    return true;
                }
                view = new RefusingView(view, endpoint);
            }
        }
        return false;
    }

    /** A trial place is leased until the call's deadline (G2). */
    private boolean admit(Lane lane, EndpointState state) {
        CircuitBreaker breaker = state.breaker();
        if (breaker != null) {
            int stamp = breaker.tryAdmit(nowNanos, deadlineNanos);
            if (stamp == CircuitBreaker.REFUSED) {
                return false;
            }
            lane.stamp = stamp;
        }
        lane.target = state;
        return true;
    }

    /** Whether each attempt is recorded with where it went, the last as well. */
    final boolean isPlaced() {
        return isDetailed() || client.picker() != null;
    }

    final boolean isDetailed() {
        return policy().reportDetail() == ReportDetail.FULL;
    }

    /** A lane for an attempt that starts now. */
    final Lane newLane(CallMachine call, long timeoutNanos, long startedNanos) {
        long deadlineNanos = nowNanos + timeoutNanos;
        Streaming streaming = options.streaming;
        if (!isDetailed() && streaming == null) {
            return new Lane(call, deadlineNanos, lanes);
        }
        long dueNanos = startedNanos;
        if (history instanceof PlacedRecord placed && placed.detail().isPresent()) {
            dueNanos = placed.detail().get().endedNanos() + placed.delayAfterNanos();
        }
        return streaming == null
                ? new DetailedLane(call, deadlineNanos, lanes, true, dueNanos, nowNanos)
                : new StreamedLane(call, deadlineNanos, lanes, isDetailed(), dueNanos, nowNanos, streaming);
    }

    /**
     * Records the newest attempt.
     *
     * @param result a response, a transport failure, the outcome of a call that ended first; null for an attempt timeout
     */
    final void record(Lane lane, @Nullable Object result, long delayNanos) {
        byte progress = AttemptRecord.number(lane.progress());
        byte flags = flags(lane, result);
        if (isPlaced()) {
            history = new PlacedRecord(
                    history, result, delayNanos, attempts, progress, flags, lane.endpoint(), detail(lane));
        } else {
            history = new AttemptRecord(history, result, delayNanos, attempts, progress, flags);
        }
    }

    private @Nullable AttemptDetail detail(Lane lane) {
        return isDetailed() && lane instanceof DetailedLane detailed
                ? detailed.detail(attempts == 1 ? LaneKind.FIRST : LaneKind.RETRY, nowNanos, deadlineNanos)
                : null;
    }

    final byte flags(Lane lane, @Nullable Object result) {
        Response response = result instanceof Response answered ? answered : null;
        Effect effect = RetryRule.effect(policy(), request.method(), response, lane.progress());
        return AttemptRecord.flags(
                lane,
                effect,
                response != null && policy().retriesStatus(response.status()),
                RetryRule.fits(policy(), nowNanos, deadlineNanos));
    }

    /** The newest response or transport failure as the end of its own attempt; null if there is none. */
    final @Nullable Outcome lastRealOutcome() {
        AttemptRecord real = AttemptRecord.lastReal(history);
        return real == null ? null : real.outcome();
    }
}
