package dev.escapement.transport;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt brought no response: one of a closed list (E9), with its cause and what was known of the connection.
 *
 * <p>Not an exception: a failed attempt is an ordinary result. What it may have done on the other side is not said here
 * but by the attempt's {@link Progress}. Immutable.
 */
public final class TransportFailure {

    /** Whether the same attempt, made again, has a chance (E2). */
    public enum Permanence {
        TRANSIENT,
        PERMANENT
    }

    /** How much of the world the failure speaks of (E2). */
    public enum Scope {
        ATTEMPT,
        CONNECTION,
        ENDPOINT,
        /** Something that the endpoint itself depends on. */
        DEPENDENCY
    }

    /** The closed list. */
    public enum Kind {
        /** The host's name gave no address. */
        NAME_RESOLUTION(Permanence.TRANSIENT, Scope.ENDPOINT, true),
        /** The endpoint refused the connection or cannot be reached. */
        REFUSED(Permanence.TRANSIENT, Scope.ENDPOINT, true),
        /** No connection within the time for connecting. */
        CONNECT_TIMEOUT(Permanence.TRANSIENT, Scope.ENDPOINT, true),
        /** The pool has no free connection and its waiting list is full. */
        POOL_EXHAUSTED(Permanence.TRANSIENT, Scope.ENDPOINT, true),
        /** The handshake failed, the certificate is not trusted, or the name does not match it. */
        TLS(Permanence.PERMANENT, Scope.ENDPOINT, false),
        /** A pooled connection had died before a byte was accepted, and so had its replacement (R10). */
        STALE(Permanence.TRANSIENT, Scope.CONNECTION, false),
        /** The connection broke or was closed before a response began. */
        RESET(Permanence.TRANSIENT, Scope.CONNECTION, false),
        /** A response began and ended short of its own framing. */
        TRUNCATED(Permanence.TRANSIENT, Scope.CONNECTION, false),
        /** What arrived is not HTTP, or frames itself in two ways. */
        MALFORMED(Permanence.PERMANENT, Scope.ENDPOINT, false),
        /** The head or the body is larger than allowed. */
        TOO_LARGE(Permanence.PERMANENT, Scope.ATTEMPT, false),
        /** More interim answers (1xx) than allowed. */
        TOO_MANY_INTERIM(Permanence.PERMANENT, Scope.ENDPOINT, false),
        /** Bytes arrived before the request was on its way. */
        UNSOLICITED(Permanence.TRANSIENT, Scope.CONNECTION, false),
        /** This side closed: the transport is shutting down. */
        CLOSED_LOCALLY(Permanence.PERMANENT, Scope.ATTEMPT, false);

        private final Permanence permanence;
        private final Scope scope;
        private final boolean connectFailure;

        Kind(Permanence permanence, Scope scope, boolean connectFailure) {
            this.permanence = permanence;
            this.scope = scope;
            this.connectFailure = connectFailure;
        }

        public Permanence permanence() {
            return permanence;
        }

        public Scope scope() {
            return scope;
        }

        /** Whether no connection was ever had (R2's connect failure). */
        public boolean isConnectFailure() {
            return connectFailure;
        }
    }

    private final Kind kind;
    private final String message;
    private final @Nullable Throwable cause;

    private TransportFailure(Kind kind, String message, @Nullable Throwable cause) {
        this.kind = Objects.requireNonNull(kind, "kind");
        this.message = Objects.requireNonNull(message, "message");
        this.cause = cause;
    }

    /**
     * A failure.
     *
     * @param message what happened, to which endpoint, and the connection's age, uses and idle time where there was one; no
     *     header values, no bodies
     */
    public static TransportFailure of(Kind kind, String message) {
        return new TransportFailure(kind, message, null);
    }

    /** The same with the exception that told of it. */
    public static TransportFailure of(Kind kind, String message, Throwable cause) {
        return new TransportFailure(kind, message, cause);
    }

    public Kind kind() {
        return kind;
    }

    public String message() {
        return message;
    }

    /** The exception behind it, if there was one. */
    public java.util.Optional<Throwable> cause() {
        return java.util.Optional.ofNullable(cause);
    }

    @Override
    public String toString() {
        return kind + ": " + message;
    }
}
