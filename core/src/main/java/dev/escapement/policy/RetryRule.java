package dev.escapement.policy;

import dev.escapement.http.Method;
import dev.escapement.http.Response;
import dev.escapement.http.RetryAfter;
import dev.escapement.report.Effect;
import dev.escapement.time.Deadlines;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * May this be tried again, when, and if not why: the one place that decides (R1–R8, E3, G3).
 *
 * <p>Pure over {@link RetryFacts}. The reasons are judged in R7's order. Allocates one {@link RetryDecision.Retry} for a yes
 * with a delay and nothing else.
 */
public final class RetryRule {

    private static final int FIRST_FAILURE_STATUS = 400;
    private static final int FIRST_SERVER_FAILURE_STATUS = 500;
    private static final int PERCENT = 100;

    private RetryRule() {}

    /** Decides upon an attempt that has ended. */
    public static RetryDecision decide(RetryFacts facts) {
        Policy policy = facts.policy();
        Response response = facts.response();
        RetryDecision.@Nullable Stop unfit;
        if (response == null) {
            unfit = unfitWithoutResponse(facts);
        } else if (policy.retriesStatus(response.status())) {
            unfit = unfitAfterResponse(facts, response);
        } else {
            return response.status() < FIRST_FAILURE_STATUS
                    ? RetryDecision.Accept.INSTANCE
                    : RetryDecision.Stop.NOT_RETRYABLE;
        }
        if (unfit != null) {
            return unfit;
        }
        if (facts.isBodyGone()) {
            return RetryDecision.Stop.BODY_NOT_REPLAYABLE;
        }
        if (response != null && forbids(policy, response)) {
            return RetryDecision.Stop.SERVER_FORBIDS;
        }
        if (facts.isOwnedAbove()) {
            return RetryDecision.Stop.OWNED_ABOVE;
        }
        if (facts.attempts() > policy.maxRetries()) {
            return RetryDecision.Stop.ATTEMPTS_USED;
        }
        return schedule(facts, response == null ? RetryAfter.NONE : hintNanos(facts, response));
    }

    private static long hintNanos(RetryFacts facts, Response response) {
        return switch (facts.policy().retryAfterDates()) {
            case READ -> RetryAfter.nanos(response.headers(), facts.wallClock());
            case IGNORED -> RetryAfter.nanos(response.headers());
        };
    }

    /**
     * What an attempt that has ended may have done on the other side (E2, E3).
     *
     * @param response what it brought, or null
     */
    public static Effect effect(Policy policy, Method method, @Nullable Response response, Progress progress) {
        if (response == null || method.isSafe()) {
            return Effect.withoutResponse(method, progress);
        }
        int status = response.status();
        if (status < FIRST_FAILURE_STATUS) {
            return Effect.KNOWN;
        }
        // Rejected is an answer too (E3); an overloaded or broken server may have done it all the same.
        boolean rejected = status < FIRST_SERVER_FAILURE_STATUS && !policy.retriesStatus(status);
        return rejected || policy.provesNoEffect(status) ? Effect.ABSENT : Effect.POSSIBLE;
    }

    /** Whether a whole attempt, or a useful one, that starts at that instant fits before the deadline (R6). */
    public static boolean fits(Policy policy, long atNanos, long deadlineNanos) {
        long remainingNanos = deadlineNanos - atNanos;
        return switch (policy.attemptFit()) {
            case WHOLE -> remainingNanos > policy.attemptTimeoutNanos();
            case CLIPPED ->
                remainingNanos > policy.cleanupReserveNanos()
                        && remainingNanos - policy.cleanupReserveNanos() >= policy.minimumAttemptNanos();
        };
    }

    private static boolean repeatable(RetryFacts facts) {
        return facts.isKeyed() || facts.policy().retryableMethods().contains(facts.method());
    }

    /** Why a retryable status is not retried; null where method, effect and delivery allow it. */
    private static RetryDecision.@Nullable Stop unfitAfterResponse(RetryFacts facts, Response response) {
        if (facts.policy().provesNoEffect(response.status())) {
            return null;
        }
        if (!repeatable(facts)) {
            return RetryDecision.Stop.METHOD_NOT_RETRYABLE;
        }
        return delivers(facts, effect(facts.policy(), facts.method(), response, facts.progress()))
                ? null
                : RetryDecision.Stop.AMBIGUOUS_EFFECT;
    }

    /** Whether the delivery chosen allows repeating a repeatable request that may have had this effect (I6). */
    private static boolean delivers(RetryFacts facts, Effect effect) {
        return switch (facts.policy().delivery()) {
            case AT_LEAST_ONCE -> true;
            case KEYED -> effect == Effect.ABSENT || facts.isKeyed();
            case AT_MOST_ONCE -> effect == Effect.ABSENT;
        };
    }

    private static boolean forbids(Policy policy, Response response) {
        Optional<String> header = policy.retryForbiddingHeader();
        return header.isPresent() && response.headers().contains(header.get());
    }

    /** Why a result without a response is not retried; null where method, failure and effect allow it. */
    private static RetryDecision.@Nullable Stop unfitWithoutResponse(RetryFacts facts) {
        boolean byEffect = facts.policy().failureRule() == FailureRule.BY_EFFECT;
        TransportFailure failure = facts.failure();
        if (failure != null) {
            TransportFailure.Kind kind = failure.kind();
            boolean retried =
                    byEffect ? kind.permanence() == TransportFailure.Permanence.TRANSIENT : kind.isConnectFailure();
            if (!retried) {
                return RetryDecision.Stop.NOT_RETRYABLE;
            }
        }
        if (byEffect && !facts.progress().mayHaveArrived()) {
            return null;
        }
        if (repeatable(facts)) {
            return delivers(facts, Effect.withoutResponse(facts.method(), facts.progress()))
                    ? null
                    : RetryDecision.Stop.AMBIGUOUS_EFFECT;
        }
        return byEffect ? RetryDecision.Stop.AMBIGUOUS_EFFECT : RetryDecision.Stop.METHOD_NOT_RETRYABLE;
    }

    /** When the next attempt may start, if it fits and the guards let it (R4–R6, B1–B3, G1, G2). */
    private static RetryDecision schedule(RetryFacts facts, long hintNanos) {
        Policy policy = facts.policy();
        boolean hinted = hintNanos != RetryAfter.NONE;
        long delayNanos = hinted ? hintNanos : backoffNanos(policy, facts);
        long atNanos = Deadlines.plus(facts.nowNanos(), delayNanos);
        if (atNanos == Deadlines.OVERFLOW) {
            // P4: only policy time can overflow as a policy's; a server's hint merely cannot fit.
            return hinted ? RetryDecision.Stop.CANNOT_FIT : RetryDecision.Overflow.INSTANCE;
        }
        if (!fits(policy, atNanos, facts.deadlineNanos())) {
            return RetryDecision.Stop.CANNOT_FIT;
        }
        if (hinted && delayNanos > policy.serverDelayCapNanos()) {
            return RetryDecision.Stop.HINT_OVER_CAP;
        }
        if (hinted) {
            delayNanos += spreadNanos(facts, delayNanos);
        }
        if (!facts.breakerAdmits(facts.nowNanos() + delayNanos)) {
            return RetryDecision.Stop.BREAKER_OPEN;
        }
        if (!facts.reserveRetry()) {
            return RetryDecision.Stop.BUDGET_EMPTY;
        }
        return RetryDecision.Retry.after(delayNanos);
    }

    /**
     * What is added to a delay that a server asked for, so that those who were asked together do not return together: up to a
     * percentage of it, and no more than leaves room for the attempt. Never less than was asked for (R4).
     */
    private static long spreadNanos(RetryFacts facts, long delayNanos) {
        Policy policy = facts.policy();
        long neededNanos = policy.attemptFit() == AttemptFit.WHOLE
                ? policy.attemptTimeoutNanos() + 1
                : policy.cleanupReserveNanos() + Math.max(1, policy.minimumAttemptNanos());
        long roomNanos = facts.deadlineNanos() - facts.nowNanos() - delayNanos - neededNanos;
        long shareNanos = delayNanos / PERCENT * policy.serverDelayJitterPercent();
        long bound = Math.min(shareNanos, roomNanos);
        return bound <= 0 ? 0 : Math.max(0, Math.min(bound, facts.draw(bound)));
    }

    private static long backoffNanos(Policy policy, RetryFacts facts) {
        return policy.jitter()
                .delayNanos(
                        policy.initialBackoffNanos(),
                        policy.maxBackoffNanos(),
                        facts.attempts(),
                        facts.previousDelayNanos(),
                        facts);
    }
}
