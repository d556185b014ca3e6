package dev.escapement.policy;

import dev.escapement.http.Method;
import dev.escapement.http.RetryAfter;
import dev.escapement.report.Outcome;
import dev.escapement.time.Deadlines;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import org.jspecify.annotations.Nullable;

/**
 * May this be tried again, when, and if not why: the one place that decides (R1–R7, E3).
 *
 * <p>Pure but for the draw of jitter, which is taken only where a computed backoff is used. The reasons are judged in
 * R7's order. Allocates one {@link RetryDecision.Retry} for a yes and nothing for a no.
 */
public final class RetryRule {

    private static final int FIRST_FAILURE_STATUS = 400;

    private RetryRule() {}

    /**
     * Decides upon an attempt that has ended.
     *
     * @param keyed whether the request carries an idempotency key
     * @param attempts attempts made so far, this one included
     * @param result this attempt's own outcome: {@code RESPONSE}, {@code TRANSPORT_FAILED} or {@code ATTEMPT_TIMEOUT}
     * @param progress how far its request got
     * @param nowNanos the look's reading of the clock, before the deadline
     * @param callId identifies the call to the source of jitter
     */
    public static RetryDecision decide(
            Policy policy,
            Method method,
            boolean keyed,
            int attempts,
            Outcome result,
            Progress progress,
            long nowNanos,
            long deadlineNanos,
            JitterSource jitter,
            long callId) {
        boolean repeatable = keyed || policy.retryableMethods().contains(method);
        RetryDecision.@Nullable Stop unfit;
        long hintNanos = RetryAfter.NONE;
        if (result instanceof Outcome.Response answered) {
            int status = answered.response().status();
            if (!policy.retriesStatus(status)) {
                return status < FIRST_FAILURE_STATUS ? RetryDecision.Accept.INSTANCE : RetryDecision.Stop.NOT_RETRYABLE;
            }
            unfit = repeatable || policy.provesNoEffect(status) ? null : RetryDecision.Stop.METHOD_NOT_RETRYABLE;
            hintNanos = RetryAfter.nanos(answered.response().headers());
        } else {
            unfit = unfitWithoutResponse(policy, repeatable, result, progress);
        }
        if (unfit != null) {
            return unfit;
        }
        if (attempts > policy.maxRetries()) {
            return RetryDecision.Stop.ATTEMPTS_USED;
        }
        return schedule(policy, attempts, hintNanos, nowNanos, deadlineNanos, jitter, callId);
    }

    /** Why a result without a response is not retried; null where method, failure and effect allow it. */
    private static RetryDecision.@Nullable Stop unfitWithoutResponse(
            Policy policy, boolean repeatable, Outcome result, Progress progress) {
        boolean byEffect = policy.failureRule() == FailureRule.BY_EFFECT;
        if (result instanceof Outcome.TransportFailed failed) {
            TransportFailure.Kind kind = failed.failure().kind();
            boolean retried =
                    byEffect ? kind.permanence() == TransportFailure.Permanence.TRANSIENT : kind.isConnectFailure();
            if (!retried) {
                return RetryDecision.Stop.NOT_RETRYABLE;
            }
        }
        if (repeatable || (byEffect && !progress.mayHaveArrived())) {
            return null;
        }
        return byEffect ? RetryDecision.Stop.AMBIGUOUS_EFFECT : RetryDecision.Stop.METHOD_NOT_RETRYABLE;
    }

    /** When the next attempt may start, if it fits (R4–R6, B1–B3). */
    private static RetryDecision schedule(
            Policy policy,
            int attempts,
            long hintNanos,
            long nowNanos,
            long deadlineNanos,
            JitterSource jitter,
            long callId) {
        boolean hinted = hintNanos != RetryAfter.NONE;
        long delayNanos = hinted ? hintNanos : backoffNanos(policy, attempts, jitter, callId);
        long atNanos = Deadlines.plus(nowNanos, delayNanos);
        if (atNanos == Deadlines.OVERFLOW) {
            // P4: only policy time can overflow as a policy's; a server's hint merely cannot fit.
            return hinted ? RetryDecision.Stop.CANNOT_FIT : RetryDecision.Overflow.INSTANCE;
        }
        if (!fits(policy, atNanos, deadlineNanos)) {
            return RetryDecision.Stop.CANNOT_FIT;
        }
        if (hinted && delayNanos > policy.serverDelayCapNanos()) {
            return RetryDecision.Stop.HINT_OVER_CAP;
        }
        return new RetryDecision.Retry(delayNanos, atNanos);
    }

    private static long backoffNanos(Policy policy, int attempts, JitterSource jitter, long callId) {
        return policy.jitter()
                .delayNanos(
                        policy.initialBackoffNanos(),
                        policy.maxBackoffNanos(),
                        attempts,
                        0,
                        bound -> jitter.draw(callId, attempts, bound));
    }

    /** R6: strictly before the deadline for a whole attempt; a clipped one fits at equality, but never with no time at all. */
    private static boolean fits(Policy policy, long atNanos, long deadlineNanos) {
        long remainingNanos = deadlineNanos - atNanos;
        return switch (policy.attemptFit()) {
            case WHOLE -> remainingNanos > policy.attemptTimeoutNanos();
            case CLIPPED ->
                remainingNanos > policy.cleanupReserveNanos()
                        && remainingNanos - policy.cleanupReserveNanos() >= policy.minimumAttemptNanos();
        };
    }
}
