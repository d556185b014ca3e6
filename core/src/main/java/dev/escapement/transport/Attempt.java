package dev.escapement.transport;

import dev.escapement.http.BodyException;

/**
 * The engine's handle on a running attempt.
 */
@FunctionalInterface
public interface Attempt {

    /** The handle of an attempt that is over when {@code send} returns. */
    Attempt OVER = () -> {};

    /**
     * Stops the attempt: nobody waits for its result any more. Called at most once, in the context of the exchange's scheduler
     * (or, if that scheduler refuses tasks, on any thread), and only while no result was taken. The transport lets go of
     * what the attempt holds, closes what cannot be reused, and reports {@link Exchange#clean} when nothing is left;
     * it may do so before this method returns. Must not block.
     */
    void abandon();

    /**
     * Ends the body of a streamed response that the engine took and whose end was not reported by {@link Exchange#clean} (A8): its reader is told
     * why, the connection is closed, and {@code clean} reported. Called at most once, in the same context as {@link #abandon}; harmless where the
     * body has ended meanwhile. Must not block. Transports that never stream need not implement it.
     *
     * @param why what the reader's {@code onError} is given
     */
    default void cut(BodyException why) {}
}
