package dev.escapement.policy;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Response;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What a retry is decided from, as a test gives it: a GET whose first attempt, written whole, timed out at 0, with 120 s left
 * and nothing against a retry, unless said otherwise.
 */
final class Scene implements RetryFacts {

    private static final long CALL_ID = 17;

    private final Policy policy;
    private Method method = Method.GET;
    private boolean keyed;
    private boolean bodyGone;
    private boolean ownedAbove;
    private int attempts = 1;
    private Response response;
    private TransportFailure failure;
    private Progress progress = Progress.COMPLETE;
    private long nowNanos;
    private long deadlineNanos = 120_000_000_000L;
    private long previousDelayNanos;
    private JitterSource jitter = (callId, attempt, bound) -> bound;
    private Instant wallNow = Instant.EPOCH;
    private boolean breakerOpen;
    private boolean budgetEmpty;
    private int reservations;
    private long askedNanos = -1;

    Scene(Policy policy) {
        this.policy = policy;
    }

    Scene method(Method value) {
        method = value;
        return this;
    }

    Scene keyed() {
        return keyed(true);
    }

    Scene keyed(boolean value) {
        keyed = value;
        return this;
    }

    Scene bodyGone() {
        return bodyGone(true);
    }

    Scene bodyGone(boolean value) {
        bodyGone = value;
        return this;
    }

    Scene ownedAbove() {
        return ownedAbove(true);
    }

    Scene ownedAbove(boolean value) {
        ownedAbove = value;
        return this;
    }

    Scene attempts(int value) {
        attempts = value;
        return this;
    }

    Scene answered(int status) {
        return answered(Response.of(status));
    }

    Scene answered(int status, String retryAfter) {
        return answered(Response.of(status, Headers.of("Retry-After", retryAfter), Body.empty()));
    }

    Scene answered(Response value) {
        response = value;
        failure = null;
        return this;
    }

    Scene failed(TransportFailure.Kind kind) {
        response = null;
        failure = TransportFailure.of(kind, "scripted");
        return this;
    }

    Scene timedOut() {
        response = null;
        failure = null;
        return this;
    }

    Scene progress(Progress value) {
        progress = value;
        return this;
    }

    Scene at(long value) {
        nowNanos = value;
        return this;
    }

    Scene deadline(long value) {
        deadlineNanos = value;
        return this;
    }

    Scene previousDelay(long value) {
        previousDelayNanos = value;
        return this;
    }

    /** What the wall clock says. */
    Scene wallNow(Instant value) {
        wallNow = value;
        return this;
    }

    Scene drawing(JitterSource value) {
        jitter = value;
        return this;
    }

    Scene breakerOpen() {
        return breakerOpen(true);
    }

    Scene breakerOpen(boolean value) {
        breakerOpen = value;
        return this;
    }

    Scene budgetEmpty() {
        return budgetEmpty(true);
    }

    Scene budgetEmpty(boolean value) {
        budgetEmpty = value;
        return this;
    }

    RetryDecision decide() {
        return RetryRule.decide(this);
    }

    /** About which instant the breakers were asked last. */
    long askedNanos() {
        return askedNanos;
    }

    /** How many reservations were taken. */
    int reservations() {
        return reservations;
    }

    @Override
    public Policy policy() {
        return policy;
    }

    @Override
    public Method method() {
        return method;
    }

    @Override
    public boolean isKeyed() {
        return keyed;
    }

    @Override
    public boolean isBodyGone() {
        return bodyGone;
    }

    @Override
    public boolean isOwnedAbove() {
        return ownedAbove;
    }

    @Override
    public int attempts() {
        return attempts;
    }

    @Override
    public Response response() {
        return response;
    }

    @Override
    public TransportFailure failure() {
        return failure;
    }

    @Override
    public Progress progress() {
        return progress;
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public long previousDelayNanos() {
        return previousDelayNanos;
    }

    @Override
    public InstantSource wallClock() {
        return () -> wallNow;
    }

    @Override
    public long draw(long bound) {
        return jitter.draw(CALL_ID, attempts, bound);
    }

    @Override
    public boolean breakerAdmits(long atNanos) {
        askedNanos = atNanos;
        return !breakerOpen;
    }

    @Override
    public boolean reserveRetry() {
        if (budgetEmpty) {
            return false;
        }
        reservations++;
        return true;
    }
}
