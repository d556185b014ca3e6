package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.http.Body;
import dev.escapement.http.BodyException;
import dev.escapement.http.BodyException.Kind;
import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The queue between a socket and a reader (A8), on one thread but where threads are the point: order, demand, ends, who releases. */
@ExtendWith(LeakWatch.class)
class IncomingBodyTest {

    /** Takes notes where a lane would act. */
    private static final class Notes implements IncomingBody.Source {

        private final List<String> told = new ArrayList<>();

        @Override
        public void bodyWantsMore() {
            told.add("more");
        }

        @Override
        public void bodyDropped() {
            told.add("dropped");
        }

        @Override
        public void bodyMoved() {
            if (told.isEmpty() || !told.get(told.size() - 1).equals("moved")) {
                told.add("moved");
            }
        }
    }

    /** What a reader throws is reported on its thread, which is the test's here. */
    private final List<Throwable> reported = new ArrayList<>();

    private final Notes source = new Notes();
    private final IncomingBody body = new IncomingBody(ImmediateEventExecutor.INSTANCE, Body.UNKNOWN_LENGTH);

    {
        body.comesFrom(source);
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
    }

    @AfterEach
    void restore() {
        Thread.currentThread().setUncaughtExceptionHandler(null);
    }

    private static ByteBuf part(String text) {
        return PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(text.getBytes(ISO_8859_1));
    }

    private void offer(String... texts) {
        for (String text : texts) {
            body.offer(part(text));
        }
        body.look();
    }

    private BodyReader read(long demand) {
        return BodyReader.of(body, demand);
    }

    /** A reader who also does something on each part. */
    private BodyReader acting(long demand, BiConsumer<Flow.Subscription, BodyReader> action) {
        BodyReader reader = new BodyReader(demand) {
            private Flow.Subscription given;

            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                given = subscription;
                super.onSubscribe(subscription);
            }

            @Override
            public void onNext(Object part) {
                super.onNext(part);
                action.accept(given, this);
            }
        };
        body.parts().subscribe(reader);
        return reader;
    }

    @Test
    @DisplayName("A8 no part is handed over that was not asked for, and the end needs no asking")
    void demand() throws Exception {
        offer("a", "b", "c");
        BodyReader reader = read(0);
        assertThat(reader.count()).isZero();
        reader.subscription().request(2);
        assertThat(reader.text()).isEqualTo("ab");
        body.finish(Headers.of("T", "1"));
        assertThat(reader.hasEnded()).isFalse();
        reader.subscription().request(1);
        assertThat(reader.whole()).isEqualTo("abc");
        assertThat(body.trailers().first("t")).contains("1");
        assertThat(source.told).containsExactly("moved");
    }

    @Test
    @DisplayName("A8 demand adds up, to without end")
    void endlessDemand() throws Exception {
        BodyReader reader = read(Long.MAX_VALUE - 1);
        reader.subscription().request(5);
        offer("a", "b");
        reader.subscription().request(Long.MAX_VALUE);
        offer("c");
        body.finish(Headers.empty());
        assertThat(reader.whole()).isEqualTo("abc");
    }

    @Test
    @DisplayName("A8 asking from inside a part goes on without recursion, however many there are")
    void reentrantDemand() throws Exception {
        int parts = 100_000;
        for (int i = 0; i < parts; i++) {
            body.offer(io.netty.buffer.Unpooled.wrappedBuffer(new byte[] {'x'}));
        }
        int[] deepest = new int[1];
        int[] depth = new int[1];
        BodyReader reader = acting(1, (subscription, self) -> {
            deepest[0] = Math.max(deepest[0], ++depth[0]);
            subscription.request(1);
            depth[0]--;
        });
        body.finish(Headers.empty());
        assertThat(reader.whole()).hasSize(parts);
        assertThat(deepest[0]).isEqualTo(1);
    }

    @Test
    @DisplayName("A8 a demand of nothing, or less, is an error for its reader, and drops the rest")
    void nonsense() throws Exception {
        for (long demand : new long[] {0, -1, Long.MIN_VALUE}) {
            IncomingBody other = new IncomingBody(ImmediateEventExecutor.INSTANCE, 3);
            Notes notes = new Notes();
            other.comesFrom(notes);
            other.offer(part("abc"));
            BodyReader reader = BodyReader.of(other, 0);
            reader.subscription().request(demand);
            assertThat(reader.failure()).isInstanceOf(IllegalArgumentException.class);
            assertThat(notes.told).containsExactly("dropped");
            assertThat(other.droppedBytes()).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("A8 cancelling from inside a part is heard at once: nothing follows, the rest is dropped")
    void cancelInside() {
        offer("a", "b", "c");
        BodyReader reader = acting(Long.MAX_VALUE, (subscription, self) -> {
            if (self.text().equals("ab")) {
                subscription.cancel();
                subscription.cancel();
                subscription.request(1);
            }
        });
        assertThat(reader.text()).isEqualTo("ab");
        assertThat(source.told).containsExactly("moved", "dropped");
        assertThat(body.droppedBytes()).isEqualTo(1);
        body.finish(Headers.empty());
        assertThat(reader.hasEnded()).isFalse();
    }

    @Test
    @DisplayName("A5 A8 a reader that throws, at whatever signal, has cancelled; it is reported and breaks nothing")
    void throwing() throws Exception {
        offer("a", "b");
        BodyReader reader = acting(Long.MAX_VALUE, (subscription, self) -> {
            throw new IllegalStateException("part");
        });
        assertThat(reader.text()).isEqualTo("a");
        assertThat(reported)
                .singleElement()
                .satisfies(thrown -> assertThat(thrown).hasMessage("part"));
        assertThat(source.told).containsExactly("moved", "dropped");

        IncomingBody greeted = new IncomingBody(ImmediateEventExecutor.INSTANCE, 1);
        Notes notes = new Notes();
        greeted.comesFrom(notes);
        greeted.offer(part("a"));
        greeted.buffers().subscribe(new BodyReader(0) {
            @Override
            public void onSubscribe(Flow.Subscription given) {
                throw new IllegalStateException("subscription");
            }
        });
        assertThat(notes.told).containsExactly("dropped");

        IncomingBody ended = new IncomingBody(ImmediateEventExecutor.INSTANCE, 0);
        ended.finish(Headers.empty());
        ended.buffers().subscribe(new BodyReader(0) {
            @Override
            public void onComplete() {
                throw new IllegalStateException("end");
            }
        });
        assertThat(reported).extracting(Throwable::getMessage).containsExactly("part", "subscription", "end");
    }

    @Test
    @DisplayName("A8 a released body tells its reader so, now or later, and once")
    void released() throws Exception {
        offer("a", "b");
        BodyReader reader = read(1);
        body.release();
        body.release();
        assertThat(reader.failureKind()).isEqualTo(Kind.RELEASED);
        assertThat(source.told).containsExactly("moved", "dropped");
        assertThat(body.droppedBytes()).isEqualTo(1);

        IncomingBody unread = new IncomingBody(ImmediateEventExecutor.INSTANCE, 1);
        unread.offer(part("a"));
        unread.release();
        assertThat(BodyReader.of(unread, 1).failureKind()).isEqualTo(Kind.RELEASED);
    }

    @Test
    @DisplayName("A8 releasing from inside a part is heard after it")
    void releasedInside() throws Exception {
        offer("a", "b");
        BodyReader reader = acting(Long.MAX_VALUE, (subscription, self) -> body.release());
        assertThat(reader.text()).isEqualTo("a");
        assertThat(reader.failureKind()).isEqualTo(Kind.RELEASED);
    }

    @Test
    @DisplayName("A8 there is one reader; the second is told so, and a body that is read to its end can be released")
    void oneReader() throws Exception {
        BodyReader first = read(1);
        BodyReader second = read(1);
        assertThat(second.failure()).isInstanceOf(IllegalStateException.class);
        offer("a");
        body.finish(Headers.empty());
        assertThat(first.whole()).isEqualTo("a");
        body.release();
        assertThat(source.told).containsExactly("moved");
        assertThat(body.isStreamed()).isTrue();
        assertThatThrownBy(body::content).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> body.parts().subscribe(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    @DisplayName("A8 a body that breaks off gives what came first; one that ends at once gives none of it")
    void ends() throws Exception {
        offer("a", "b");
        BodyReader reader = read(1);
        body.breakOff(new BodyException(Kind.TRUNCATED, "x"));
        assertThat(reader.hasEnded()).isFalse();
        reader.subscription().request(1);
        assertThat(reader.text()).isEqualTo("ab");
        assertThat(reader.failureKind()).isEqualTo(Kind.TRUNCATED);

        IncomingBody cut = new IncomingBody(ImmediateEventExecutor.INSTANCE, 2);
        cut.offer(part("a"));
        BodyReader cutReader = BodyReader.of(cut, 0);
        cut.drop();
        cut.breakOff(new BodyException(Kind.DEADLINE, "x"));
        cut.finish(Headers.empty());
        assertThat(cutReader.failureKind()).isEqualTo(Kind.DEADLINE);
        assertThat(cutReader.text()).isEmpty();
    }

    @Test
    @DisplayName("G5 A8 the window is full by bytes, or by the number of tiny parts, and opens when it is half empty")
    void window() throws Exception {
        body.offer(part("x".repeat(IncomingBody.WINDOW_BYTES - 200)));
        assertThat(body.isFull()).isFalse();
        body.offer(part("y"));
        assertThat(body.isFull()).isTrue();
        BodyReader reader = read(1);
        assertThat(source.told).containsExactly("moved", "more");
        assertThat(body.isFull()).isFalse();

        for (int i = 0; i < 600; i++) {
            body.offer(part("z"));
        }
        assertThat(body.isFull()).isTrue();
        reader.subscription().request(200);
        assertThat(source.told).containsExactly("moved", "more", "moved");
        reader.subscription().request(200);
        assertThat(source.told).containsExactly("moved", "more", "moved", "more");
        body.drop();
    }

    @Test
    @DisplayName("E6 A8 when the connection goes, what is left moves to the heap, and nobody is told of it any more")
    void detached() throws Exception {
        offer("a", "b");
        BodyReader reader = read(1);
        body.detach();
        body.finish(Headers.empty());
        reader.subscription().request(1);
        assertThat(reader.whole()).isEqualTo("ab");
        assertThat(source.told).containsExactly("moved");

        IncomingBody forgotten = new IncomingBody(ImmediateEventExecutor.INSTANCE, 1);
        forgotten.offer(part("never read, and never released: LeakWatch would tell"));
        forgotten.detach();
    }

    @Test
    @DisplayName("A8 a reader on other threads gets every part once, in order, on the loop")
    void threads() throws Exception {
        DefaultEventLoop loop = new DefaultEventLoop();
        try {
            for (int round = 0; round < 20; round++) {
                IncomingBody shared = new IncomingBody(loop, Body.UNKNOWN_LENGTH);
                BodyReader reader = BodyReader.of(shared, 0);
                Flow.Subscription subscription = reader.subscription();
                List<Thread> threads = new ArrayList<>();
                for (int t = 0; t < 2; t++) {
                    Thread thread = new Thread(() -> {
                        for (int i = 0; i < 250; i++) {
                            subscription.request(1);
                        }
                    });
                    threads.add(thread);
                    thread.start();
                }
                StringBuilder expected = new StringBuilder();
                for (int i = 0; i < 500; i++) {
                    String text = i + ",";
                    expected.append(text);
                    loop.execute(() -> {
                        shared.offer(part(text));
                        shared.look();
                    });
                }
                loop.execute(() -> shared.finish(Headers.empty()));
                assertThat(reader.whole()).isEqualTo(expected.toString());
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        } finally {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    @DisplayName("S1 a body that is whole can be read after its loop has ended")
    void loopHasEnded() throws Exception {
        DefaultEventLoop loop = new DefaultEventLoop();
        IncomingBody left = new IncomingBody(loop, 1);
        loop.submit(() -> {
                    left.offer(part("a"));
                    left.detach();
                    left.finish(Headers.empty());
                })
                .sync();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        assertThat(BodyReader.of(left, 1).whole()).isEqualTo("a");
    }
}
