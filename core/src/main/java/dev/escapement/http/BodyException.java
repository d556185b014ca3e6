package dev.escapement.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Why the body of a streamed response ended before it was whole (A8). What was read until then is genuine; that there is no
 * more of it proves nothing about the rest.
 */
public final class BodyException extends IOException {

    private static final long serialVersionUID = 1L;

    /** The closed list. */
    public enum Kind {
        /** The call's deadline passed. */
        DEADLINE,
        /** No part was handed over, and none asked for, for as long as the call allows. */
        IDLE,
        /** The call was cancelled. */
        CANCELLED,
        /** The client or the transport is closed. */
        SHUTTING_DOWN,
        /** The body was released. */
        RELEASED,
        /** The connection ended short of the body's own framing. */
        TRUNCATED,
        /** What arrived is no body by the framing that the head promised. */
        MALFORMED,
        /** A chunk line, the trailers, or chunk extensions are beyond their bounds. */
        TOO_LARGE
    }

    private final Kind kind;

    /** An ending. */
    public BodyException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** An ending with the exception that told of it. */
    public BodyException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
