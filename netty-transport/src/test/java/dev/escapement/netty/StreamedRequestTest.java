package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Body;
import dev.escapement.http.BodyException;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests in parts over real sockets: framing, demand, leave to send, progress, and every way a publisher can go wrong. */
@ExtendWith(LeakWatch.class)
class StreamedRequestTest {

    private final Gate gate = new Gate();
    private ScriptedServer server;
    private World world;

    @BeforeEach
    void start() {
        server = ScriptedServer.start();
        world = World.of(NettyTransport.builder().continueWait(Duration.ofSeconds(30)));
    }

    @AfterEach
    void end() throws Exception {
        gate.open();
        world.close();
        server.close();
    }

    private Request put(Body body) {
        return Request.of(Method.PUT, server.uri("/"), Headers.empty(), body);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
    }

    private static ByteBuf buffer(String text) {
        return PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(text.getBytes(ISO_8859_1));
    }

    private String wire(int connection) throws InterruptedException {
        String received = server.connection(connection).received();
        return received.substring(received.indexOf("\r\n\r\n") + 4);
    }

    @Test
    @DisplayName("E1 parts of unknown length go as chunks, and trailers behind them")
    void chunked() throws Exception {
        server.on(1)
                .readHead()
                .step(connection -> {
                    while (!connection.received().endsWith("\r\n\r\n")
                            || connection.received().indexOf("\r\n\r\n")
                                    == connection.received().length() - 4) {
                        connection.readBytes(1);
                    }
                })
                .respond(200, "ok");
        Body body = Body.once(new PartsPublisher<>(List.of(bytes("one"), bytes(""), bytes("twenty bytes of text"))), -1)
                .withTrailers(() -> Headers.of("X-Sum", "1", "Content-Length", "7"));
        World.Sent sent = world.send(put(body));
        assertThat(sent.status()).isEqualTo(200);
        assertThat(server.request(1).header("Transfer-Encoding")).contains("chunked");
        assertThat(server.request(1).header("Content-Length")).isEmpty();
        assertThat(wire(1)).isEqualTo("3\r\none\r\n14\r\ntwenty bytes of text\r\n0\r\nX-Sum: 1\r\n\r\n");
        assertThat(sent.exchange().progress()).isEqualTo(Progress.COMPLETE);
        assertThat(sent.exchange().writtenBytes())
                .isEqualTo(server.connection(1).received().length());
        assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
        assertThat(body.isConsumed()).isTrue();
    }

    @Test
    @DisplayName("E1 parts of declared length go as they are, and are counted to the byte")
    void sized() throws Exception {
        int count = 200;
        String part = "p".repeat(10_000);
        server.on(1).serve(request -> ScriptedServer.response(200, "" + request.body().length));
        PartsPublisher<ByteBuf> parts = new PartsPublisher<>(count, i -> buffer(part));
        World.Sent sent = world.send(put(ByteBufBody.once(parts, (long) count * part.length())));
        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.text()).isEqualTo("" + count * part.length());
        assertThat(sent.exchange().writtenBytes())
                .isEqualTo(server.request(1).head().length() + (long) count * part.length());
        assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
        assertThat(server.request(1).header("Content-Length")).contains("" + count * part.length());
    }

    @Test
    @DisplayName("E1 buffers of Netty's go as chunks too, small ones and large ones, from the heap and from outside it")
    void chunkedBuffers() throws Exception {
        String large = "l".repeat(5000);
        int wire = ("3\r\none\r\n1388\r\n" + large + "\r\n1388\r\n" + large + "\r\n0\r\n\r\n").length();
        server.on(1).readHead().readBytes(wire).respond(200, "");
        PartsPublisher<ByteBuf> parts = new PartsPublisher<>(List.of(
                buffer("one"),
                buffer(large),
                PooledByteBufAllocator.DEFAULT.heapBuffer().writeBytes(large.getBytes(ISO_8859_1)),
                buffer("")));
        World.Sent sent = world.send(put(ByteBufBody.once(parts, Body.UNKNOWN_LENGTH)));
        assertThat(sent.status()).isEqualTo(200);
        assertThat(wire(1)).isEqualTo("3\r\none\r\n1388\r\n" + large + "\r\n1388\r\n" + large + "\r\n0\r\n\r\n");
    }

    @Test
    @DisplayName("A8 a server that does not read stops the publisher after a few parts")
    void backPressure() throws Exception {
        server.on(1).readHead().await(gate).readBytes(1000 * 65_536).respond(200, "");
        PartsPublisher<ByteBuffer> parts = new PartsPublisher<>(1000, i -> ByteBuffer.allocate(65_536));
        World.Sent sent = world.send(put(Body.once(parts, 1000L * 65_536)));
        sent.exchange().await("some bytes", exchange -> exchange.writtenBytes() > 65_536);
        long asked = parts.given();
        long written;
        do {
            written = sent.exchange().writtenBytes();
            world.onLoop(() -> {});
            asked = parts.given();
        } while (written != sent.exchange().writtenBytes());
        assertThat(asked * 65_536 - written).isLessThanOrEqualTo((Upload.PARTS_AHEAD + 2) * 65_536L);
        assertThat(asked).isLessThan(1000);
        gate.open();
        assertThat(sent.status()).isEqualTo(200);
        assertThat(parts.given()).isEqualTo(1000);
    }

    @Test
    @DisplayName("A8 parts may come from any thread")
    void fromOtherThreads() throws Exception {
        server.on(1).serve(request -> ScriptedServer.response(200, request.bodyText()));
        SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>();
        World.Sent sent = world.send(put(Body.once(publisher, 500)));
        while (publisher.getNumberOfSubscribers() == 0) {
            world.onLoop(() -> {});
        }
        for (int i = 0; i < 100; i++) {
            publisher.submit(bytes(String.format("%05d", i)));
        }
        publisher.close();
        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.text()).startsWith("0000000001").endsWith("00099").hasSize(500);
    }

    @Test
    @DisplayName("E1 a body longer or shorter than declared fails the attempt, and not a byte beyond is sent")
    void wrongLength() throws Exception {
        server.on(1).readHead().readToEnd();
        server.on(2).readHead().readToEnd();
        World.Sent longer = world.send(put(Body.once(new PartsPublisher<>(List.of(bytes("four"), bytes("x"))), 4)));
        assertThat(longer.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
        assertThat(longer.failure().cause().orElseThrow()).hasMessageContaining("longer than declared");
        World.Sent shorter = world.send(put(Body.once(new PartsPublisher<>(List.of(bytes("four"))), 5)));
        assertThat(shorter.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
        assertThat(shorter.failure().cause().orElseThrow()).hasMessageContaining("shorter than declared");
        assertThat(shorter.exchange().progress()).isEqualTo(Progress.PREFIX_WRITTEN);
        server.connection(1).awaitDone();
        server.connection(2).awaitDone();
        assertThat(wire(1)).isEqualTo("four");
        assertThat(wire(2)).isEqualTo("four");
    }

    @Test
    @DisplayName("A8 a body that fails is cut where the server can see it: there is no last chunk")
    void publisherFails() throws Exception {
        server.on(1).readHead().readToEnd();
        PartsPublisher<ByteBuffer> parts = new PartsPublisher<>(List.of(bytes("one")));
        parts.failWith(new IllegalStateException("disk"));
        World.Sent sent = world.send(put(Body.once(parts, Body.UNKNOWN_LENGTH)));
        assertThat(sent.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
        assertThat(sent.failure().cause().orElseThrow()).hasMessage("disk");
        assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
        server.connection(1).awaitDone();
        assertThat("3\r\none\r\n").startsWith(wire(1));
    }

    @Test
    @DisplayName("A8 what a publisher does against the rules ends its attempt and nothing else")
    void unruly() throws Exception {
        server.otherwise().readHead().readToEnd();
        List<Flow.Publisher<ByteBuffer>> publishers = List.of(
                subscriber -> {
                    throw new IllegalStateException("no");
                },
                subscriber -> {
                    subscriber.onSubscribe(new NoDemand());
                    subscriber.onNext(bytes("unasked"));
                    for (int i = 0; i < Upload.PARTS_AHEAD; i++) {
                        subscriber.onNext(bytes("unasked"));
                    }
                },
                subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
                    @Override
                    public void request(long count) {
                        throw new IllegalStateException("no");
                    }

                    @Override
                    public void cancel() {
                        throw new IllegalStateException("no");
                    }
                }));
        for (Flow.Publisher<ByteBuffer> publisher : publishers) {
            World.Sent sent = world.send(put(Body.once(publisher, Body.UNKNOWN_LENGTH)));
            assertThat(sent.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
            assertThat(sent.failure().cause()).isPresent();
        }
        Body badTrailers = Body.of(new PartsPublisher<ByteBuffer>(List.of()), -1)
                .withTrailers(() -> {
                    throw new IllegalStateException("trailers");
                });
        World.Sent sent = world.send(put(badTrailers));
        assertThat(sent.failure().cause().orElseThrow()).hasMessage("trailers");
    }

    private static final class NoDemand implements Flow.Subscription {

        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    }

    @Test
    @DisplayName("E7 abandoning in the middle of an upload cancels the publisher and releases what it gave")
    void abandoned() throws Exception {
        server.on(1).readHead().await(gate);
        PartsPublisher<ByteBuf> parts = new PartsPublisher<>(10_000, i -> buffer("x".repeat(60_000)));
        World.Sent sent = world.send(put(ByteBufBody.once(parts, Body.UNKNOWN_LENGTH)));
        sent.exchange().await("some bytes", exchange -> exchange.writtenBytes() > 1000);
        assertThat(world.abandon(sent)).isTrue();
        sent.exchange().await(Fact.CLEAN);
        assertThat(parts.isCancelled()).isTrue();
        assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
        assertThat(sent.exchange().progress()).isEqualTo(Progress.PREFIX_WRITTEN);
    }

    @Test
    @DisplayName("R8 nobody subscribes to a body that waits for leave before it comes")
    void leaveIsGiven() throws Exception {
        server.on(1)
                .readHead()
                .await(gate)
                .send("HTTP/1.1 103 x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
                .readBytes(3)
                .respond(200, "")
                .readRequest()
                .respond(204, "");
        PartsPublisher<ByteBuffer> parts = new PartsPublisher<>(List.of(bytes("one")));
        Body body = Body.once(parts, 3);
        World.Sent sent = world.stream(put(body).expectingContinue());
        gate.awaitArrival();
        world.onLoop(() -> {});
        assertThat(body.isConsumed()).isFalse();
        assertThat(server.request(1).header("Expect")).contains("100-continue");
        gate.open();
        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.exchange().interims()).containsExactly(103, 100);
        assertThat(sent.exchange().progress()).isEqualTo(Progress.COMPLETE);
        assertThat(world.send(put(Body.empty())).status()).isEqualTo(204);
    }

    @Test
    @DisplayName("R8 a final answer instead of leave: the body is never read, and the connection serves nobody else")
    void leaveIsRefused() throws Exception {
        server.on(1).readHead().respond(417, "no").await(gate);
        server.on(2).readHead().respond(417, "no").await(gate);
        PartsPublisher<ByteBuffer> parts = new PartsPublisher<>(List.of(bytes("one")));
        Body streamed = Body.once(parts, Body.UNKNOWN_LENGTH);
        Body inMemory = Body.once(bytes("one"));
        for (Body body : List.of(streamed, inMemory)) {
            World.Sent sent = world.send(put(body).expectingContinue());
            assertThat(sent.status()).isEqualTo(417);
            assertThat(body.isConsumed()).isFalse();
            assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
            assertThat(sent.exchange().progress()).isEqualTo(Progress.PREFIX_WRITTEN);
        }
        assertThat(world.transport.stats().poisoned()).containsEntry(Poison.REQUEST_UNFINISHED, 2L);
    }

    @Test
    @DisplayName("R8 a server that says nothing of the expectation gets the body in the end")
    void leaveIsTaken() throws Exception {
        server.on(1).serve(request -> ScriptedServer.response(200, request.bodyText()));
        try (World hasty = World.of(NettyTransport.builder().continueWait(Duration.ofMillis(1)))) {
            World.Sent sent = hasty.send(put(Body.of("body")).expectingContinue());
            assertThat(sent.status()).isEqualTo(200);
            assertThat(sent.text()).isEqualTo("body");
            World.Sent streamed = hasty.send(
                    put(Body.of(new PartsPublisher<>(List.of(bytes("one"))), 3)).expectingContinue());
            assertThat(streamed.status()).isEqualTo(200);
            assertThat(streamed.text()).isEqualTo("one");
        }
    }

    @Test
    @DisplayName("E6 an early answer in parts is read while the upload goes on, and ends it")
    void earlyAnswerInParts() throws Exception {
        server.on(1)
                .readHead()
                .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
                .readBytes(300_000)
                .send("two")
                .await(gate);
        PartsPublisher<ByteBuffer> parts = new PartsPublisher<>(100_000, i -> ByteBuffer.allocate(50_000));
        World.Sent sent = world.stream(put(Body.once(parts, Body.UNKNOWN_LENGTH)));
        sent.exchange().awaitResult();
        BodyReader reader = BodyReader.of(sent.exchange().response().body(), Long.MAX_VALUE);
        assertThat(reader.whole()).isEqualTo("onetwo");
        sent.exchange().await(Fact.CLEAN);
        assertThat(parts.isCancelled()).isTrue();
        assertThat(world.transport.stats().poisoned()).containsEntry(Poison.REQUEST_UNFINISHED, 1L);
    }

    @Test
    @DisplayName("A8 a request whose body fails cuts the response that is being read")
    void bodyFailsDuringAnswer() throws Exception {
        server.on(1)
                .readHead()
                .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
                .await(gate);
        SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>();
        World.Sent sent = world.stream(put(Body.once(publisher, Body.UNKNOWN_LENGTH)));
        sent.exchange().awaitResult();
        BodyReader reader = BodyReader.of(sent.exchange().response().body(), Long.MAX_VALUE);
        reader.awaitText(3);
        publisher.closeExceptionally(new IllegalStateException("disk"));
        assertThat(reader.failureKind()).isEqualTo(BodyException.Kind.TRUNCATED);
        assertThat(reader.failure()).hasRootCauseMessage("disk");
        sent.exchange().await(Fact.CLEAN);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
    }
}
