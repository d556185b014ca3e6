package dev.escapement.netty;

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
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Responses in parts over real sockets (A8): heads, parts, demand, ends, and what becomes of the connection. */
@ExtendWith(LeakWatch.class)
class StreamedResponseTest {

    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final int LARGE = 3 * 1024 * 1024;

    private final Gate rest = new Gate();
    private ScriptedServer server;
    private World world;

    @BeforeEach
    void start() {
        server = ScriptedServer.start();
        world = World.ofDefaults();
    }

    @AfterEach
    void end() throws Exception {
        rest.open();
        world.close();
        server.close();
    }

    private Request get() {
        return Request.get(server.uri("/").toString());
    }

    private static String sized(int length) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private Body head(World.Sent sent) throws InterruptedException {
        sent.exchange().awaitResult();
        return sent.exchange().response().body();
    }

    private void assertReused() throws Exception {
        assertThat(world.send(get()).status()).isEqualTo(204);
        assertThat(server.connectionCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("A8 the response is reported at its head, its parts as they come, its end when it was read")
    void headThenParts() throws Exception {
        server.on(1)
                .readRequest()
                .send(CHUNKED + "3\r\none\r\n")
                .await(rest)
                .send("3\r\ntwo\r\n0\r\nX-Sum: 2\r\nHost: x\r\n\r\n")
                .serve(request -> ScriptedServer.response(204, ""));
        World.Sent sent = world.stream(get());
        Body body = head(sent);
        assertThat(sent.exchange().saw(Fact.CLEAN)).isFalse();
        assertThat(body.isStreamed()).isTrue();
        assertThat(body.length()).isEqualTo(Body.UNKNOWN_LENGTH);
        BodyReader reader = BodyReader.of(body, Long.MAX_VALUE);
        assertThat(reader.awaitText(3)).isEqualTo("one");
        assertThat(body.trailers().count()).isZero();

        rest.open();

        assertThat(reader.whole()).isEqualTo("onetwo");
        assertThat(body.trailers().first("x-sum")).contains("2");
        assertThat(body.trailers().count()).isEqualTo(1);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
        assertThat(reader.thread().getName()).startsWith("escapement-loop");
        assertThat(sent.exchange().facts())
                .containsSubsequence(Fact.REPLY_STARTED, Fact.SUCCEEDED, Fact.BODY_MOVED, Fact.CLEAN);
        assertReused();
    }

    @Test
    @DisplayName(
            "A8 a response that is all there with its head is no stream, and its connection is free before it is told")
    void wholeAtOnce() throws Exception {
        server.on(1)
                .readRequest()
                .send(sized(5) + "hello")
                .readRequest()
                .send(CHUNKED + "3\r\none\r\n0\r\nX-Sum: 1\r\n\r\n")
                .serve(request -> ScriptedServer.response(204, ""));
        World.Sent sized = world.stream(get());
        assertThat(sized.status()).isEqualTo(200);
        assertThat(sized.exchange().response().body().isStreamed()).isFalse();
        assertThat(sized.text()).isEqualTo("hello");
        assertThat(sized.exchange().facts()).containsSubsequence(Fact.CLEAN, Fact.SUCCEEDED);
        World.Sent chunked = world.stream(get());
        assertThat(chunked.status()).isEqualTo(200);
        assertThat(chunked.text()).isEqualTo("one");
        assertThat(chunked.exchange().response().body().trailers().first("X-Sum"))
                .contains("1");
        assertReused();
    }

    @Test
    @DisplayName("A8 a body larger than all that is in memory arrives whole, in Netty's buffers and on the heap")
    void large() throws Exception {
        String content = "0123456789abcdef".repeat(LARGE / 16);
        server.on(1)
                .readRequest()
                .send(sized(LARGE) + content)
                .readRequest()
                .send(sized(LARGE) + content)
                .serve(request -> ScriptedServer.response(204, ""));
        BodyReader heap = BodyReader.of(head(world.stream(get())), Long.MAX_VALUE);
        assertThat(heap.whole()).isEqualTo(content);
        World.Sent sent = world.stream(get());
        assertThat(head(sent).length()).isEqualTo(LARGE);
        BodyReader buffers = new BodyReader(Long.MAX_VALUE);
        ((ByteBufBody) head(sent)).buffers().subscribe(buffers);
        assertThat(buffers.whole()).isEqualTo(content);
        assertReused();
    }

    @Test
    @DisplayName("A8 a reader who asks for nothing stops the socket at a window, and one who asks again gets it all")
    void backPressure() throws Exception {
        int length = 2 * LARGE;
        String content = "0123456789abcdef".repeat(length / 16);
        server.on(1).readRequest().send(sized(length) + content).serve(request -> ScriptedServer.response(204, ""));
        World.Sent sent = world.stream(get());
        Body body = head(sent);
        BodyReader reader = BodyReader.of(body, 1);
        reader.awaitText(1);
        // The server cannot have written it all: what fits into sockets and the window is much less.
        world.onLoop(() -> {});
        assertThat(sent.exchange().saw(Fact.CLEAN)).isFalse();
        assertThat(reader.count()).isEqualTo(1);
        for (int asked = 2; !reader.hasEnded(); asked++) {
            reader.subscription().request(1);
            world.onLoop(() -> {});
            assertThat(reader.count()).isLessThanOrEqualTo(asked);
        }
        assertThat(reader.whole()).isEqualTo(content);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
        assertReused();
    }

    @Test
    @DisplayName("A8 the connection is free once the body was read from it, though its reader is slower")
    void slowReader() throws Exception {
        server.on(1)
                .readRequest()
                .send(sized(6) + "one")
                .await(rest)
                .send("two")
                .serve(request -> ScriptedServer.response(204, ""));
        World.Sent sent = world.stream(get());
        Body body = head(sent);
        rest.open();
        sent.exchange().await(Fact.CLEAN);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
        assertReused();
        BodyReader reader = BodyReader.of(body, 1);
        assertThat(reader.awaitText(3)).isEqualTo("one");
        assertThat(reader.hasEnded()).isFalse();
        reader.subscription().request(1);
        assertThat(reader.whole()).isEqualTo("onetwo");
    }

    @Test
    @DisplayName("E6 the rest of a body that was dropped is read if it is little, and the connection serves again")
    void drained() throws Exception {
        server.on(1)
                .readRequest()
                .send(sized(2000) + "x".repeat(500))
                .await(rest)
                .send("x".repeat(1500))
                .serve(request -> ScriptedServer.response(204, ""));
        World.Sent sent = world.stream(get());
        Body body = head(sent);
        body.release();
        body.release();
        rest.open();
        sent.exchange().await(Fact.CLEAN);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
        assertThat(sent.exchange().discardedBytes()).isEqualTo(2000);
        assertReused();
        BodyReader late = BodyReader.of(body, 1);
        assertThat(late.failureKind()).isEqualTo(BodyException.Kind.RELEASED);
    }

    @Test
    @DisplayName("E6 the rest of a body that was dropped is not read if it is much, or does not come")
    void dropped() throws Exception {
        server.on(1).readRequest().send(sized(LARGE) + "x".repeat(1000)).await(rest);
        server.on(2).readRequest().send(sized(1000) + "x").await(rest);
        server.on(3).readRequest().send(CHUNKED + "1\r\nx\r\n").await(rest).send("30000\r\n" + "y".repeat(0x30000));
        World.Sent much = world.stream(get());
        head(much).release();
        much.exchange().await(Fact.CLEAN);
        assertThat(much.exchange().fate()).contains(ConnectionFate.POISONED);
        assertThat(world.transport.stats().poisoned()).containsEntry(Poison.DROPPED, 1L);

        World.Sent silent = world.stream(get());
        BodyReader reader = BodyReader.of(head(silent), 1);
        reader.awaitText(1);
        reader.subscription().cancel();
        silent.exchange().await(Fact.CLEAN);
        assertThat(silent.exchange().fate()).contains(ConnectionFate.POISONED);
        assertThat(world.transport.stats().poisoned()).containsEntry(Poison.DROPPED, 2L);
        assertThat(reader.hasEnded()).isFalse();

        World.Sent growing = world.stream(get());
        head(growing).release();
        rest.open();
        growing.exchange().await(Fact.CLEAN);
        assertThat(growing.exchange().fate()).contains(ConnectionFate.POISONED);
        assertThat(world.transport.stats().poisoned()).containsEntry(Poison.DROPPED, 3L);
    }

    @Test
    @DisplayName("A8 a cut body tells its reader why, gives back what was read ahead, and closes the connection")
    void cut() throws Exception {
        server.on(1).readRequest().send(sized(LARGE) + "x".repeat(1000)).await(rest);
        server.on(2).readRequest().send(sized(LARGE) + "x".repeat(1000)).await(rest);
        World.Sent read = world.stream(get());
        BodyReader reader = BodyReader.of(head(read), 1);
        reader.awaitText(1);
        world.cut(read, BodyException.Kind.DEADLINE);
        assertThat(reader.failureKind()).isEqualTo(BodyException.Kind.DEADLINE);
        assertThat(read.exchange().fate()).contains(ConnectionFate.POISONED);

        World.Sent unread = world.stream(get());
        Body body = head(unread);
        world.cut(unread, BodyException.Kind.IDLE);
        world.cut(unread, BodyException.Kind.CANCELLED);
        assertThat(BodyReader.of(body, 1).failureKind()).isEqualTo(BodyException.Kind.IDLE);
        assertThat(unread.exchange().fate()).contains(ConnectionFate.POISONED);
        assertThat(world.transport.stats().poisoned()).containsEntry(Poison.ABANDONED, 2L);
    }

    @Test
    @DisplayName("E9 a body that ends short of its framing says so, after what came of it")
    void truncated() throws Exception {
        server.on(1).readRequest().send(sized(10) + "hello").await(rest).close();
        World.Sent sent = world.stream(get());
        Body body = head(sent);
        rest.open();
        sent.exchange().await(Fact.CLEAN);
        BodyReader reader = BodyReader.of(body, 1);
        assertThat(reader.failureKind()).isEqualTo(BodyException.Kind.TRUNCATED);
        assertThat(reader.text()).isEqualTo("hello");
        assertThat(world.transport.stats().poisoned()).containsEntry(Poison.TRUNCATED, 1L);
    }

    @Test
    @DisplayName("E9 a body that is none, and trailers beyond their bound, end it typed")
    void faultyBody() throws Exception {
        server.on(1).readRequest().send(CHUNKED + "1\r\nx\r\n").await(rest).send("x\r\n");
        server.on(2).readRequest().send(CHUNKED + "1\r\nx\r\n").await(rest).send("0\r\nA: " + "a".repeat(40_000));
        BodyReader malformed = BodyReader.of(head(world.stream(get())), Long.MAX_VALUE);
        BodyReader large = BodyReader.of(head(world.stream(get())), Long.MAX_VALUE);
        malformed.awaitText(1);
        large.awaitText(1);
        rest.open();
        assertThat(malformed.failureKind()).isEqualTo(BodyException.Kind.MALFORMED);
        assertThat(large.failureKind()).isEqualTo(BodyException.Kind.TOO_LARGE);
        assertThat(world.transport.stats().poisoned())
                .containsEntry(Poison.MALFORMED, 1L)
                .containsEntry(Poison.TOO_LARGE, 1L);
    }

    @Test
    @DisplayName("E9 a body without framing is whole at the connection's orderly end")
    void untilClose() throws Exception {
        server.on(1)
                .readRequest()
                .send("HTTP/1.1 200 OK\r\n\r\none")
                .await(rest)
                .send("two")
                .close();
        World.Sent sent = world.stream(get());
        BodyReader reader = BodyReader.of(head(sent), Long.MAX_VALUE);
        reader.awaitText(3);
        rest.open();
        assertThat(reader.whole()).isEqualTo("onetwo");
        assertThat(sent.exchange().fate()).contains(ConnectionFate.CLOSED);
    }

    @Test
    @DisplayName("E6 bytes behind a streamed response poison its connection, and the body stands")
    void surplus() throws Exception {
        server.on(1).readRequest().send(sized(6) + "one").await(rest).send("twoHTTP/1.1 500 no\r\n\r\n");
        World.Sent sent = world.stream(get());
        BodyReader reader = BodyReader.of(head(sent), Long.MAX_VALUE);
        reader.awaitText(3);
        rest.open();
        assertThat(reader.whole()).isEqualTo("onetwo");
        assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
        assertThat(world.transport.stats().poisoned()).containsEntry(Poison.SURPLUS, 1L);
    }

    @Test
    @DisplayName("A8 interim answers are offered to a caller who streams, whatever they are")
    void interim() throws Exception {
        server.on(1)
                .readRequest()
                .send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nLink: a\r\n\r\nHTTP/1.1 199 x\r\n\r\n" + sized(0))
                .serve(request -> ScriptedServer.response(204, ""));
        World.Sent sent = world.stream(get());
        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.exchange().interims()).containsExactly(100, 103, 199);
        assertReused();
    }

    @Test
    @DisplayName("E6 E7 a body that is given to nobody any more is drained, and its connection stays")
    void takenByNobody() throws Exception {
        Gate head = new Gate();
        server.on(1)
                .readRequest()
                .await(head)
                .send(sized(6) + "one")
                .await(rest)
                .send("two")
                .serve(request -> ScriptedServer.response(204, ""));
        World.Sent sent = world.stream(get());
        server.request(1);
        // The word is lost before the head comes, and the handle is not told.
        assertThat(sent.exchange().giveUp()).isTrue();
        head.open();
        rest.awaitArrival();
        sent.exchange().await(Fact.REFUSED_RESULT);
        rest.open();
        sent.exchange().await(Fact.CLEAN);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
        assertReused();
    }

    @Test
    @DisplayName("S1 a transport that closes at once ends the bodies that run")
    void closing() throws Exception {
        server.on(1).readRequest().send(sized(6) + "one").await(rest);
        World.Sent sent = world.stream(get());
        BodyReader reader = BodyReader.of(head(sent), 1);
        reader.awaitText(3);
        world.transport.shutdown(java.time.Duration.ZERO).get(10, java.util.concurrent.TimeUnit.SECONDS);
        assertThat(reader.failureKind()).isEqualTo(BodyException.Kind.SHUTTING_DOWN);
        sent.exchange().await(Fact.CLEAN);
    }

    @Test
    @DisplayName("E1 A8 over TLS parts go both ways, demand stops the socket, and progress is told")
    void overTls(@TempDir Path directory) throws Exception {
        Certificates certificates = Certificates.of(directory, "ip:127.0.0.1");
        String content = "0123456789abcdef".repeat(LARGE / 16);
        try (ScriptedServer secure = ScriptedServer.start(certificates.server());
                World tls = World.of(NettyTransport.builder()
                        .tls(TlsSettings.ofDefaults().withTrustCertificates(certificates.pem(directory))))) {
            secure.on(1).readRequest().send(sized(LARGE) + content).serve(request -> ScriptedServer.response(204, ""));
            Request request = Request.of(
                    Method.PUT,
                    secure.uri("/"),
                    Headers.empty(),
                    Body.once(new PartsPublisher<>(100, i -> ByteBuffer.allocate(10_000)), 1_000_000));
            World.Sent sent = tls.stream(request);
            BodyReader reader = BodyReader.of(head(sent), 1);
            assertThat(sent.exchange().progress()).isEqualTo(Progress.COMPLETE);
            reader.awaitText(1);
            while (!reader.hasEnded()) {
                reader.subscription().request(1);
                tls.onLoop(() -> {});
            }
            assertThat(reader.whole()).isEqualTo(content);
            assertThat(secure.request(1).body()).hasSize(1_000_000);
            assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
        }
    }
}
