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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The decoder fed with bytes: framing by RFC 9112 §6.3, bounds, and what it refuses. */
class ResponseDecoderTest {

    private static final int MAX_HEAD = 1_000;
    private static final int MAX_BODY = 300;
    private static final int MAX_INTERIM = 3;

    private final Reading reading = new Reading(MAX_HEAD, MAX_INTERIM);
    private final ResponseDecoder decoder = reading.decoder;

    private void begin() {
        reading.begin(false, MAX_BODY);
    }

    private Event feed(String bytes) {
        return reading.feed(Unpooled.copiedBuffer(bytes, ISO_8859_1));
    }

    /** All at once, for a GET. */
    private Event decode(String bytes) {
        begin();
        return feed(bytes);
    }

    private String body() {
        return reading.body();
    }

    private ResponseHead head() {
        return decoder.head();
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
                begin();
                Event first = feed(bytes.substring(0, cut));
                assertThat(first)
                        .as("%s cut at %d", bytes, cut)
                        .isEqualTo(cut < bytes.length() ? Event.MORE : Event.END);
                if (cut < bytes.length()) {
                    assertThat(feed(bytes.substring(cut))).isEqualTo(Event.END);
                }
                assertThat(body()).isEqualTo(example.get(1));
            }
            begin();
            for (int i = 0; i < bytes.length(); i++) {
                assertThat(feed(bytes.substring(i, i + 1))).isEqualTo(i < bytes.length() - 1 ? Event.MORE : Event.END);
            }
            assertThat(body()).isEqualTo(example.get(1));
        }
    }

    @Test
    @DisplayName("E6 what follows a response is left in the input")
    void surplusIsLeft() {
        for (List<String> example : WHOLE) {
            begin();
            ByteBuf in = Unpooled.copiedBuffer(example.get(0) + "HTTP/1.1 200", ISO_8859_1);
            assertThat(reading.feed(in)).isEqualTo(Event.END);
            assertThat(in.readableBytes()).isEqualTo(12);
        }
    }

    @Test
    @DisplayName("E6 the head is kept as it came: order, repeats, blanks trimmed at the ends")
    void headIsKept() {
        assertThat(decode("HTTP/1.0 404 gone\r\nA: 1\r\nb:\t x  y \t\r\nA:\r\nContent-Length: 0\r\n\r\n"))
                .isEqualTo(Event.END);
        assertThat(head().status).isEqualTo(404);
        assertThat(head().headers.all("a")).containsExactly("1", "");
        assertThat(head().headers.first("B")).contains("x  y");
        assertThat(head().headers.nameAt(1)).isEqualTo("b");
        assertThat(head().keepsConnection()).isFalse();
    }

    @Test
    @DisplayName("E6 the answer to HEAD ends with its head")
    void answerToHead() {
        reading.begin(true, MAX_BODY);
        assertThat(feed("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")).isEqualTo(Event.END);
        assertThat(head().headers.first("Content-Length")).contains("1000");
        reading.begin(true, MAX_BODY);
        assertThat(feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .isEqualTo(Event.END);
    }

    @Test
    @DisplayName("E9 a body without framing ends with the connection, and only in order")
    void untilClose() {
        assertThat(decode("HTTP/1.1 200 OK\r\n\r\nhel")).isEqualTo(Event.MORE);
        assertThat(feed("lo")).isEqualTo(Event.MORE);
        assertThat(decoder.end(false)).isEqualTo(Event.MORE);
        assertThat(decoder.end(true)).isEqualTo(Event.END);
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
                "0\r\n\rX",
                "0\r\nX\n",
                "0\r\nX\r\n\r\n",
                "0\r\n: x\r\n\r\n",
                "0\r\nA : x\r\n\r\n",
                "0\r\nA: x\r\n folded\r\n\r\n",
                "0\r\nA: x\u0000\r\n\r\n",
                "0\r\nA: x\r\r\n",
                "3;n=v\nabc",
                "3;n=v\rabc",
                "3;n=\"p\r\nq\"\r\nabc",
                "3;n=\"p\\\"\r\nabc",
                "3;n\rv\r\nabc",
                "3;n\u0000\r\nabc",
                "3;n\u007f\r\nabc"
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
        assertThat(decode(head + filler + "\r\n\r\n")).isEqualTo(Event.END);
        assertThat(decode(head + filler + "x\r\n\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode("HTTP/1.1 200 " + "x".repeat(MAX_HEAD))).isEqualTo(Event.TOO_LARGE);

        String most = "b".repeat(MAX_BODY);
        assertThat(decode("HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n" + most))
                .isEqualTo(Event.END);
        assertThat(decode("HTTP/1.1 200 OK\r\nContent-Length: 301\r\n\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode("HTTP/1.1 200 OK\r\n\r\n" + most)).isEqualTo(Event.MORE);
        assertThat(decode("HTTP/1.1 200 OK\r\n\r\n" + most + "b")).isEqualTo(Event.TOO_LARGE);

        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertThat(decode(chunked + "12c\r\n" + most + "\r\n0\r\n\r\n")).isEqualTo(Event.END);
        assertThat(decode(chunked + "12d\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode(chunked + "1\r\nx\r\n12c\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode(chunked + "ffffffff\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode(chunked + "0".repeat(15) + "\r\n\r\n")).isEqualTo(Event.END);
        assertThat(decode(chunked + "0".repeat(16))).isEqualTo(Event.TOO_LARGE);
        assertThat(decode(chunked + "0".repeat(40) + "\r\n\r\n")).isEqualTo(Event.TOO_LARGE);
        assertThat(decode(chunked + "F".repeat(17))).isEqualTo(Event.TOO_LARGE);
        String trailer = "T: " + "t".repeat(MAX_HEAD - 7) + "\r\n";
        assertThat(decode(chunked + "0\r\n" + trailer + "\r\n")).isEqualTo(Event.END);
        assertThat(decode(chunked + "0\r\nA:\r\n" + trailer)).isEqualTo(Event.TOO_LARGE);
    }

    @Test
    @DisplayName("G5 chunk extensions are bounded by the line and by their sum, which a tenth of the data may exceed")
    void extensionBounds() {
        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        String longest = "e".repeat(ChunkedFraming.MAX_EXTENSION_BYTES);
        assertThat(decode(chunked + "1;" + longest + "\r\nx\r\n0;" + longest + "\r\n\r\n"))
                .isEqualTo(Event.END);
        assertThat(decode(chunked + "1;" + longest + "e")).isEqualTo(Event.TOO_LARGE);

        String tiny = "1;" + longest + "\r\nx\r\n";
        int most = ChunkedFraming.EXTENSION_ALLOWANCE_BYTES / ChunkedFraming.MAX_EXTENSION_BYTES;
        assertThat(decode(chunked + tiny.repeat(most) + "0\r\n\r\n")).isEqualTo(Event.END);
        assertThat(decode(chunked + tiny.repeat(most) + "1;ee\r\n")).isEqualTo(Event.TOO_LARGE);

        // Two kilobytes of data pay for two hundred bytes more.
        reading.begin(false, 4096);
        String paid = "800\r\n" + "d".repeat(2048) + "\r\n";
        assertThat(feed(chunked + paid + tiny.repeat(most) + "1;" + "e".repeat(200)))
                .isEqualTo(Event.MORE);
        assertThat(feed("eeeeeee")).isEqualTo(Event.TOO_LARGE);
    }

    @Test
    @DisplayName("E6 a quoted string in a chunk's extension may hold what it likes but a line's end")
    void quotedExtensions() {
        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertThat(decode(chunked + "3;n=\"a;b\\\"c\" ; m\r\nabc\r\n0;z=\"\"\r\n\r\n"))
                .isEqualTo(Event.END);
        assertThat(body()).isEqualTo("abc");
    }

    @Test
    @DisplayName("A8 trailers are told in order, without those that must not follow a body")
    void trailers() {
        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n";
        assertThat(decode(
                        chunked + "X-Sum: 1 2\r\nContent-Length: 5\r\nHOST: x\r\nset-cookie: a\r\nX-Sum:\t3 \r\n\r\n"))
                .isEqualTo(Event.END);
        assertThat(decoder.trailers().all("x-sum")).containsExactly("1 2", "3");
        assertThat(decoder.trailers().count()).isEqualTo(2);
        // The next response on the connection has none of them.
        assertThat(decode(chunked + "\r\n")).isEqualTo(Event.END);
        assertThat(decoder.trailers().count()).isZero();
    }

    @Test
    @DisplayName("E9 an answer 205 has no content, however it is framed (RFC 9110 §15.3.6)")
    void resetContent() {
        assertThat(decode("HTTP/1.1 205 x\r\nContent-Length: 0\r\n\r\n")).isEqualTo(Event.END);
        assertThat(decode("HTTP/1.1 205 x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
                .isEqualTo(Event.END);
        assertThat(decode("HTTP/1.1 205 x\r\n\r\n")).isEqualTo(Event.MORE);
        assertThat(decoder.end(true)).isEqualTo(Event.END);

        assertThat(decode("HTTP/1.1 205 x\r\nContent-Length: 1\r\n\r\n")).isEqualTo(Event.MALFORMED);
        assertThat(decode("HTTP/1.1 205 x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx"))
                .isEqualTo(Event.MALFORMED);
        assertThat(decode("HTTP/1.1 205 x\r\n\r\nx")).isEqualTo(Event.MALFORMED);
    }

    @Test
    @DisplayName("A8 interim answers are offered in order, and the final one is none of them")
    void interimAnswers() {
        assertThat(decode("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nLink: a\r\n\r\nHTTP/1.1 204 x\r\n\r\n"))
                .isEqualTo(Event.END);
        assertThat(reading.interims).containsExactly(100, 103);
        assertThat(decoder.interim().headers.first("Link")).contains("a");
        assertThat(head().status).isEqualTo(204);
    }

    @Test
    @DisplayName("G5 interim answers are skipped up to their number and their size")
    void interimBounds() {
        String interim = "HTTP/1.1 102 Processing\r\n\r\n";
        String last = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        assertThat(decode(interim.repeat(MAX_INTERIM) + last)).isEqualTo(Event.END);
        assertThat(decode(interim.repeat(MAX_INTERIM + 1) + last)).isEqualTo(Event.TOO_MANY_INTERIM);
        String large = "HTTP/1.1 103 Early Hints\r\nLink: " + "x".repeat(500) + "\r\n\r\n";
        assertThat(decode(large + large)).isEqualTo(Event.TOO_MANY_INTERIM);
    }

    @Test
    @DisplayName("E6 an equal head is the same head, another one is not")
    void headsAreRemembered() {
        assertThat(decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: 1\r\n\r\n"))
                .isEqualTo(Event.END);
        ResponseHead first = head();
        assertThat(decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: 2\r\n\r\n"))
                .isEqualTo(Event.END);
        ResponseHead second = head();
        assertThat(decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: 2\r\n\r\n"))
                .isEqualTo(Event.END);
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
        decode("HTTP/1.1 204 x\r\nConnection: foo\r\nconnection: ,bar ,\tclose\t,\r\n\r\n");
        assertThat(head().keepsConnection()).isFalse();
        decode("HTTP/1.0 204 x\r\nConnection: keep-alive, close\r\n\r\n");
        assertThat(head().keepsConnection()).isFalse();
    }

    @ParameterizedTest
    @DisplayName("E6 Keep-Alive is read in the forms that servers send; what is none is ignored")
    @CsvSource(
            delimiter = '|',
            value = {
                "timeout=5|5",
                "Timeout = 5 , max=7|5",
                "max=100, timeout=\"60\"|60",
                "timeout=9, timeout=4|4",
                "timeout=0|0",
                "timeout=-1|-1",
                "timeout=5s|-1",
                "timeout=\"|-1",
                "timeout|-1",
                "5|-1",
                "xtimeout=5|-1",
                "timeout=99999999999|-1"
            })
    void keepAliveForms(String value, int seconds) {
        decode("HTTP/1.1 204 x\r\nKeep-Alive: " + value + "\r\n\r\n");
        assertThat(head().keepAliveSeconds).isEqualTo(seconds);
        decode("HTTP/1.1 204 x\r\nKeep-Alive: " + value + "\r\nKeep-Alive: timeout=7\r\n\r\n");
        assertThat(head().keepAliveSeconds).isEqualTo(seconds < 0 ? 7 : Math.min(seconds, 7));
    }
}
