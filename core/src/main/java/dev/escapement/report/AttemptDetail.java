package dev.escapement.report;

import dev.escapement.transport.Endpoint;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where an attempt went, and when it got how far (E5): one step after another, each with its instant on the client's clock. Immutable.
 *
 * <p>Due and started are readings of looks that decided; so is ended. The steps between are stamps taken when the transport told of
 * them: telemetry, by which nothing is decided (A2). A step that was not reached, or that the transport does not tell of, is
 * empty.
 *
 * @param lane why it was made
 * @param endpoint where it connected to
 * @param dueNanos when it could have started, had a permit been free: the call's entry, or the end of the backoff
 * @param startedNanos when it was handed to the transport
 * @param connected when its connection was ready
 * @param sending when the first byte could leave
 * @param sent when the socket had taken the whole request
 * @param replied when the first byte of a reply arrived
 * @param endedNanos when it was decided upon: answered, failed, timed out or cancelled
 * @param deadlineNanos the call's deadline
 * @param reusedConnection whether its connection had served another attempt before
 * @param writtenBytes how many bytes of the request the socket took, as far as was told (E1)
 */
public record AttemptDetail(
        LaneKind lane,
        Endpoint endpoint,
        long dueNanos,
        long startedNanos,
        OptionalLong connected,
        OptionalLong sending,
        OptionalLong sent,
        OptionalLong replied,
        long endedNanos,
        long deadlineNanos,
        boolean reusedConnection,
        long writtenBytes) {

    /** How long it waited for a permit. */
    public Duration queueTime() {
        return Duration.ofNanos(startedNanos - dueNanos);
    }

    /** How long it took to have a connection, if it had one. */
    public Optional<Duration> connectTime() {
        return connected.isPresent()
                ? Optional.of(Duration.ofNanos(connected.getAsLong() - startedNanos))
                : Optional.empty();
    }

    /** From its start to its end. */
    public Duration serviceTime() {
        return Duration.ofNanos(endedNanos - startedNanos);
    }

    /** What was left of the call's time when it started. */
    public Duration remainingAtStart() {
        return Duration.ofNanos(deadlineNanos - startedNanos);
    }

    /** What was left when it ended; negative where that was seen late. */
    public Duration remainingAtEnd() {
        return Duration.ofNanos(deadlineNanos - endedNanos);
    }
}
