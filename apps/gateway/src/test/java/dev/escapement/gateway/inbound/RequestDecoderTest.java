package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.config.GatewayConfig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestDecoderTest {

    /** Up to this, every place to cut a message in two is tried. */
    private static final int CUT_EVERYWHERE = 1000;

    /** So many places are tried in longer ones. */
    private static final int CUTS = 50;

    private final GatewayConfig config = new Settings().build();

    static java.util.stream.Stream<HostileRow> rows() {
        return HostileRows.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    @DisplayName("RFC 9112 §11.2 what bytes mean does not depend on how they were split")
    void splitsChangeNothing(HostileRow row) {
        byte[] bytes = row.withCanary().getBytes(ISO_8859_1);

        List<String> whole = DecoderTrace.of(config, bytes);

        int[] everywhere = IntStream.range(1, bytes.length).toArray();
        assertThat(DecoderTrace.of(config, bytes, everywhere)).isEqualTo(whole);
        int step = bytes.length <= CUT_EVERYWHERE ? 1 : bytes.length / CUTS;
        for (int cut = 1; cut < bytes.length; cut += step) {
            assertThat(DecoderTrace.of(config, bytes, cut)).as("cut at %d", cut).isEqualTo(whole);
        }
        String end = whole.get(whole.size() - 1);
        assertThat(end).isEqualTo(row.refusal() == null ? "END" : "REFUSED " + row.refusal());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    @DisplayName("RFC 3986 a path and a query that were let through make a URI that says the same")
    void targetsAreUris(HostileRow row) {
        RequestDecoder decoder = new RequestDecoder("http");
        decoder.begin(config);
        ByteBuf in = Unpooled.wrappedBuffer(row.withCanary().getBytes(ISO_8859_1));
        if (decoder.next(in) != RequestDecoder.Event.HEAD
                || decoder.head().path().equals("*")) {
            return;
        }
        RequestHead head = decoder.head();
        String query = head.query().map(text -> "?" + text).orElse("");

        URI uri = URI.create("http://g" + head.path() + query);

        assertThat(uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()))
                .isEqualTo(head.path() + query);
    }

    @Test
    @DisplayName("RFC 9112 §2.2 a line without end is refused once the limit is read, whatever comes")
    void memoryIsBounded() {
        RequestDecoder decoder = new RequestDecoder("http");
        decoder.begin(config);
        decoder.next(Unpooled.copiedBuffer("GET /e HTTP/1.1\r\nHost: g\r\nX: ", ISO_8859_1));
        byte[] piece = new byte[1024];
        java.util.Arrays.fill(piece, (byte) 'x');
        int taken = 0;

        RequestDecoder.Event event = RequestDecoder.Event.MORE;
        while (event == RequestDecoder.Event.MORE) {
            ByteBuf in = Unpooled.wrappedBuffer(piece);
            event = decoder.next(in);
            taken += piece.length - in.readableBytes();
        }

        assertThat(event).isEqualTo(RequestDecoder.Event.REFUSED);
        assertThat(decoder.refusal()).isEqualTo(Refusal.HEAD_TOO_LARGE);
        assertThat(taken).isLessThanOrEqualTo(config.inbound().maxHeadBytes() + 1);
    }

    @Test
    @DisplayName("RFC 3986 §6.2.2 an encoded slash is passed on where that was chosen, but hides no dots")
    void encodedSlashesAreKeptByChoice() {
        Settings keeping = new Settings();
        keeping.keepEncodedSlash = true;

        assertThat(path(keeping, "/a%2fb")).isEqualTo("/a%2Fb");
        assertThat(path(keeping, "/a/..%2fb")).isEqualTo("REFUSED PATH");
        assertThat(path(keeping, "/a/b%2f..%2fc")).isEqualTo("REFUSED PATH");
        assertThat(path(keeping, "/a%5cb")).isEqualTo("REFUSED PATH");
    }

    private static String path(Settings settings, String path) {
        RequestDecoder decoder = new RequestDecoder("http");
        decoder.begin(settings.build());
        RequestDecoder.Event event =
                decoder.next(Unpooled.copiedBuffer("GET " + path + " HTTP/1.1\r\nHost: g\r\n\r\n", ISO_8859_1));
        return event == RequestDecoder.Event.HEAD ? decoder.head().path() : "REFUSED " + decoder.refusal();
    }

    @Test
    @DisplayName("a head that equals the one before is the same, until the configuration is another")
    void equalHeadsAreRemembered() {
        RequestDecoder decoder = new RequestDecoder("http");
        RequestHead first = head(decoder, config, HostileRow.CANARY);

        assertThat(head(decoder, config, HostileRow.CANARY)).isSameAs(first);
        assertThat(head(decoder, new Settings().build(), HostileRow.CANARY)).isNotSameAs(first);
        assertThat(head(decoder, config, HostileRow.CANARY.replace("canary", "cAnary"))
                        .path())
                .isEqualTo("/cAnary");
    }

    private static RequestHead head(RequestDecoder decoder, GatewayConfig config, String text) {
        decoder.begin(config);
        assertThat(decoder.next(Unpooled.copiedBuffer(text, ISO_8859_1))).isEqualTo(RequestDecoder.Event.HEAD);
        return decoder.head();
    }

    @Test
    @DisplayName("RFC 9112 §9.3, §7.6.1, §10.1.4 what a head says of its connection")
    void whatIsSaidOfTheConnection() {
        RequestDecoder decoder = new RequestDecoder("http");

        RequestHead plain = head(decoder, config, "GET / HTTP/1.1\r\nHost: G.\r\n\r\n");
        RequestHead closing = head(decoder, config, "GET / HTTP/1.1\r\nHost: g\r\nConnection: X-A, ,Close\r\n\r\n");
        RequestHead old = head(decoder, config, "GET / HTTP/1.0\r\n\r\n");
        RequestHead kept =
                head(decoder, config, "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\nTE: gzip, trailers\r\n\r\n");

        assertThat(plain.persists()).isTrue();
        assertThat(plain.authority()).isEqualTo("g.");
        assertThat(plain.host()).isEqualTo("g");
        assertThat(closing.persists()).isFalse();
        assertThat(closing.connectionOptions()).containsExactly("x-a", "close");
        assertThat(old.persists()).isFalse();
        assertThat(kept.persists()).isTrue();
        assertThat(kept.takesTrailers()).isTrue();
    }

    @Test
    @DisplayName("what was understood of a refused head is told, and nothing more")
    void refusedHeadsTellWhatWasUnderstood() {
        RequestDecoder decoder = new RequestDecoder("http");
        decoder.begin(config);

        decoder.next(
                Unpooled.copiedBuffer("POST /a?b HTTP/1.1\r\nHost: g\r\nX-Request-Id: 7\r\nA B: 1\r\n", ISO_8859_1));

        RequestHead partial = decoder.partialHead();
        assertThat(partial.method()).isEqualTo("POST");
        assertThat(partial.target()).isEqualTo("/a?b");
        assertThat(partial.host()).isEqualTo("g");
        assertThat(partial.headers().first("X-Request-Id")).contains("7");
    }
}
