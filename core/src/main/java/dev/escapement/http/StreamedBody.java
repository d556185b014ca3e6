package dev.escapement.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;

/** A request's body that a publisher of the caller's makes, read once or anew by each attempt (R8). */
final class StreamedBody implements Body, Flow.Publisher<ByteBuffer> {

    private static final VarHandle TAKEN;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(StreamedBody.class, "taken", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Flow.Publisher<ByteBuffer> parts;
    private final long length;
    private final boolean once;

    /** Set by the first subscriber. */
    @SuppressWarnings("unused") // by TAKEN
    private volatile boolean taken;

    StreamedBody(Flow.Publisher<ByteBuffer> parts, long length, boolean once) {
        if (length < UNKNOWN_LENGTH) {
            throw new IllegalArgumentException("body length " + length + ": expected 0 or more, or UNKNOWN_LENGTH");
        }
        this.parts = Objects.requireNonNull(parts, "parts");
        this.length = length;
        this.once = once;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public ByteBuffer content() {
        throw new IllegalStateException("a streamed body is not in memory: read its parts");
    }

    @Override
    public boolean isStreamed() {
        return true;
    }

    @Override
    public Flow.Publisher<ByteBuffer> parts() {
        return this;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        // Volatile: one taker, and the thread that decides upon a retry sees that there was one.
        if (!TAKEN.compareAndSet(this, false, true) && once) {
            Refusal.tell(subscriber, "a streamed body that can be read once was taken before");
        } else {
            parts.subscribe(subscriber);
        }
    }

    @Override
    public boolean isConsumed() {
        return once && taken;
    }

    @Override
    public void release() {}

    @Override
    public String toString() {
        return (length == UNKNOWN_LENGTH ? "parts of unknown length" : length + " bytes in parts")
                + (once ? ", to be read once" : "");
    }
}
