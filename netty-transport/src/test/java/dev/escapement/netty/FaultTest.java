package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure.Kind;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that misbehave on a fresh connection: what the attempt ends as, how far it got, what becomes of the connection. */
@ExtendWith(LeakWatch.class)
class FaultTest {

    /** More than the socket buffers of both sides take. */
    private static final int HUGE = 24 * 1024 * 1024;

    private ScriptedServer server;
    private World world;

    @BeforeEach
    void start() {
        server = ScriptedServer.start();
        world = World.of(
                NettyTransport.builder().maxHeadBytes(1024).maxBodyBytes(2048).maxInterimAnswers(3));
    }

    @AfterEach
    void end() throws Exception {
        world.close();
        server.close();
    }

    private World.Sent get() throws InterruptedException {
        return world.send(Request.get(server.uri("/x").toString()));
    }

    private World.Sent upload(int bytes) throws InterruptedException {
        byte[] body = new byte[bytes];
        new Random(1).nextBytes(body);
        return world.send(Request.of(Method.POST, server.uri("/upload"), Headers.empty(), Body.of(body)));
    }

    private void assertFailed(World.Sent sent, Kind kind, Progress progress, Poison poison)
            throws InterruptedException {
        assertThat(sent.failure().kind()).as("%s", sent.exchange()).isEqualTo(kind);
        assertThat(sent.exchange().progress()).isEqualTo(progress);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
        assertThat(world.transport.stats().poisoned()).containsEntry(poison, 1L).hasSize(1);
        assertThat(sent.failure().message()).contains("127.0.0.1:" + server.port(), "age", "uses 0", "idle");
    }

    @Test
    @DisplayName("E1 E9 a reset after the request was taken is RESET with the request complete")
    void resetAfterTheRequest() throws Exception {
        server.on(1).readRequest().reset();
        assertFailed(get(), Kind.RESET, Progress.COMPLETE, Poison.RESET);
    }

    @Test
    @DisplayName("E9 a close without an answer is RESET as well")
    void closeWithoutAnswer() throws Exception {
        server.on(1).readRequest().close();
        assertFailed(get(), Kind.RESET, Progress.COMPLETE, Poison.RESET);
    }

    @ParameterizedTest
    @DisplayName("E9 a response that ends short of its framing is TRUNCATED, its bytes discarded")
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
            })
    void earlyClose(String partial) throws Exception {
        server.on(1).readRequest().send(partial).close();
        World.Sent sent = get();
        assertFailed(sent, Kind.TRUNCATED, Progress.COMPLETE, Poison.TRUNCATED);
        assertThat(sent.exchange().discardedBytes()).isEqualTo(partial.length());
        assertThat(world.transport.stats().discardedBytes()).isEqualTo(partial.length());
    }

    @Test
    @DisplayName("E9 a body that lasts until the connection ends is whole after a FIN and truncated after a reset")
    void bodyUntilClose() throws Exception {
        Gate sawIt = new Gate();
        server.on(1).readRequest().send("HTTP/1.1 200 OK\r\n\r\nhello").close();
        server.on(2)
                .readRequest()
                .send("HTTP/1.1 200 OK\r\n\r\nhello")
                .await(sawIt)
                .reset();

        World.Sent whole = get();
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.exchange().response().body().length()).isEqualTo(5);
        assertThat(whole.exchange().fate()).contains(ConnectionFate.CLOSED);

        World.Sent cut = get();
        cut.exchange().await(Fact.REPLY_STARTED);
        sawIt.open();
        assertFailed(cut, Kind.TRUNCATED, Progress.COMPLETE, Poison.TRUNCATED);
    }

    @ParameterizedTest
    @DisplayName("E9 garbage, conflicting framing and an unwanted switch are MALFORMED, and close at once")
    @ValueSource(
            strings = {
                "garbage",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"
            })
    void malformed(String bytes) throws Exception {
        server.on(1).readRequest().send(bytes);
        assertFailed(get(), Kind.MALFORMED, Progress.COMPLETE, Poison.MALFORMED);
        server.connection(1).awaitPeerEnd();
    }

    @ParameterizedTest
    @DisplayName("E9 G5 head and body beyond their bounds are TOO_LARGE")
    @ValueSource(strings = {"head", "body"})
    void tooLarge(String what) throws Exception {
        String large = "x".repeat(3000);
        server.on(1)
                .readRequest()
                .send(
                        what.equals("head")
                                ? "HTTP/1.1 200 OK\r\nX: " + large
                                : "HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n" + large);
        assertFailed(get(), Kind.TOO_LARGE, Progress.COMPLETE, Poison.TOO_LARGE);
    }

    @Test
    @DisplayName("E9 a flood of interim answers ends as TOO_MANY_INTERIM")
    void interimFlood() throws Exception {
        server.on(1).readRequest().send("HTTP/1.1 102 Processing\r\n\r\n".repeat(20));
        assertFailed(get(), Kind.TOO_MANY_INTERIM, Progress.COMPLETE, Poison.TOO_MANY_INTERIM);
    }

    @Test
    @DisplayName("A8 a few interim answers are skipped, and the connection stays")
    void interimSkipped() throws Exception {
        server.on(1)
                .readRequest()
                .send("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 102 x\r\n\r\n" + response(200, "ok"))
                .serve(request -> response(204, ""));
        World.Sent sent = get();
        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.exchange().response().headers().contains("Link")).isFalse();
        assertThat(get().exchange()).satisfies(exchange -> exchange.await(Fact.SUCCEEDED));
        assertThat(server.connectionCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @DisplayName("E6 bodiless answers and every framing leave the connection fit for the next")
    @CsvSource({"HEAD,200", "GET,204", "GET,304", "GET,200"})
    void connectionsStay(String method, int status) throws Exception {
        String fields = status == 204 ? "" : "Content-Length: 5\r\n";
        String body = method.equals("GET") && status == 200 ? "hello" : "";
        server.on(1)
                .serve(request -> request.method().equals("PUT")
                        ? "HTTP/1.1 201 x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                        : "HTTP/1.1 " + status + " x\r\n" + fields + "\r\n" + body);
        World.Sent first =
                world.send(Request.of(Method.of(method), server.uri("/").toString()));
        assertThat(first.status()).isEqualTo(status);
        assertThat(first.exchange().response().body().length()).isEqualTo(body.length());
        assertThat(world.send(Request.of(Method.PUT, server.uri("/").toString()))
                        .status())
                .isEqualTo(201);
        assertThat(world.send(Request.of(Method.of(method), server.uri("/").toString()))
                        .status())
                .isEqualTo(status);
        assertThat(server.connectionCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("E6 the head and the body may come as slowly as they like, byte by byte")
    void slowAnswer() throws Exception {
        Gate afterHead = new Gate();
        server.on(1)
                .readRequest()
                .sendInPieces("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", 1)
                .await(afterHead)
                .sendInPieces("llo", 1);
        World.Sent sent = get();
        sent.exchange().await(Fact.REPLY_STARTED);
        afterHead.awaitArrival();
        assertThat(sent.exchange().hasResult()).isFalse();
        afterHead.open();
        assertThat(sent.status()).isEqualTo(200);
    }

    @Test
    @DisplayName("E6 surplus bytes in the burst of the answer poison the connection, and the answer stands")
    void surplus() throws Exception {
        server.on(1).readRequest().send(response(200, "ok") + "HTTP/1.1 500 smuggled\r\n\r\n");
        World.Sent sent = get();
        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
        assertThat(sent.exchange().discardedBytes()).isEqualTo(25);
        assertThat(world.transport.stats().poisoned()).containsEntry(Poison.SURPLUS, 1L);
        server.connection(1).awaitPeerEnd();
    }

    @Test
    @DisplayName("E6 unsolicited bytes on an idle connection close it, and no attempt ever reads them")
    void unsolicitedOnIdle() throws Exception {
        Gate idle = new Gate();
        server.on(1).readRequest().respond(200, "").await(idle).send(response(408, ""));
        server.on(2).readRequest().respond(204, "");
        assertThat(get().status()).isEqualTo(200);
        idle.open();
        server.connection(1).awaitPeerEnd();
        PoolStats stats = world.awaitStats(now -> now.idle() == 0);
        assertThat(stats.poisoned()).containsEntry(Poison.UNSOLICITED, 1L);
        assertThat(get().status()).isEqualTo(204);
    }

    @Test
    @DisplayName("E6 either side may ask for the end: the connection closes in order")
    void closeAsked() throws Exception {
        server.on(1).readRequest().respond(200, "ok", "Connection", "close");
        server.on(2).readRequest().send("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n");
        for (int i = 1; i <= 2; i++) {
            World.Sent sent = get();
            assertThat(sent.status()).isEqualTo(200);
            assertThat(sent.exchange().fate()).contains(ConnectionFate.CLOSED);
            server.connection(i).awaitPeerEnd();
        }
        assertThat(world.transport.stats().poisoned()).isEmpty();
    }

    @Test
    @DisplayName("E1 a request that a server does not read is a prefix of exactly as many bytes as its socket took")
    void halfWritten() throws Exception {
        Gate reading = new Gate();
        server.on(1).readHead().await(reading);
        World.Sent sent = upload(HUGE);
        server.request(1);
        sent.exchange().await("bytes of the body", exchange -> exchange.writtenBytes() > 1000);
        assertThat(sent.exchange().hasResult()).isFalse();

        assertThat(world.abandon(sent)).isTrue();

        sent.exchange().await(Fact.CLEAN);
        assertThat(sent.exchange().progress()).isEqualTo(Progress.PREFIX_WRITTEN);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
        reading.open();
        server.connection(1).awaitDone();
        assertThat((long) server.connection(1).received().length())
                .isEqualTo(sent.exchange().writtenBytes())
                .isLessThan(HUGE);
    }

    @Test
    @DisplayName("E1 a reset in the middle of an upload is RESET with a prefix written")
    void resetDuringUpload() throws Exception {
        Gate enough = new Gate();
        server.on(1).readHead().await(enough).reset();
        World.Sent sent = upload(HUGE);
        sent.exchange().await("bytes of the body", exchange -> exchange.writtenBytes() > 1000);
        enough.open();
        assertFailed(sent, Kind.RESET, Progress.PREFIX_WRITTEN, Poison.RESET);
    }

    @Test
    @DisplayName("E1 an upload larger than any buffer arrives whole, and its connection stays")
    void largeUpload() throws Exception {
        server.on(1)
                .serve(request ->
                        response(200, Integer.toString(request.bodyText().length())));
        World.Sent sent = upload(3 * 1024 * 1024 + 7);
        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.text()).isEqualTo(Integer.toString(3 * 1024 * 1024 + 7));
        assertThat(sent.exchange().writtenBytes())
                .isEqualTo(server.request(1).head().length() + 3 * 1024 * 1024 + 7);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
    }

    @Test
    @DisplayName("E6 an early answer is delivered, and the rest of the request is not sent")
    void earlyAnswer() throws Exception {
        // Nothing more is read before the answer was: a server that drains would let the upload finish first.
        Gate answered = new Gate();
        server.on(1).readHead().respond(413, "too much", "Connection", "close").await(answered);
        World.Sent sent = upload(HUGE);
        assertThat(sent.status()).isEqualTo(413);
        assertThat(sent.exchange().progress()).isEqualTo(Progress.PREFIX_WRITTEN);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
        assertThat(world.transport.stats().poisoned()).containsEntry(Poison.REQUEST_UNFINISHED, 1L);
        answered.open();
    }

    @Test
    @DisplayName("E6 an early answer wins over the write error that follows it")
    void earlyAnswerThenReset() throws Exception {
        // Closing with unread input makes the server's kernel reset the connection right behind the answer.
        server.on(1).readHead().respond(413, "too much", "Connection", "close").close();
        World.Sent sent = upload(HUGE);
        sent.exchange().awaitResult();
        assertThat(sent.status()).isEqualTo(413);
        assertThat(sent.exchange().progress()).isEqualTo(Progress.PREFIX_WRITTEN);
    }

    @Test
    @DisplayName("E9 a connect to a closed port is REFUSED and never was a connection")
    void refused() throws Exception {
        int port = ScriptedServer.refusingPort();
        World.Sent sent = world.send(Request.get("http://127.0.0.1:" + port + "/"));
        assertThat(sent.failure().kind()).isEqualTo(Kind.REFUSED);
        assertThat(sent.failure().message()).contains("127.0.0.1:" + port);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.NONE);
        assertThat(sent.exchange().saw(Fact.CONNECTED)).isFalse();
        assertThat(sent.exchange().progress()).isEqualTo(Progress.NOT_STARTED);
    }

    @Test
    @DisplayName("E9 a name without an address is NAME_RESOLUTION; names are looked up beside the loop")
    void names() throws Exception {
        assertThat(world.send(Request.get("http://no-such-host.invalid/"))
                        .failure()
                        .kind())
                .isEqualTo(Kind.NAME_RESOLUTION);
        server.on(1).readRequest().respond(200, "");
        assertThat(world.send(Request.get("http://localhost:" + server.port() + "/"))
                        .status())
                .isEqualTo(200);
        assertThat(server.request(1).header("Host")).contains("localhost:" + server.port());
    }
}
