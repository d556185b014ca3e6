package dev.escapement.metadata;

import dev.escapement.report.Outcome;
import java.util.Optional;

/** Why the attempt before this one did not do, in one word for the next layer. */
public enum FailureClass {
    /** A server answered, with a status that is tried again. */
    STATUS("status"),
    /** No connection was had. */
    CONNECT("connect"),
    /** There was a connection, and no whole answer came over it. */
    TRANSPORT("transport"),
    /** Nothing came in time. */
    TIMEOUT("timeout");

    private final String word;

    FailureClass(String word) {
        this.word = word;
    }

    /** As it is written in a header. */
    public String word() {
        return word;
    }

    /** The class of an attempt's own outcome; empty for one that ends a call and is followed by nothing. */
    public static Optional<FailureClass> of(Outcome attempt) {
        return switch (attempt.kind()) {
            case RESPONSE -> Optional.of(STATUS);
            case TRANSPORT_FAILED ->
                Optional.of(
                        ((Outcome.TransportFailed) attempt).failure().kind().isConnectFailure() ? CONNECT : TRANSPORT);
            case ATTEMPT_TIMEOUT -> Optional.of(TIMEOUT);
            case OVERALL_DEADLINE, POLICY_TIME_OVERFLOW, CANCELLED, REJECTED, BROKEN -> Optional.empty();
        };
    }
}
