package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.netty.ResponseDecoder.Event;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The decoder fed with bytes: framing by RFC 9112 §6.3, bounds, and what it refuses. */
class ResponseDecoderTest {

    private static final int MAX_HEAD = 1_000;
    private static final int MAX_BODY = 300;
    private static final int MAX_INTERIM = 3;

    private final ResponseDecoder decoder = new ResponseDecoder(MAX_HEAD, MAX_BODY, MAX_INTERIM);

    private Event feed(String bytes) {
        return decoder.read(Unpooled.copiedBuffer(bytes, ISO_8859_1));
    }

    /** All at once, for a GET. */
    private Event decode(String bytes) {
        decoder.begin(false);
        return feed(bytes);
    }

    private String body() {
        return ISO_8859_1.decode(decoder.takeBody().content()).toString();
    }

    private ResponseHead head() {
        return java.util.Objects.requireNonNull(decoder.head());
    }

    /** Whole responses whose end is in their framing, and the body each carries. */
    private static final List<List<String>> WHOLE = List.of(
            List.of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"),
            List.of("HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n", ""),
            List.of("HTTP/1.1 204 No Content\r\n\r\n", ""),
            List.of("HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n", ""),
            List.of("HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"),
            List.of(
                    "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n00000003;a=b;c=\"x\"\r\nhel\r\n2\r\nlo\r\n0\r\nX-Trailer: t\r\nY: 1\r\n\r\n",
                    "hello"),
            List.of(
                    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                    "ok"),
            List.of("HTTP/1.0 404 gone\tü away\r\nA: 1\r\nA: 2\r\nB:\t x y \t\r\nContent-Length: 1\r\n\r\n!", "!"));

    @Test
    @DisplayName("E6 framing decides where a response ends, however its bytes are cut")
    void splitAtEveryByte() {
        for (List<String> example : WHOLE) {
            String bytes = example.get(0);
            for (int cut = 0; cut <= bytes.length(); cut++) {
                decoder.begin(false);
                Event first = feed(bytes.substring(0, cut));
                assertThat(first)
                        .as("%s cut at %d", bytes, cut)
                        .isEqualTo(cut < bytes.length() ? Event.MORE : Event.COMPLETE);
                if (cut < bytes.length()) {
                    assertThat(feed(bytes.substring(cut))).isEqualTo(Event.COMPLETE);
                }
                assertThat(body()).isEqualTo(example.get(1));
            }
            decoder.begin(false);
            for (int i = 0; i < bytes.length(); i++) {
                assertThat(feed(bytes.substring(i, i + 1)))
                        .isEqualTo(i < bytes.length() - 1 ? Event.MORE : Event.COMPLETE);
            }
            assertThat(body()).isEqualTo(example.get(1));
        }
    }

    @Test
    @DisplayName("E6 what follows a response is left in the input")
    void surplusIsLeft() {
        for (List<String> example : WHOLE) {
            decoder.begin(false);
            ByteBuf in = Unpooled.copiedBuffer(example.get(0) + "HTTP/1.1 200", ISO_8859_1);
            assertThat(decoder.read(in)).isEqualTo(Event.COMPLETE);
            assertThat(in.readableBytes()).isEqualTo(12);
        }
    }

    @Test
    @DisplayName("E6 the head is kept as it came: order, repeats, blanks trimmed at the ends")
    void headIsKept() {
        assertThat(decode("HTTP/1.0 404 gone\r\nA: 1\r\nb:\t x  y \t\r\nA:\r\nContent-Length: 0\r\n\r\n"))
                .isEqualTo(Event.COMPLETE);
        assertThat(head().status).isEqualTo(404);
        assertThat(head().headers.all("a")).containsExactly("1", "");
        assertThat(head().headers.first("B")).contains("x  y");
        assertThat(head().headers.nameAt(1)).isEqualTo("b");
        assertThat(head().keepsConnection()).isFalse();
    }

    @Test
    @DisplayName("E6 the answer to HEAD ends with its head")
    void answerToHead() {
        decoder.begin(true);
        assertThat(feed("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")).isEqualTo(Event.COMPLETE);
        assertThat(head().headers.first("Content-Length")).contains("1000");
        decoder.begin(true);
        assertThat(feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .isEqualTo(Event.COMPLETE);
    }

    @Test
    @DisplayName("E9 a body without framing ends with the connection, and only in order")
    void untilClose() {
        assertThat(decode("HTTP/1.1 200 OK\r\n\r\nhel")).isEqualTo(Event.MORE);
        assertThat(feed("lo")).isEqualTo(Event.MORE);
        assertThat(decoder.end(false)).isEqualTo(Event.MORE);
        assertThat(decoder.end(true)).isEqualTo(Event.COMPLETE);
        assertThat(body()).isEqualTo("hello");
    }

    @Test
    @DisplayName("E9 the end of the connection completes nothing that has a framing of its own")
    void cutShort() {
        for (String cut : List.of(
                "",
                "HTTP/1.1 200 OK\r\nContent-Len",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
                "HTTP/1.1 100 Continue\r\n\r\n")) {
            assertThat(decode(cut)).isEqualTo(Event.MORE);
            assertThat(decoder.end(true)).as(cut).isEqualTo(Event.MORE);
        }
    }

    @ParameterizedTest
    @DisplayName("E9 what is not strictly HTTP/1 is malformed")
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH\r\n",
                "\r\nHTTP/1.1 200 OK\r\n\r\n",
                "HTTP/2.0 200 OK\r\n\r\n",
                "HTTP/1.x 200 OK\r\n\r\n",
                "HTTP/1.1  200 OK\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 099 OK\r\n\r\n",
                "HTTP/1.1 +20 OK\r\n\r\n",
                "HTTP/1.1 200 O\u0000K\r\n\r\n",
                "HTTP/1.1 200 O\rK\r\n\r\n",
                "HTTP/1.1 200 OK\n\n",
                "HTTP/1.1 200 OK\r\nA: 1\n\r\n",
                "HTTP/1.1 200 OK\r\nA : 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\rA: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\n: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\n A: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: 1\r\n folded\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: 1\u0001\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: 1\r2\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA\u00e9: 1\r\n\r\n",
                "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n"
            })
    void malformedHeads(String bytes) {
        assertThat(decode(bytes)).isEqualTo(Event.MALFORMED);
        assertThat(decoder.fault()).isNotEmpty();
    }

    @ParameterizedTest
    @DisplayName("E9 two opinions on the length are malformed")
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 5",
                "Content-Length: 5\r\nContent-Length: 5",
                "Content-Length: 5\r\nContent-Length: 6",
                "Content-Length: 5, 5",
                "Content-Length: -5",
                "Content-Length: +5",
                "Content-Length: 5x",
                "Content-Length: 0x5",
                "Content-Length:",
                "Content-Length: 5 5",
                "Content-Length: 1234567890123456789",
                "Content-Length: \u0665",
                "Transfer-Encoding: identity",
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: chunked, gzip",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: chunked;q=1",
                "Transfer-Encoding:"
            })
    void conflictingFraming(String fields) {
        assertThat(decode("HTTP/1.1 200 OK\r\n" + fields + "\r\n\r\nhello")).isEqualTo(Event.MALFORMED);
    }

    @Test
    @DisplayName("E9 a message of HTTP/1.0 must not be chunked")
    void chunkedInOldVersion() {
        assertThat(decode("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
                .isEqualTo(Event.MALFORMED);
    }

    @ParameterizedTest
    @DisplayName("E9 a chunk that is not exactly one is malformed")
    @ValueSource(
            strings = {
                "\r\n",
                ";x\r\n",
                "g\r\n",
                "-1\r\n",
                "0x5\r\nhello",
                " 5\r\nhello",
                "5 \r\nhello",
                "5\nhello",
                "5\rhello",
                "5;a\nb\r\nhello",
                "5\r\nhelloX",
                "5\r\nhello\n",
                "5\r\nhello\rX",
                "0\r\nA: 1\n\r\n",
                "0\r\n\rX"
            })
    void malformedChunks(String chunks) {
        assertThat(decode("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks))
                .isEqualTo(Event.MALFORMED);
    }

    @Test
    @DisplayName("G5 bounds on head, body, chunk, extension and trailer hold at the byte")
    void bounds() {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: ";
        String filler = "x".repeat(MAX_HEAD - head.length() - 4);
        assertThat(decode(head + filler + "\r\n\r\n")).isEqualTo(Event.COMPLETE);
        assertThat(decode(head + filler + "x\r\n\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode("HTTP/1.1 200 " + "x".repeat(MAX_HEAD))).isEqualTo(Event.TOO_LARGE);

        String most = "b".repeat(MAX_BODY);
        assertThat(decode("HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n" + most))
                .isEqualTo(Event.COMPLETE);
        assertThat(decode("HTTP/1.1 200 OK\r\nContent-Length: 301\r\n\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode("HTTP/1.1 200 OK\r\n\r\n" + most)).isEqualTo(Event.MORE);
        assertThat(decode("HTTP/1.1 200 OK\r\n\r\n" + most + "b")).isEqualTo(Event.TOO_LARGE);

        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertThat(decode(chunked + "12c\r\n" + most + "\r\n0\r\n\r\n")).isEqualTo(Event.COMPLETE);
        assertThat(decode(chunked + "12d\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode(chunked + "1\r\nx\r\n12c\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode(chunked + "ffffffff\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode(chunked + "000000001\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode(chunked + "0;" + "e".repeat(MAX_HEAD + 1))).isEqualTo(Event.TOO_LARGE);
        assertThat(decode(chunked + "0\r\n" + "Trailer: t\r\n".repeat(110))).isEqualTo(Event.TOO_LARGE);
    }

    @Test
    @DisplayName("G5 interim answers are skipped up to their number and their size")
    void interimBounds() {
        String interim = "HTTP/1.1 102 Processing\r\n\r\n";
        String last = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        assertThat(decode(interim.repeat(MAX_INTERIM) + last)).isEqualTo(Event.COMPLETE);
        assertThat(decode(interim.repeat(MAX_INTERIM + 1) + last)).isEqualTo(Event.TOO_MANY_INTERIM);
        String large = "HTTP/1.1 103 Early Hints\r\nLink: " + "x".repeat(500) + "\r\n\r\n";
        assertThat(decode(large + large)).isEqualTo(Event.TOO_MANY_INTERIM);
    }

    @Test
    @DisplayName("E6 an equal head is the same head, another one is not")
    void headsAreRemembered() {
        assertThat(decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: 1\r\n\r\n"))
                .isEqualTo(Event.COMPLETE);
        ResponseHead first = head();
        assertThat(decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: 2\r\n\r\n"))
                .isEqualTo(Event.COMPLETE);
        ResponseHead second = head();
        assertThat(decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: 2\r\n\r\n"))
                .isEqualTo(Event.COMPLETE);
        assertThat(head()).isSameAs(second).isNotSameAs(first);
        assertThat(first.headers.first("A")).contains("1");
        assertThat(second.headers.first("A")).contains("2");
    }

    @Test
    @DisplayName("E9 what a fault says quotes nothing of the message")
    void faultsKeepSecrets() {
        decode("HTTP/1.1 200 OK\r\nSet-Cookie: secret\u0001\r\n\r\n");
        assertThat(decoder.fault()).doesNotContain("secret");
    }

    @Test
    @DisplayName("E6 who may keep the connection, and for how long")
    void persistence() {
        decode("HTTP/1.1 204 x\r\nConnection: foo, Close\r\n\r\n");
        assertThat(head().keepsConnection()).isFalse();
        decode("HTTP/1.1 204 x\r\nConnection: closed\r\n\r\n");
        assertThat(head().keepsConnection()).isTrue();
        decode("HTTP/1.0 204 x\r\nConnection: Keep-Alive\r\nKeep-Alive: max=3, timeout=5\r\n\r\n");
        assertThat(head().keepsConnection()).isTrue();
        assertThat(head().keepAliveSeconds).isEqualTo(5);
        decode("HTTP/1.1 204 x\r\nKeep-Alive: timeout=x\r\n\r\n");
        assertThat(head().keepAliveSeconds).isEqualTo(ResponseHead.NO_TIMEOUT);
    }
}
