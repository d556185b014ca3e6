package dev.escapement.netty;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A request's body that a publisher of buffers makes, once (R8). Immutable but for having been taken; any thread. */
final class PublishedBuffers implements ByteBufBody {

    private final Flow.Publisher<ByteBuf> buffers;
    private final long length;
    private final @Nullable Supplier<Headers> trailers;

    /** Set by the first subscriber, and shared with the same body with trailers. */
    private final AtomicBoolean taken;

    PublishedBuffers(Flow.Publisher<ByteBuf> buffers, long length) {
        this(buffers, length, null, new AtomicBoolean());
        if (length < UNKNOWN_LENGTH) {
            throw new IllegalArgumentException("body length " + length + ": expected 0 or more, or UNKNOWN_LENGTH");
        }
    }

    private PublishedBuffers(
            Flow.Publisher<ByteBuf> buffers, long length, @Nullable Supplier<Headers> trailers, AtomicBoolean taken) {
        this.buffers = Objects.requireNonNull(buffers, "buffers");
        this.length = length;
        this.trailers = trailers;
        this.taken = taken;
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
    public Flow.Publisher<ByteBuf> buffers() {
        return this::subscribe;
    }

    @Override
    public Flow.Publisher<ByteBuffer> parts() {
        return subscriber -> subscribe(new HeapParts(subscriber));
    }

    private void subscribe(Flow.Subscriber<? super ByteBuf> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        if (taken.compareAndSet(false, true)) {
            buffers.subscribe(subscriber);
        } else {
            Refusal.tell(subscriber, "a body of buffers was taken before");
        }
    }

    @Override
    public Headers trailers() {
        return trailers == null ? Headers.empty() : trailers.get();
    }

    @Override
    public Body withTrailers(Supplier<Headers> fields) {
        return new PublishedBuffers(buffers, UNKNOWN_LENGTH, Objects.requireNonNull(fields, "fields"), taken);
    }

    @Override
    public boolean isConsumed() {
        return taken.get();
    }

    @Override
    public void release() {}

    @Override
    public String toString() {
        return (length == UNKNOWN_LENGTH ? "buffers of unknown length" : length + " bytes in buffers")
                + ", to be read once";
    }
}
