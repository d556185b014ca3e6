package dev.escapement.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The content of a body in memory as a single part, or none where it is empty. Each subscriber gets its own, on the thread that asks
 * for it; one whose body was read by somebody else is told so.
 */
final class WholePart implements Flow.Publisher<ByteBuffer> {

    private final Body body;

    WholePart(Body body) {
        this.body = body;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        ByteBuffer content;
        try {
            content = body.content();
        } catch (IllegalStateException e) {
            Refusal.tell(subscriber, String.valueOf(e.getMessage()));
            return;
        }
        Delivery delivery = new Delivery(subscriber, content);
        subscriber.onSubscribe(delivery);
        if (!content.hasRemaining()) {
            delivery.complete();
        }
    }

    /** One subscriber's part. Demand and cancellation may come from any thread; whoever takes the subscriber out of its field speaks to it, once. */
    private static final class Delivery implements Flow.Subscription {

        private static final VarHandle SUBSCRIBER;

        static {
            try {
                SUBSCRIBER = MethodHandles.lookup().findVarHandle(Delivery.class, "subscriber", Flow.Subscriber.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final ByteBuffer content;

        /** Null once it was told its end, or wants nothing more. */
        @SuppressWarnings("UnusedVariable") // by SUBSCRIBER
        private volatile Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;

        /** Set by cancel, read between the part and the end. */
        private volatile boolean cancelled;

        Delivery(Flow.Subscriber<? super ByteBuffer> subscriber, ByteBuffer content) {
            this.subscriber = subscriber;
            this.content = content;
        }

        @Override
        public void request(long count) {
            Flow.Subscriber<? super ByteBuffer> taken = take();
            if (taken == null) {
                return;
            }
            if (count <= 0) {
                taken.onError(new IllegalArgumentException("demand " + count + ": expected 1 or more"));
                return;
            }
            if (content.hasRemaining()) {
                taken.onNext(content);
            }
            if (!cancelled) {
                taken.onComplete();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            subscriber = null;
        }

        void complete() {
            Flow.Subscriber<? super ByteBuffer> taken = take();
            if (taken != null) {
                taken.onComplete();
            }
        }

        @SuppressWarnings("unchecked") // what the field holds
        private Flow.@Nullable Subscriber<? super ByteBuffer> take() {
            // Volatile: one winner among demand, end and cancellation.
            return (Flow.@Nullable Subscriber<? super ByteBuffer>) SUBSCRIBER.getAndSet(this, null);
        }
    }
}
