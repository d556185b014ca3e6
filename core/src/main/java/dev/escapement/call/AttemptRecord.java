package dev.escapement.call;

import dev.escapement.http.Response;
import dev.escapement.report.AttemptDetail;
import dev.escapement.report.AttemptReport;
import dev.escapement.report.Effect;
import dev.escapement.report.Failure;
import dev.escapement.report.Outcome;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One attempt that was decided upon, linked to the one before it: a call without retries keeps none, and one with some keeps no
 * list. Immutable; {@link PlacedRecord} is the form that also knows where the attempt went.
 *
 * <p>Results are kept as they came and their outcomes made when asked for: 32 bytes a retried attempt.
 */
class AttemptRecord implements AttemptReport {

    /** For the delay: no retry followed. */
    static final long NO_RETRY = -1L;

    private static final int FIRST_FAILURE_STATUS = 400;
    private static final int FIRST_SERVER_FAILURE_STATUS = 500;

    private static final Progress[] PROGRESS = Progress.values();
    private static final Effect[] EFFECTS = Effect.values();

    // Of the flags; the effect's number stands above them.
    private static final int REPLY_STARTED = 1;
    private static final int REPLACED = 1 << 1;
    private static final int ANOTHER_FITS = 1 << 2;
    private static final int RETRIED_STATUS = 1 << 3;
    private static final int EFFECT_SHIFT = 4;

    private final @Nullable AttemptRecord previous;

    /** A response, a transport failure, the outcome of a call that ended first; null for an attempt timeout. */
    private final @Nullable Object result;

    private final long delayAfterNanos;
    private final byte ordinal;
    private final byte progress;
    private final byte flags;

    /**
     * A record.
     *
     * @param flags by {@link #flags}
     */
    AttemptRecord(
            @Nullable AttemptRecord previous,
            @Nullable Object result,
            long delayAfterNanos,
            int ordinal,
            byte progress,
            byte flags) {
        this.previous = previous;
        this.result = result;
        this.delayAfterNanos = delayAfterNanos;
        this.ordinal = (byte) ordinal;
        this.progress = progress;
        this.flags = flags;
    }

    /** What a record keeps of a lane and its result, in a byte. */
    @SuppressWarnings("EnumOrdinal") // the number never leaves this class
    static byte flags(Lane lane, Effect effect, boolean retriedStatus, boolean anotherFits) {
        return (byte) ((lane.sawReply() ? REPLY_STARTED : 0)
                | (lane.replacedConnection() ? REPLACED : 0)
                | (anotherFits ? ANOTHER_FITS : 0)
                | (retriedStatus ? RETRIED_STATUS : 0)
                | effect.ordinal() << EFFECT_SHIFT);
    }

    /** The number by which a record keeps a progress. */
    @SuppressWarnings("EnumOrdinal") // the number never leaves this class
    static byte number(Progress progress) {
        return (byte) progress.ordinal();
    }

    /** What a record keeps of an outcome. */
    static @Nullable Object resultOf(Outcome outcome) {
        if (outcome instanceof Outcome.Response answered) {
            return answered.response();
        }
        if (outcome instanceof Outcome.TransportFailed failed) {
            return failed.failure();
        }
        return outcome instanceof Outcome.AttemptTimeout ? null : outcome;
    }

    /** The newest record with a response or a transport failure; null if there is none. */
    static @Nullable AttemptRecord lastReal(@Nullable AttemptRecord newest) {
        AttemptRecord record = newest;
        while (record != null && !(record.result instanceof Response || record.result instanceof TransportFailure)) {
            record = record.previous;
        }
        return record;
    }

    @Nullable
    AttemptRecord previous() {
        return previous;
    }

    /** The response, if it brought one. */
    @Nullable
    Response response() {
        return result instanceof Response answered ? answered : null;
    }

    long delayAfterNanos() {
        return delayAfterNanos;
    }

    @Override
    public int ordinal() {
        return ordinal;
    }

    @Override
    public Outcome outcome() {
        if (result == null) {
            return Outcome.AttemptTimeout.INSTANCE;
        }
        if (result instanceof Response answered) {
            return new Outcome.Response(answered);
        }
        return result instanceof TransportFailure failed ? new Outcome.TransportFailed(failed) : (Outcome) result;
    }

    @Override
    public Progress progress() {
        return PROGRESS[progress];
    }

    @Override
    public boolean replyStarted() {
        return (flags & REPLY_STARTED) != 0;
    }

    @Override
    public boolean replacedConnection() {
        return (flags & REPLACED) != 0;
    }

    @Override
    public Effect effect() {
        return EFFECTS[flags >> EFFECT_SHIFT];
    }

    @Override
    public Optional<Failure> failure() {
        if (result == null) {
            return failure(TransportFailure.Permanence.TRANSIENT, TransportFailure.Scope.ATTEMPT);
        }
        if (result instanceof TransportFailure failed) {
            return failure(failed.kind().permanence(), failed.kind().scope());
        }
        if (result instanceof Response answered) {
            boolean retried = (flags & RETRIED_STATUS) != 0;
            return retried || answered.status() >= FIRST_FAILURE_STATUS
                    ? failure(
                            retried ? TransportFailure.Permanence.TRANSIENT : TransportFailure.Permanence.PERMANENT,
                            scopeOf(answered.status()))
                    : Optional.empty();
        }
        return Optional.empty();
    }

    private Optional<Failure> failure(TransportFailure.Permanence permanence, TransportFailure.Scope scope) {
        return Optional.of(new Failure(permanence, effect(), scope, (flags & ANOTHER_FITS) != 0));
    }

    /** RFC 9110 §15.6: a gateway's statuses speak of what stands behind it, other 5xx and 429 of the server itself. */
    private static TransportFailure.Scope scopeOf(int status) {
        return switch (status) {
            case 502, 504 -> TransportFailure.Scope.DEPENDENCY;
            case 429 -> TransportFailure.Scope.ENDPOINT;
            default ->
                status >= FIRST_SERVER_FAILURE_STATUS
                        ? TransportFailure.Scope.ENDPOINT
                        : TransportFailure.Scope.ATTEMPT;
        };
    }

    @Override
    public Optional<Duration> retryDelay() {
        return delayAfterNanos == NO_RETRY ? Optional.empty() : Optional.of(Duration.ofNanos(delayAfterNanos));
    }

    @Override
    public Optional<AttemptDetail> detail() {
        return Optional.empty();
    }

    @Override
    public String toString() {
        return "attempt " + ordinal + ": " + outcome() + ", " + progress() + ", effect " + effect();
    }
}
