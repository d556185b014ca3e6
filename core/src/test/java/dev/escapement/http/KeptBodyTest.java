package dev.escapement.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** R8: a body that can be read once is sent again as long as what was read of it is kept, within a bound for each and one for all. */
class KeptBodyTest {

    private final ReplayMemory memory = ReplayMemory.of(8, 12);
    private final Source source = new Source();
    private final Body body = memory.keep(source, Body.UNKNOWN_LENGTH);

    /** A source that gives what it is asked for when the test says so. */
    private static final class Source implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
        private Flow.Subscriber<? super ByteBuffer> subscriber;
        private int subscriptions;
        private long asked;
        private boolean cancelled;

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> given) {
            subscriptions++;
            subscriber = given;
            given.onSubscribe(this);
        }

        @Override
        public void request(long count) {
            asked += count;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        void give(String text) {
            assertThat(asked).isPositive();
            asked--;
            subscriber.onNext(ByteBuffer.wrap(text.getBytes(UTF_8)));
        }
    }

    private static final class Reader implements Flow.Subscriber<ByteBuffer> {
        private final StringBuilder text = new StringBuilder();
        private Flow.Subscription subscription;
        private boolean complete;
        private Throwable failure;

        static Reader of(Body body) {
            Reader reader = new Reader();
            body.parts().subscribe(reader);
            return reader;
        }

        Reader ask(long count) {
            subscription.request(count);
            return this;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(ByteBuffer part) {
            text.append(UTF_8.decode(part));
        }

        @Override
        public void onError(Throwable why) {
            failure = why;
        }

        @Override
        public void onComplete() {
            complete = true;
        }
    }

    @Test
    @DisplayName("R8 a second attempt reads what the first had, and then the rest")
    void again() {
        Reader first = Reader.of(body).ask(2);
        source.give("ab");
        source.give("cd");
        first.subscription.cancel();
        assertThat(first.text).hasToString("abcd");
        assertThat(body.isConsumed()).isFalse();
        assertThat(memory.keptBytes()).isEqualTo(4);

        Reader second = Reader.of(body).ask(9);
        assertThat(second.text).hasToString("abcd");
        source.give("ef");
        source.subscriber.onComplete();
        assertThat(second.text).hasToString("abcdef");
        assertThat(second.complete).isTrue();
        assertThat(source.subscriptions).isEqualTo(1);

        Reader third = Reader.of(body).ask(9);
        assertThat(third.text).hasToString("abcdef");
        assertThat(third.complete).isTrue();
        body.release();
        assertThat(memory.keptBytes()).isZero();
    }

    @Test
    @DisplayName("R8 at its bound a body is kept, one byte over it is consumed, and goes on")
    void boundOfEach() {
        Reader first = Reader.of(body).ask(9);
        source.give("12345678");
        assertThat(body.isConsumed()).isFalse();
        source.give("9");
        assertThat(body.isConsumed()).isTrue();
        assertThat(memory.keptBytes()).isZero();
        source.give("0");
        source.subscriber.onComplete();

        assertThat(first.text).hasToString("1234567890");
        assertThat(first.complete).isTrue();
        assertThat(Reader.of(body).failure).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("R8 the bound for all counts every body, and what is released is free again")
    void boundOfAll() {
        Source otherSource = new Source();
        Body other = memory.keep(otherSource, 8);
        Reader.of(body).ask(9);
        Reader.of(other).ask(9);
        source.give("12345678");
        otherSource.give("1234");
        assertThat(other.isConsumed()).isFalse();
        otherSource.give("5");
        assertThat(other.isConsumed()).isTrue();
        assertThat(memory.keptBytes()).isEqualTo(8);

        body.release();
        assertThat(memory.keptBytes()).isZero();
        assertThat(source.cancelled).isTrue();
        other.release();
        assertThat(memory.keptBytes()).isZero();
    }

    @Test
    @DisplayName("R8 a reader who cancels a body that is consumed ends its source")
    void cancelOfConsumed() {
        Reader first = Reader.of(body).ask(9);
        source.give("123456789");
        first.subscription.cancel();

        assertThat(source.cancelled).isTrue();
    }

    @Test
    @DisplayName("R8 what comes when nobody reads is kept for who reads next, or given up where it cannot be")
    void betweenAttempts() {
        Reader.of(body).ask(2).subscription.cancel();
        source.give("ab");
        assertThat(Reader.of(body).ask(1).text).hasToString("ab");

        Reader.of(body).subscription.cancel();
        source.give("1234567");
        assertThat(body.isConsumed()).isTrue();
        assertThat(source.cancelled).isTrue();
        assertThat(memory.keptBytes()).isZero();
    }

    @Test
    @DisplayName("R8 a later attempt takes over, and the one before is told")
    void takenOver() {
        Reader first = Reader.of(body).ask(9);
        source.give("ab");
        Reader second = Reader.of(body).ask(9);
        source.give("cd");

        assertThat(first.text).hasToString("ab");
        assertThat(first.failure).isInstanceOf(IllegalStateException.class);
        assertThat(second.text).hasToString("abcd");
    }

    @Test
    @DisplayName("R8 a released body says so to its reader, and to who comes later")
    void released() {
        Reader first = Reader.of(body).ask(9);
        body.release();

        assertThat(((BodyException) first.failure).kind()).isEqualTo(BodyException.Kind.RELEASED);
        assertThat(Reader.of(body).failure).isInstanceOf(IllegalStateException.class);
        assertThat(body.isConsumed()).isTrue();
        body.release();
        assertThat(memory.keptBytes()).isZero();
    }

    @Test
    @DisplayName("a source that fails is told to every attempt, after what it gave")
    void failed() {
        Reader first = Reader.of(body).ask(9);
        source.give("ab");
        IllegalStateException why = new IllegalStateException("lost");
        source.subscriber.onError(why);

        assertThat(first.failure).isSameAs(why);
        Reader second = Reader.of(body).ask(1);
        assertThat(second.text).hasToString("ab");
        assertThat(second.failure).isSameAs(why);
    }

    @Test
    @DisplayName("no more is asked of the source than the reader asked for, and never more than four parts ahead")
    void demand() {
        Reader first = Reader.of(body);
        assertThat(source.asked).isZero();
        first.ask(3);
        assertThat(source.asked).isEqualTo(3);
        first.ask(100);
        assertThat(source.asked).isEqualTo(4);
        first.ask(0);
        assertThat(first.failure).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("G5 bounds out of range are refused by name")
    void bounds() {
        assertThatThrownBy(() -> ReplayMemory.of(0, 1)).hasMessageContaining("bytesPerBody = 0");
        assertThatThrownBy(() -> ReplayMemory.of(2, 1)).hasMessageContaining("bytesInAll = 1");
        assertThatThrownBy(() -> memory.keep(source, -2)).hasMessageContaining("body length -2");
    }

    /** Source, demand and takeovers on three threads: whoever is not told otherwise reads the whole, in order. */
    @Test
    @Timeout(60)
    @DisplayName("R8 attempts that take over while parts come lose and repeat nothing")
    void racing() throws InterruptedException {
        int parts = 200;
        for (int round = 0; round < 300; round++) {
            ReplayMemory all = ReplayMemory.of(1 << 20, 1 << 20);
            SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>();
            try {
                Body kept = all.keep(publisher, Body.UNKNOWN_LENGTH);
                List<Collecting> readers = new ArrayList<>();
                Thread comers = new Thread(() -> {
                    for (int i = 0; i < 5; i++) {
                        Collecting reader = new Collecting();
                        readers.add(reader);
                        kept.parts().subscribe(reader);
                        reader.subscription.request(7);
                        Thread.onSpinWait();
                        reader.subscription.request(Long.MAX_VALUE);
                    }
                });
                comers.start();
                while (publisher.getNumberOfSubscribers() == 0) {
                    Thread.onSpinWait();
                }
                for (int i = 0; i < parts; i++) {
                    publisher.submit(ByteBuffer.wrap(new byte[] {(byte) i}));
                }
                publisher.close();
                comers.join();
                assertThat(readers.get(4).done.await(30, TimeUnit.SECONDS)).isTrue();
                for (Collecting reader : readers) {
                    assertThat(reader.wrongAt).isEqualTo(-1);
                }
                assertThat(readers.get(4).next).isEqualTo(parts);
                assertThat(all.keptBytes()).isEqualTo(parts);
                kept.release();
                // Whoever works does it, be it the source's thread; the test's timeout ends a wait for nothing.
                while (all.keptBytes() != 0) {
                    Thread.onSpinWait();
                }
            } finally {
                publisher.close();
            }
        }
    }

    /** Expects 0, 1, 2 … */
    private static final class Collecting implements Flow.Subscriber<ByteBuffer> {
        private final CountDownLatch done = new CountDownLatch(1);
        private Flow.Subscription subscription;
        private int next;
        private int wrongAt = -1;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(ByteBuffer part) {
            if (part.get() != (byte) next && wrongAt < 0) {
                wrongAt = next;
            }
            next++;
        }

        @Override
        public void onError(Throwable why) {
            done.countDown();
        }

        @Override
        public void onComplete() {
            done.countDown();
        }
    }
}
