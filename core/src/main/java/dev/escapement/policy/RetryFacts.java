package dev.escapement.policy;

import dev.escapement.http.Method;
import dev.escapement.http.Response;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What {@link RetryRule} decides from: everything that may count for or against trying again, about one attempt that has
 * ended. Asked by the deciding thread; the answers hold for one decision.
 *
 * <p>All but the last three are facts. Those are asked last, in this order, and only where everything before them allows a retry:
 * a draw uses up a number, and a reservation is taken by asking for it.
 */
public interface RetryFacts extends Draw {

    Policy policy();

    Method method();

    /** Whether the request carries an idempotency key. */
    boolean isKeyed();

    /** Whether the body can be read only once, and some of it was taken (R8). */
    boolean isBodyGone();

    /** Whether the request's owner token says that an outer layer retries (M3). */
    boolean isOwnedAbove();

    /** Attempts made so far, this one included. */
    int attempts();

    /** The attempt's response, if it brought one. */
    @Nullable
    Response response();

    /** Why it brought none; without a response and without this it timed out. */
    @Nullable
    TransportFailure failure();

    /** How far its request got. */
    Progress progress();

    /** The look's reading of the clock, before the deadline. */
    long nowNanos();

    long deadlineNanos();

    /** The delay before this attempt, 0 before the first retry. */
    long previousDelayNanos();

    /** For dates in hints alone (R4). */
    InstantSource wallClock();

    /** A number between 0 and {@code bound}, both ends included, from the client's source of jitter. */
    @Override
    long draw(long bound);

    /** Whether the breakers let an attempt through at that instant, as far as can be known now (G2). */
    boolean breakerAdmits(long atNanos);

    /** Takes a retry from the population's budget (G1); false if there is none. */
    boolean reserveRetry();
}
