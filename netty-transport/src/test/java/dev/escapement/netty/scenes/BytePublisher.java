package dev.escapement.netty.scenes;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** Gives bytes in parts of one byte each, as many as are asked for, to each subscriber anew, on the thread that asks. */
record BytePublisher(String text) implements Flow.Publisher<ByteBuffer> {

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        subscriber.onSubscribe(new Flow.Subscription() {
            private int next;
            private long wanted;
            private boolean giving;

            @Override
            public void request(long count) {
                wanted += Math.min(count, text.length());
                while (!giving && wanted > 0 && next < text.length()) {
                    giving = true;
                    wanted--;
                    subscriber.onNext(ByteBuffer.wrap(new byte[] {(byte) text.charAt(next++)}));
                    giving = false;
                }
                if (!giving && next == text.length()) {
                    next++;
                    subscriber.onComplete();
                }
            }

            @Override
            public void cancel() {
                next = text.length() + 1;
            }
        });
    }
}
