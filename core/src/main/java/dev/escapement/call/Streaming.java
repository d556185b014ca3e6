package dev.escapement.call;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a call takes its response in parts (A8): what its deadline bounds, how long its body may stand still, who listens to interim answers.
 * Immutable.
 *
 * <p>Such a call ends at the response's head: then its report is delivered, and no retry follows. Its permit stays out until the body was read
 * whole from its connection, released, or cut. A body is cut, its reader told a {@code BodyException}, at the deadline if that is
 * {@linkplain #toEnd to the end}, when it stands still for too long, when the call is cancelled, and when the client's grace is over.
 *
 * <p>An answer that is retried stays unread, with its connection, until the attempt that follows is sure to start (R9). Where each attempt has a
 * permit of its own, such an answer keeps its one so long: with no other free, the retry waits in the queue and is then not made.
 */
public final class Streaming {

    /** The longest that a body can be allowed to stand still: a day. */
    public static final Duration MAX_IDLE = Duration.ofDays(1);

    private static final Duration MIN_IDLE = Duration.ofMillis(1);

    private static final Streaming TO_END =
            new Streaming(true, Duration.ofSeconds(30).toNanos(), null);
    private static final Streaming TO_HEAD = new Streaming(false, TO_END.idleNanos, null);

    /** Whether the call's deadline bounds the body as well. */
    final boolean toEnd;

    final long idleNanos;
    final @Nullable InterimListener interim;

    private Streaming(boolean toEnd, long idleNanos, @Nullable InterimListener interim) {
        this.toEnd = toEnd;
        this.idleNanos = idleNanos;
        this.interim = interim;
    }

    /** The call's deadline bounds the response to the end of its body. */
    public static Streaming toEnd() {
        return TO_END;
    }

    /** The call's deadline bounds the response's head; the body may take as long as it moves. For downloads and event streams. */
    public static Streaming toHead() {
        return TO_HEAD;
    }

    /**
     * How long a body may stand still, no part handed over and none asked for by a reader who had nothing outstanding: 30 s unless said. Whichever
     * side is slow, the body is cut then.
     *
     * @param timeout from 1 ms to {@link #MAX_IDLE}
     */
    public Streaming withIdleTimeout(Duration timeout) {
        if (timeout.compareTo(MIN_IDLE) < 0 || timeout.compareTo(MAX_IDLE) > 0) {
            throw new IllegalArgumentException(
                    "idle timeout " + timeout + ": expected " + MIN_IDLE + " to " + MAX_IDLE);
        }
        return new Streaming(toEnd, timeout.toNanos(), interim);
    }

    /** Who is told of interim answers, of every attempt; nobody unless said. */
    public Streaming withInterim(InterimListener listener) {
        return new Streaming(toEnd, idleNanos, Objects.requireNonNull(listener, "listener"));
    }
}
