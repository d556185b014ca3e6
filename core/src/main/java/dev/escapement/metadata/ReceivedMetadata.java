package dev.escapement.metadata;

import dev.escapement.time.Deadlines;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What an outer layer said of its attempt: advice (M2). It can make a call end sooner and keep it from retrying; it can
 * lengthen nothing and raise no local cap, the two counts least of all.
 *
 * @param remainingNanos how long the outer layer will wait; 0: its time is spent
 * @param ordinal which of its attempts this is, from 1
 * @param maxAttempts how many it may make
 * @param kind whether another of its attempts may be running
 * @param previousFailure why the attempt before did not do
 * @param operationId what names the operation
 * @param retryOwner the token of the layer that retries; where there is one, nobody below it does (M3)
 * @param faults what was received and is ignored
 */
public record ReceivedMetadata(
        OptionalLong remainingNanos,
        OptionalInt ordinal,
        OptionalInt maxAttempts,
        Optional<AttemptKind> kind,
        Optional<FailureClass> previousFailure,
        Optional<String> operationId,
        Optional<String> retryOwner,
        List<MetadataFault> faults) {

    /** The deadline of someone who set none. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Nothing was received. */
    public static final ReceivedMetadata NOTHING = new ReceivedMetadata(
            OptionalLong.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of());

    public ReceivedMetadata {
        faults = List.copyOf(faults);
    }

    /**
     * The instant up to which the outer layer will wait.
     *
     * @param nowNanos when this was received, on the clock of the client that will call
     * @return {@link #NO_DEADLINE} if it said nothing, or more than the clock can reach
     */
    public long deadlineNanos(long nowNanos) {
        long deadlineNanos =
                remainingNanos.isPresent() ? Deadlines.plus(nowNanos, remainingNanos.getAsLong()) : NO_DEADLINE;
        return deadlineNanos == Deadlines.OVERFLOW ? NO_DEADLINE : deadlineNanos;
    }

    /** Whether the outer layer has given up by now. */
    public boolean isSpent() {
        return remainingNanos.isPresent() && remainingNanos.getAsLong() == 0;
    }
}
