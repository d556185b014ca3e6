package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakWatch.class)
class BackPressureTest {

    private static final String GET = "GET /e HTTP/1.1\r\nHost: g\r\n\r\n";
    private static final int PART_BYTES = 16 * 1024;

    /** What two sockets may hold between them, with room to spare; far below what the tests send. */
    private static final int SOCKETS_BYTES = 16 * 1024 * 1024;

    /** Beyond the high water mark, one part and what frames it. */
    private static final int MOST_HELD_BYTES = 64 * 1024 + PART_BYTES + 1024;

    private final Settings settings = new Settings();

    /** Sends a long answer as far as there is room, and goes on when there is again. */
    private static final class Pouring implements RequestHandler, Responder.Listener {

        private final int parts;
        private Responder responder;
        private ClientHandler connection;
        private int sent;
        final CompletableFuture<Responder.Gone> gone = new CompletableFuture<>();
        final AtomicInteger stops = new AtomicInteger();
        volatile long mostPending;

        Pouring(int parts) {
            this.parts = parts;
        }

        @Override
        public void accept(InboundRequest request, Responder to) {
            responder = to;
            to.listen(this);
            to.head(200, Headers.empty(), (long) parts * PART_BYTES, true);
            connection = (ClientHandler) request.connection();
            pour();
        }

        private void pour() {
            while (responder.isWritable() && sent < parts) {
                responder.data(Unpooled.wrappedBuffer(new byte[PART_BYTES]));
                sent++;
                mostPending = Math.max(mostPending, connection.pendingBytes());
            }
            if (sent < parts) {
                stops.incrementAndGet();
            } else {
                responder.end(Headers.empty());
            }
        }

        @Override
        public void refused(InboundRequest request, Refusal refusal, Responder to) {}

        @Override
        public void writable() {
            pour();
        }

        @Override
        public void bodyRefused(Refusal why) {}

        @Override
        public void graceOver() {}

        @Override
        public void gone(Responder.Gone why) {
            gone.complete(why);
        }
    }

    @Test
    @DisplayName(
            "A8 a client that does not read stops the answer at the high water mark, and gets all of it when it does")
    void slowReaders() throws Exception {
        int parts = 4 * SOCKETS_BYTES / PART_BYTES;
        Pouring pouring = new Pouring(parts);
        try (TestServer server = new TestServer(settings.build(), pouring);
                RawClient client = server.connect()) {
            client.send(GET);
            TestServer.awaitThat(() -> pouring.stops.get() > 0);

            assertThat(pouring.mostPending).isLessThanOrEqualTo(MOST_HELD_BYTES);
            RawClient.Answer answer = client.answer();

            assertThat(answer.body()).hasSize(parts * PART_BYTES);
            assertThat(pouring.mostPending).isLessThanOrEqualTo(MOST_HELD_BYTES);
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.5 a client that takes nothing for too long is cut")
    void readersThatStop() throws Exception {
        settings.writeIdleTimeout = Duration.ofMillis(200);
        Pouring pouring = new Pouring(4 * SOCKETS_BYTES / PART_BYTES);
        try (TestServer server = new TestServer(settings.build(), pouring);
                RawClient client = server.connect()) {
            client.send(GET);

            assertThat(pouring.gone.get(20, TimeUnit.SECONDS)).isEqualTo(Responder.Gone.WRITE_IDLE);
            server.awaitNoConnections();
        }
    }

    @Test
    @DisplayName(
            "RFC 9112 §9.5 an answer that was given whole to a client that takes nothing does not hold its connection")
    void wholeAnswersThatAreNotTaken() throws Exception {
        settings.writeIdleTimeout = Duration.ofMillis(200);
        RequestHandler large = new RequestHandler() {
            @Override
            public void accept(InboundRequest request, Responder to) {
                to.head(200, Headers.empty(), SOCKETS_BYTES, true);
                to.data(Unpooled.wrappedBuffer(new byte[SOCKETS_BYTES]));
                to.end(Headers.empty());
            }

            @Override
            public void refused(InboundRequest request, Refusal refusal, Responder to) {}
        };
        try (TestServer server = new TestServer(settings.build(), large);
                RawClient client = server.connect()) {
            client.send(GET);

            TestServer.awaitThat(() -> server.server.figures().accepted() == 1);
            server.awaitNoConnections();
            assertThat(client.socket.isClosed()).isFalse();
        }
    }

    @Test
    @DisplayName("A8 a body that nobody asks for waits in its client's socket")
    void slowHandlers() throws Exception {
        HoldingHandler holding = new HoldingHandler();
        int length = 4 * SOCKETS_BYTES;
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient client = server.connect()) {
            settings.maxBodyBytes = length;
            server.config = settings.build();
            client.send("POST /e HTTP/1.1\r\nHost: g\r\nContent-Length: " + length + "\r\n\r\n");
            HoldingHandler.Held held = holding.next();
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    client.send(new byte[length]);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            Counting counting = new Counting();
            held.does(to -> held.request.body().subscribe(counting));
            Flow.Subscription subscription = counting.subscription.get();
            ClientHandler connection = (ClientHandler) held.request.connection();

            int most = 0;
            for (int asked = 0; asked < 100; asked++) {
                subscription.request(1);
                most = Math.max(most, held.gets(() -> connection.held().size()));
            }
            assertThat(sent.isDone()).isFalse();
            assertThat(most).isLessThanOrEqualTo(64 * 1024);
            subscription.request(Long.MAX_VALUE);

            assertThat(counting.whole.get(20, TimeUnit.SECONDS)).isEqualTo(length);
            sent.get(20, TimeUnit.SECONDS);
            held.answers("thanks");
            assertThat(client.answer().closes()).isFalse();
        }
    }

    @Test
    @DisplayName("A8 a body may be asked for, and left, on any thread")
    void anyThread() throws Exception {
        HoldingHandler holding = new HoldingHandler();
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient client = server.connect()) {
            client.send("POST /e HTTP/1.1\r\nHost: g\r\nContent-Length: 6\r\n\r\nabc");
            HoldingHandler.Held held = holding.next();
            held.request.body().subscribe(held);
            Flow.Subscription subscription = held.subscription.get(20, TimeUnit.SECONDS);
            subscription.request(1);
            TestServer.awaitThat(() -> held.body().equals("abc"));

            subscription.cancel();
            held.answers("enough");

            assertThat(client.answer().body()).isEqualTo("enough");
            client.send("def" + GET);
            holding.next().answers("next");
            assertThat(client.answer().body()).isEqualTo("next");
            assertThat(held.wasToldNothing()).isTrue();
        }
    }

    /** Counts the bytes of a body. */
    private static final class Counting implements Flow.Subscriber<ByteBuf> {

        final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
        final CompletableFuture<Integer> whole = new CompletableFuture<>();
        private int bytes;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription.complete(given);
        }

        @Override
        public void onNext(ByteBuf part) {
            bytes += part.readableBytes();
            part.release();
        }

        @Override
        public void onError(Throwable why) {
            whole.completeExceptionally(why);
        }

        @Override
        public void onComplete() {
            whole.complete(bytes);
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.3.2 pipelined requests are answered in order, one at a time")
    void pipelined() throws Exception {
        HoldingHandler holding = new HoldingHandler();
        try (TestServer server = new TestServer(settings.build(), holding);
                RawClient client = server.connect()) {
            client.send(GET + "POST /2 HTTP/1.1\r\nHost: g\r\nContent-Length: 2\r\n\r\nab" + GET);
            HoldingHandler.Held first = holding.next();
            // The loop has looked at what came by then, and begins nothing else.
            assertThat(first.gets(holding::hasNone)).isTrue();
            first.answers("1");
            HoldingHandler.Held second = holding.next();
            second.does(to -> second.request.body().subscribe(second));
            second.subscription.get().request(1);
            assertThat(second.told()).isEqualTo("whole");
            assertThat(second.gets(holding::hasNone)).isTrue();
            second.answers("2");
            HoldingHandler.Held third = holding.next();
            assertThat(third.request.ordinal()).isEqualTo(3);
            third.answers("3");

            assertThat(client.answer().body()).isEqualTo("1");
            assertThat(client.answer().body()).isEqualTo("2");
            assertThat(client.answer().body()).isEqualTo("3");
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.3.2 of ten thousand pipelined requests few are held, and all are answered")
    void tenThousandPipelined() throws Exception {
        int count = 10_000;
        HoldingHandler holding = new HoldingHandler();
        EchoHandler echo = new EchoHandler();
        AtomicInteger accepted = new AtomicInteger();
        RequestHandler firstHeld = new RequestHandler() {
            @Override
            public void accept(InboundRequest request, Responder responder) {
                (accepted.incrementAndGet() == 1 ? holding : echo).accept(request, responder);
            }

            @Override
            public void refused(InboundRequest request, Refusal refusal, Responder responder) {}
        };
        try (TestServer server = new TestServer(settings.build(), firstHeld);
                RawClient client = server.connect()) {
            byte[] all = GET.repeat(count).getBytes(ISO_8859_1);
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    client.send(all);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            HoldingHandler.Held first = holding.next();
            ClientHandler connection = (ClientHandler) first.request.connection();
            TestServer.awaitThat(() -> held(first, connection) > HeldBytes.LOW_BYTES);
            assertThat(held(first, connection)).isLessThanOrEqualTo(64 * 1024);
            assertThat(accepted).hasValue(1);

            first.answers("first");

            assertThat(client.answer().body()).isEqualTo("first");
            for (int i = 1; i < count; i++) {
                assertThat(client.answer().body()).isEqualTo("GET g /e|");
            }
            sent.get(20, TimeUnit.SECONDS);
        }
    }

    private static int held(HoldingHandler.Held first, ClientHandler connection) {
        try {
            return first.gets(() -> connection.held().size());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("RFC 9112 §9.3.2 a client that sends requests and takes no answers is asked no further questions")
    void pipelinedWithoutReading() throws Exception {
        int count = 4000;
        byte[] body = new byte[32 * 1024];
        AtomicInteger accepted = new AtomicInteger();
        RequestHandler large = new RequestHandler() {
            @Override
            public void accept(InboundRequest request, Responder to) {
                accepted.incrementAndGet();
                to.head(200, Headers.empty(), Body.UNKNOWN_LENGTH, true);
                to.data(Unpooled.wrappedBuffer(body));
                to.end(Headers.empty());
            }

            @Override
            public void refused(InboundRequest request, Refusal refusal, Responder to) {}
        };
        try (TestServer server = new TestServer(settings.build(), large);
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(64 * 1024);
            socket.connect(new InetSocketAddress(
                    server.server.address().getAddress(),
                    server.server.address().getPort()));
            try (RawClient client = new RawClient(socket)) {
                CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                    try {
                        client.send(GET.repeat(count));
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
                TestServer.awaitThat(() -> accepted.get() > 1);
                // Whatever the sockets hold: the rest waits until somebody reads.
                for (int i = 0; i < count; i++) {
                    assertThat(accepted.get() - i).isLessThan(count / 2);
                    assertThat(client.answer().body()).hasSize(body.length);
                }
                sent.get(20, TimeUnit.SECONDS);
            }
        }
    }
}
