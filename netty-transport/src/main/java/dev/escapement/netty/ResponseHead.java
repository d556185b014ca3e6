package dev.escapement.netty;

import dev.escapement.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The head of a response as far as somebody here cares: what the caller sees, how the body is framed, whether the
 * connection may stay. Filled by {@link HeadParser} and never written afterwards.
 */
final class ResponseHead {

    static final long NO_LENGTH = Long.MIN_VALUE;
    static final int NO_TIMEOUT = -1;

    /** 100, the leave that a body may wait for (RFC 9110 §15.2.1). */
    static final int CONTINUE = 100;

    private static final int NO_CONTENT = 204;

    /** 205, whose framing may only ever say that there is no content (RFC 9110 §15.3.6). */
    static final int RESET_CONTENT = 205;

    /** Why this is no head of HTTP/1.1; every other field means nothing then. */
    @Nullable
    String fault;

    int status;
    Headers headers = Headers.empty();

    /** The Content-Length, or {@link #NO_LENGTH}. */
    long contentLength = NO_LENGTH;

    boolean chunked;

    /** HTTP/1.1 or a later minor version: connections stay unless somebody says close (RFC 9112 §9.3). */
    boolean persistentByDefault;

    boolean closeAsked;
    boolean keepAliveSaid;

    /** {@code Keep-Alive: timeout=n}, or {@link #NO_TIMEOUT}. */
    int keepAliveSeconds = NO_TIMEOUT;

    boolean isInterim() {
        return status < 200;
    }

    /** Whether a response with this status never has a body, whatever its head says (RFC 9112 §6.3). */
    boolean isBodiless() {
        return status == NO_CONTENT || status == 304;
    }

    /** Whether it frames content where there never is any (RFC 9110 §8.6, RFC 9112 §6.1). */
    boolean framesContentInVain() {
        return (isInterim() || status == NO_CONTENT) && (chunked || contentLength > 0);
    }

    /** Whether the server lets the connection stay. */
    boolean keepsConnection() {
        return !closeAsked && (persistentByDefault || keepAliveSaid);
    }
}
