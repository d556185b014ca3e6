package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakWatch.class)
class AnswerTest {

    private static final String GET = "GET /e HTTP/1.1\r\nHost: g\r\n\r\n";
    private static final String HEAD = "HEAD /e HTTP/1.1\r\nHost: g\r\n\r\n";
    private static final String OLD = "GET /e HTTP/1.0\r\n\r\n";

    private final HoldingHandler handler = new HoldingHandler();
    private TestServer server;
    private RawClient client;

    @BeforeEach
    void connect() throws IOException {
        server = new TestServer(new Settings().build(), handler);
        client = server.connect();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        server.awaitNoConnections();
        server.close();
    }

    private HoldingHandler.Held asks(String request) throws Exception {
        client.send(request);
        return handler.next();
    }

    @Test
    @DisplayName("RFC 9112 §7.1 a body of unknown length comes in chunks, with what follows it")
    void chunks() throws Exception {
        HoldingHandler.Held held = asks(GET);
        String large = "x".repeat(70_000);
        held.begins(Body.UNKNOWN_LENGTH);
        held.sends("small");
        held.sends("");
        held.sends(large);
        held.does(to -> to.end(Headers.of("X-Sum", "5")));

        RawClient.Answer answer = client.answer();

        assertThat(answer.body()).isEqualTo("small" + large);
        assertThat(answer.fields()).containsEntry("x-sum", "5").containsEntry("transfer-encoding", "chunked");
        asks(GET).answers("and on");
        assertThat(client.answer().body()).isEqualTo("and on");
    }

    @Test
    @DisplayName("RFC 9110 §8.6 where no body can follow, the length is told that was given, or none")
    void bodiless() throws Exception {
        asks(HEAD).does(to -> {
            to.head(200, Headers.empty(), 12, true);
            to.end(Headers.empty());
        });
        RawClient.Answer told = client.answer(true);
        asks(HEAD).does(to -> {
            to.head(200, Headers.empty(), 0, false);
            to.end(Headers.empty());
        });
        RawClient.Answer untold = client.answer(true);
        asks(GET).does(to -> {
            to.head(304, Headers.empty(), 7, true);
            to.end(Headers.empty());
        });
        RawClient.Answer notModified = client.answer();
        asks(GET).does(to -> {
            to.head(204, Headers.empty(), 0, true);
            to.end(Headers.empty());
        });
        RawClient.Answer noContent = client.answer();

        assertThat(told.fields()).containsEntry("content-length", "12");
        assertThat(untold.fields()).doesNotContainKeys("content-length", "transfer-encoding");
        assertThat(notModified.fields()).containsEntry("content-length", "7");
        assertThat(noContent.fields()).doesNotContainKeys("content-length", "transfer-encoding");
    }

    @Test
    @DisplayName("RFC 9110 §6.6.1 a date is added where there is none; framing that somebody else wrote is dropped")
    void fieldsOfOurs() throws Exception {
        asks(GET).does(to -> {
            to.head(
                    200,
                    Headers.of(
                            "Content-Length",
                            "9",
                            "Transfer-Encoding",
                            "x",
                            "Connection",
                            "y",
                            "Keep-Alive",
                            "z",
                            "A",
                            "1"),
                    0,
                    true);
            to.end(Headers.empty());
        });
        RawClient.Answer dated = client.answer();
        asks(GET).does(to -> {
            to.head(200, Headers.of("Date", "Thu, 01 Jan 1970 00:00:00 GMT"), 0, true);
            to.end(Headers.empty());
        });
        RawClient.Answer kept = client.answer();

        assertThat(dated.fields()).containsOnlyKeys("a", "date", "content-length");
        assertThat(dated.fields().get("date"))
                .matches("[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT");
        assertThat(dated.fields()).containsEntry("content-length", "0");
        assertThat(kept.fields()).containsEntry("date", "Thu, 01 Jan 1970 00:00:00 GMT");
    }

    @Test
    @DisplayName("RFC 9110 §15.2 interim answers come before the head, but not to a client of 1.0")
    void interimAnswers() throws Exception {
        asks(GET).does(to -> {
            to.interim(103, Headers.of("Link", "</a>"));
            to.interim(103, Headers.of("Link", "</b>"));
            EchoHandler.answer(to, 200, "new");
        });
        RawClient.Answer answer = client.answer();
        asks(OLD).does(to -> {
            to.interim(103, Headers.of("Link", "</a>"));
            EchoHandler.answer(to, 200, "old");
        });
        RawClient.Answer old = client.answer();

        assertThat(answer.interim()).isEqualTo(2);
        assertThat(answer.body()).isEqualTo("new");
        assertThat(old.interim()).isZero();
        assertThat(old.body()).isEqualTo("old");
    }

    @Test
    @DisplayName("RFC 9112 §6.3 a client of 1.0 gets a body of unknown length up to the end of the connection")
    void untilTheEndOfTheConnection() throws Exception {
        HoldingHandler.Held held = asks("GET /e HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        held.begins(Body.UNKNOWN_LENGTH);
        held.sends("abc");
        held.sends("def");
        held.ends();

        RawClient.Answer answer = client.answer();

        assertThat(answer.closes()).isTrue();
        assertThat(answer.fields()).doesNotContainKeys("content-length", "transfer-encoding");
        assertThat(answer.body()).isEqualTo("abcdef");
    }

    @Test
    @DisplayName(
            "RFC 9112 §8 a cut answer is seen to be cut: no last chunk, short of its length, a reset, nothing at all")
    void cuts() throws Exception {
        HoldingHandler.Held chunked = asks(GET);
        chunked.begins(Body.UNKNOWN_LENGTH);
        chunked.sends("abc");
        chunked.does(Responder::cut);
        assertThat(client.rest()).endsWith("\r\n\r\n3\r\nabc\r\n");

        client.close();
        client = server.connect();
        HoldingHandler.Held length = asks(GET);
        length.begins(10);
        length.sends("abc");
        length.does(Responder::cut);
        assertThatThrownBy(client::answer).hasMessageContaining("ended in a body");

        client.close();
        client = server.connect();
        HoldingHandler.Held old = asks(OLD);
        old.begins(Body.UNKNOWN_LENGTH);
        old.sends("abc");
        old.does(Responder::cut);
        assertThatThrownBy(client::rest).isInstanceOf(IOException.class).hasMessageContaining("reset");

        client.close();
        client = server.connect();
        asks(GET).does(Responder::cut);
        assertThat(client.rest()).isEmpty();
    }

    @Test
    @DisplayName("RFC 9112 §9.6 an answer can close its connection")
    void closeAfter() throws Exception {
        asks(GET).does(to -> {
            to.closeAfter();
            EchoHandler.answer(to, 200, "last");
        });

        assertThat(client.answer().closes()).isTrue();
        assertThat(client.rest()).isEmpty();
    }

    @Test
    @DisplayName(
            "RFC 9110 §10.1.1 the leave to send a body comes from the handler alone, and once given the connection goes on")
    void leaveToSend() throws Exception {
        HoldingHandler.Held held =
                asks("POST /e HTTP/1.1\r\nHost: g\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
        held.does(to -> {
            held.request.body().subscribe(held);
            to.interim(100, Headers.empty());
        });
        held.subscription.get().request(1);
        client.send("abc");
        assertThat(held.told()).isEqualTo("whole");
        held.answers("thanks");

        RawClient.Answer answer = client.answer();

        assertThat(answer.interim()).isEqualTo(1);
        assertThat(answer.closes()).isFalse();
        asks(GET).answers("on");
        assertThat(client.answer().body()).isEqualTo("on");
    }

    @Test
    @DisplayName("what is said out of order is a bug, and harms nobody's memory")
    void order() throws Exception {
        HoldingHandler.Held held = asks(GET);
        held.does(to -> {
            ByteBuf part = Unpooled.copiedBuffer("abcd", ISO_8859_1);
            assertThatThrownBy(() -> to.data(part)).isInstanceOf(IllegalStateException.class);
            assertThat(part.refCnt()).isZero();
            assertThatThrownBy(() -> to.end(Headers.empty())).isInstanceOf(IllegalStateException.class);
            to.head(200, Headers.empty(), 3, true);
            assertThatThrownBy(() -> to.head(200, Headers.empty(), 3, true)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> to.interim(103, Headers.empty())).isInstanceOf(IllegalStateException.class);
            ByteBuf more = Unpooled.copiedBuffer("abcd", ISO_8859_1);
            assertThatThrownBy(() -> to.data(more)).isInstanceOf(IllegalStateException.class);
            assertThat(more.refCnt()).isZero();
            assertThatThrownBy(() -> to.end(Headers.empty())).isInstanceOf(IllegalStateException.class);
            to.data(Unpooled.copiedBuffer("abc", ISO_8859_1));
            to.end(Headers.empty());
            to.cut();
        });

        assertThat(client.answer().body()).isEqualTo("abc");
    }

    @Test
    @DisplayName("E7 to a client that has gone nothing is said, and nothing of it is kept")
    void gone() throws Exception {
        HoldingHandler.Held held = asks(GET);
        held.begins(Body.UNKNOWN_LENGTH);
        client.close();
        assertThat(held.told()).isEqualTo("gone CLOSED");

        held.does(to -> {
            ByteBuf part = Unpooled.copiedBuffer("abc", ISO_8859_1);
            to.data(part);
            assertThat(part.refCnt()).isZero();
            to.end(Headers.empty());
            to.cut();
        });
        assertThat(held.wasToldNothing()).isTrue();
    }

    @Test
    @DisplayName("bytes are counted, heads and framing included, and those of the request's body")
    void counts() throws Exception {
        HoldingHandler.Held held = asks("POST /e HTTP/1.1\r\nHost: g\r\nContent-Length: 3\r\n\r\nabc");
        held.does(to -> held.request.body().subscribe(held));
        held.subscription.get().request(1);
        assertThat(held.told()).isEqualTo("whole");
        held.begins(Body.UNKNOWN_LENGTH);
        held.sends("0123456789");
        held.ends();

        long out = held.gets(() -> held.responder().bytesOut());
        long in = held.gets(() -> held.responder().bodyBytesIn());

        client.socket.shutdownOutput();
        assertThat(client.rest()).hasSize((int) out).endsWith("\r\n\r\na\r\n0123456789\r\n0\r\n\r\n");
        assertThat(in).isEqualTo(3);
    }
}
