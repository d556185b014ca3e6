package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Headers;
import dev.escapement.netty.ResponseDecoder.Event;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Our decoder beside Netty's on random messages, good and broken: whatever ours takes, Netty's reads the same way. Ours may
 * refuse more.
 */
@ExtendWith(LeakWatch.class)
class DecoderComparisonTest {

    private static final long SEED = 42;
    private static final int MESSAGES = 20_000;

    private static final List<String> FIELDS = List.of(
            "A: 1",
            "b:  two words ",
            "Content-Length: 5",
            "Content-Length: 0",
            "content-length: 05",
            "Transfer-Encoding: chunked",
            "TRANSFER-ENCODING: CHUNKED",
            "Connection: close",
            "X: \u00fc",
            "A: 2",
            "Content-Type: text/plain; q=\"x\"",
            "E:");
    private static final List<String> BODIES = List.of(
            "",
            "hello",
            "5\r\nhello\r\n0\r\n\r\n",
            "1\r\nh\r\n4;x=y\r\nello\r\n0\r\nT: 1\r\n\r\n",
            "0\r\n\r\n",
            "hell",
            "5\r\nhel");

    @Test
    @DisplayName("E6 a message that is accepted reads as Netty reads it")
    void acceptedMessagesReadTheSame() {
        SplittableRandom random = new SplittableRandom(SEED);
        int accepted = 0;
        for (int i = 0; i < MESSAGES; i++) {
            String bytes = message(random);
            String ours = ours(bytes, random);
            if (ours != null) {
                accepted++;
                assertThat(ours).as("seed %d, message %d: %s", SEED, i, bytes).isEqualTo(netty(bytes));
            }
        }
        // Both ends of the comparison were exercised.
        assertThat(accepted).isBetween(MESSAGES / 20, MESSAGES * 19 / 20);
    }

    private static String message(SplittableRandom random) {
        StringBuilder bytes = new StringBuilder();
        bytes.append(random.nextInt(8) == 0 ? "HTTP/1.0 " : "HTTP/1.1 ");
        bytes.append(pick(List.of("200 OK", "200 ", "404 Not Found", "204 No Content", "304 x", "503 \u00fc"), random));
        bytes.append("\r\n");
        for (int i = random.nextInt(5); i > 0; i--) {
            bytes.append(pick(FIELDS, random)).append("\r\n");
        }
        bytes.append("\r\n").append(pick(BODIES, random));
        if (random.nextInt(4) == 0) {
            int at = random.nextInt(bytes.length());
            bytes.setCharAt(at, "\r\n :;\u0000x0".charAt(random.nextInt(8)));
        }
        return bytes.toString();
    }

    private static String pick(List<String> from, SplittableRandom random) {
        return from.get(random.nextInt(from.size()));
    }

    /** What ours makes of it, in pieces of random length, or null if it takes no whole response from it. */
    private static String ours(String bytes, SplittableRandom random) {
        Reading reading = new Reading(8192, 8).begin(false, 8192);
        ByteBuf in = Unpooled.buffer();
        Event event = Event.MORE;
        for (int at = 0; at < bytes.length() && event == Event.MORE; ) {
            int count = Math.min(bytes.length() - at, 1 + random.nextInt(20));
            in.writeCharSequence(bytes.substring(at, at + count), ISO_8859_1);
            at += count;
            event = reading.feed(in);
        }
        if (event == Event.MORE) {
            event = reading.decoder.end(true);
        }
        if (event != Event.END) {
            return null;
        }
        ResponseHead head = reading.decoder.head();
        List<String> lines = new ArrayList<>();
        Headers headers = head.headers;
        for (int i = 0; i < headers.count(); i++) {
            addUnlessCoding(lines, headers.nameAt(i), headers.valueAt(i));
        }
        return head.status + " " + lines + " " + reading.body();
    }

    /** Netty drops the coding from the heads of messages without a body. */
    private static void addUnlessCoding(List<String> lines, String name, String value) {
        if (!name.equalsIgnoreCase("Transfer-Encoding")) {
            lines.add(name + "=" + value);
        }
    }

    private static String netty(String bytes) {
        EmbeddedChannel channel =
                new EmbeddedChannel(new HttpResponseDecoder(new HttpDecoderConfig().setStrictLineParsing(true)));
        channel.writeInbound(Unpooled.copiedBuffer(bytes, ISO_8859_1));
        channel.finish();
        String head = "nothing";
        StringBuilder body = new StringBuilder();
        boolean whole = false;
        for (Object part = channel.readInbound(); part != null; part = channel.readInbound()) {
            if (!whole
                    && part instanceof HttpObject object
                    && object.decoderResult().isFailure()) {
                head = "refused";
            } else if (!whole && part instanceof HttpResponse response) {
                List<String> lines = new ArrayList<>();
                response.headers().forEach(field -> addUnlessCoding(lines, field.getKey(), field.getValue()));
                head = response.status().code() + " " + lines + " ";
            } else if (!whole && part instanceof HttpContent content) {
                body.append(content.content().toString(ISO_8859_1));
                whole = part instanceof LastHttpContent;
            }
            ReferenceCountUtil.release(part);
        }
        return head + body;
    }
}
