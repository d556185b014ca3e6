package dev.escapement.report;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is known about a call that has ended. Exactly one per call: the future and the callback see the same one.
 *
 * <p>Immutable and safe to share, but for the responses in it, whose bodies belong to the caller until {@link #release()}.
 * Instants are readings of the client's clock taken at the looks that decided.
 */
public interface Report {

    /** How the call ended. */
    Outcome outcome();

    /** How many attempts were started; replaced connections (R10) are not attempts. */
    int attempts();

    /** One report an attempt, in order. */
    List<AttemptReport> attemptReports();

    /** The delay decided on before each retry, in order; one that the call's end cut short is among them. */
    List<Duration> retryDelays();

    /** Why the last failure was not retried (R7); empty after a success and where no failure stood. */
    Optional<Suppressed> suppressed();

    /** The last response or transport failure that any attempt saw, whatever the outcome. */
    Optional<Outcome> lastRealResult();

    /** The version of the policy that the call was admitted with (P1). */
    String policyVersion();

    /** What the caller attached to the call. */
    Optional<Object> attachment();

    /** When the call entered. */
    long startedNanos();

    /** When its outcome was decided. */
    long endedNanos();

    /** How often a stale connection was replaced inside an attempt (R10). */
    int replacedConnections();

    /**
     * What the call may have done on the other side (E2): {@code KNOWN} if it ended with an answer that confirms it,
     * else {@code POSSIBLE} if any attempt's effect is, else {@code KNOWN} if an answer before the last did, else
     * {@code ABSENT}.
     */
    Effect effect();

    /** Whether an effect may exist that no reply confirmed or ruled out (E4). */
    default boolean ambiguous() {
        return effect() == Effect.POSSIBLE;
    }

    /** Gives back the bodies of the responses that the outcome and the last real result hold; harmless when repeated. */
    void release();
}
