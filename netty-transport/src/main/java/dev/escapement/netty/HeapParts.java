package dev.escapement.netty;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;

/** Stands before a subscriber that wants no Netty: copies each buffer to the heap and releases it. Immutable. */
final class HeapParts implements Flow.Subscriber<ByteBuf> {

    private final Flow.Subscriber<? super ByteBuffer> subscriber;

    HeapParts(Flow.Subscriber<? super ByteBuffer> subscriber) {
        this.subscriber = Objects.requireNonNull(subscriber, "subscriber");
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscriber.onSubscribe(subscription);
    }

    @Override
    public void onNext(ByteBuf buffer) {
        ByteBuffer part;
        try {
            part = ByteBuffer.allocate(buffer.readableBytes());
            buffer.readBytes(part);
            part.flip();
        } finally {
            buffer.release();
        }
        subscriber.onNext(part);
    }

    @Override
    public void onError(Throwable failure) {
        subscriber.onError(failure);
    }

    @Override
    public void onComplete() {
        subscriber.onComplete();
    }
}
