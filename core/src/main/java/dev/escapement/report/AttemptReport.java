package dev.escapement.report;

import dev.escapement.transport.Progress;
import java.time.Duration;
import java.util.Optional;

/**
 * What is known of one attempt, frozen when it was decided upon. Immutable.
 *
 * <p>The outcome here is the attempt's own: {@code RESPONSE}, {@code TRANSPORT_FAILED} or {@code ATTEMPT_TIMEOUT}; an
 * attempt that was still running when its call ended carries the call's outcome. A response that was retried has been released: its
 * status and headers can be read, its body is gone.
 */
public interface AttemptReport {

    /** Counted from 1. */
    int ordinal();

    Outcome outcome();

    /** How far the request got, as far as was known when the attempt was decided upon (E1). */
    Progress progress();

    /** Whether the first byte of a reply was seen, interim answers included (E1). */
    boolean replyStarted();

    /** Whether a stale connection was replaced inside the attempt (R10). */
    boolean replacedConnection();

    /** What the attempt may have done on the other side. */
    Effect effect();

    /** Whether an effect may exist that no reply confirmed or ruled out (E4). */
    default boolean ambiguous() {
        return effect() == Effect.POSSIBLE;
    }

    /** The attempt's failure on four axes (E2); empty where an answer below 400 was no reason to retry, and where it was cut short. */
    Optional<Failure> failure();

    /** The delay decided on before the next attempt, if one was decided on. */
    Optional<Duration> retryDelay();

    /** Where it went and when; empty unless the policy asks for {@link ReportDetail#FULL}. */
    Optional<AttemptDetail> detail();
}
