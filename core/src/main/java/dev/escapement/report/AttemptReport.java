package dev.escapement.report;

import dev.escapement.transport.Progress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one attempt, frozen when it was decided upon. Immutable; linked to the one before it, so that a call
 * without retries keeps none and a call with some keeps no list.
 *
 * <p>The outcome here is the attempt's own: {@code RESPONSE}, {@code TRANSPORT_FAILED} or {@code ATTEMPT_TIMEOUT}; an
 * attempt that was still running when its call ended carries the call's outcome. A response that was retried has been released: its
 * status and headers can be read, its body is gone.
 */
public final class AttemptReport {

    /** For {@link #AttemptReport}: no retry followed. */
    public static final long NO_RETRY = -1L;

    private final int ordinal;
    private final Outcome outcome;
    private final Progress progress;
    private final long writtenBytes;
    private final boolean replyStarted;
    private final boolean replacedConnection;
    private final boolean ambiguous;
    private final long delayAfterNanos;
    private final @Nullable AttemptReport previous;

    /**
     * For the engine.
     *
     * @param delayAfterNanos the delay decided on before the next attempt, or {@link #NO_RETRY}
     */
    public AttemptReport(
            int ordinal,
            Outcome outcome,
            Progress progress,
            long writtenBytes,
            boolean replyStarted,
            boolean replacedConnection,
            boolean ambiguous,
            long delayAfterNanos,
            @Nullable AttemptReport previous) {
        this.ordinal = ordinal;
        this.outcome = outcome;
        this.progress = progress;
        this.writtenBytes = writtenBytes;
        this.replyStarted = replyStarted;
        this.replacedConnection = replacedConnection;
        this.ambiguous = ambiguous;
        this.delayAfterNanos = delayAfterNanos;
        this.previous = previous;
    }

    /** Counted from 1. */
    public int ordinal() {
        return ordinal;
    }

    public Outcome outcome() {
        return outcome;
    }

    /** How far the request got, as far as was known when the attempt was decided upon (E1). */
    public Progress progress() {
        return progress;
    }

    /** How many bytes of the request the socket accepted, as far as the transport told (E1). */
    public long writtenBytes() {
        return writtenBytes;
    }

    /** Whether the first byte of a reply was seen, interim answers included (E1). */
    public boolean replyStarted() {
        return replyStarted;
    }

    /** Whether a stale connection was replaced inside the attempt (R10). */
    public boolean replacedConnection() {
        return replacedConnection;
    }

    /**
     * Whether an effect may exist that no reply told of (E4): the method is not safe, the request may have arrived, and
     * no whole response came.
     */
    public boolean ambiguous() {
        return ambiguous;
    }

    /** The delay decided on before the next attempt, if one was decided on. */
    public Optional<Duration> retryDelay() {
        return delayAfterNanos == NO_RETRY ? Optional.empty() : Optional.of(Duration.ofNanos(delayAfterNanos));
    }

    /** The attempt before this one. */
    public Optional<AttemptReport> previous() {
        return Optional.ofNullable(previous);
    }

    @Override
    public String toString() {
        return "attempt " + ordinal + ": " + outcome + ", " + progress + (ambiguous ? ", ambiguous" : "");
    }
}
