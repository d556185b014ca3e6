package dev.escapement.http;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Supplier;

/** A request's body with fields after it: the same content, its length not told (RFC 9112 §7.1.2). */
final class TrailedBody implements Body {

    private final Body content;
    private final Supplier<Headers> trailers;

    TrailedBody(Body content, Supplier<Headers> trailers) {
        this.content = content;
        this.trailers = Objects.requireNonNull(trailers, "trailers");
    }

    @Override
    public long length() {
        return UNKNOWN_LENGTH;
    }

    @Override
    public ByteBuffer content() {
        throw new IllegalStateException("a body with trailers is read in parts");
    }

    @Override
    public boolean isStreamed() {
        return true;
    }

    @Override
    public Flow.Publisher<ByteBuffer> parts() {
        return content.parts();
    }

    @Override
    public Headers trailers() {
        return trailers.get();
    }

    @Override
    public boolean isConsumed() {
        return content.isConsumed();
    }

    @Override
    public void release() {
        content.release();
    }

    @Override
    public String toString() {
        return content + ", with trailers";
    }
}
