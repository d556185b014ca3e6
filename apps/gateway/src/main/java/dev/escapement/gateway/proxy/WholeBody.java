package dev.escapement.gateway.proxy;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * Reads a small body of known length whole, so that it can be sent more than once (R8), and so that a slow client holds no permit. Confined
 * to its connection's loop.
 */
final class WholeBody implements Flow.Subscriber<ByteBuf> {

    private final byte[] bytes;
    private final Consumer<byte[]> whenWhole;
    private int length;

    /** How a body ends that does not come whole, its request is told otherwise. */
    WholeBody(int length, Consumer<byte[]> whenWhole) {
        this.bytes = new byte[length];
        this.whenWhole = whenWhole;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuf part) {
        int count = part.readableBytes();
        part.readBytes(bytes, length, count);
        part.release();
        length += count;
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onComplete() {
        whenWhole.accept(bytes);
    }
}
