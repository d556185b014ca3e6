package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.gateway.config.GatewayConfig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a decoder says of some bytes, as lines that compare. */
final class DecoderTrace {

    private final RequestDecoder decoder = new RequestDecoder("http");
    private final GatewayConfig config;
    private final List<String> said = new ArrayList<>();
    private final StringBuilder body = new StringBuilder();
    private boolean refused;

    private DecoderTrace(GatewayConfig config) {
        this.config = config;
        decoder.begin(config);
    }

    /**
     * The trace of bytes that come in pieces.
     *
     * @param cuts where one piece ends and the next begins, in rising order
     */
    static List<String> of(GatewayConfig config, byte[] bytes, int... cuts) {
        DecoderTrace trace = new DecoderTrace(config);
        int from = 0;
        for (int cut : cuts) {
            trace.read(Arrays.copyOfRange(bytes, from, cut));
            from = cut;
        }
        trace.read(Arrays.copyOfRange(bytes, from, bytes.length));
        return trace.said;
    }

    private void read(byte[] piece) {
        ByteBuf in = Unpooled.wrappedBuffer(piece);
        RequestDecoder.Event event = refused ? RequestDecoder.Event.MORE : decoder.next(in);
        while (event != RequestDecoder.Event.MORE && !refused) {
            switch (event) {
                case HEAD -> said.add("HEAD " + told(decoder.head()));
                case DATA -> {
                    int count = decoder.dataBytes();
                    body.append(in.readCharSequence(count, ISO_8859_1));
                    decoder.took(count);
                }
                case END -> {
                    said.add("BODY " + body + ' ' + told(decoder.trailers()));
                    said.add("END");
                    body.setLength(0);
                    decoder.begin(config);
                }
                default -> {
                    said.add("PART " + body);
                    said.add("PARTIAL " + told(decoder.partialHead()));
                    said.add("REFUSED " + decoder.refusal());
                    refused = true;
                }
            }
            event = refused ? event : decoder.next(in);
        }
    }

    private static String told(RequestHead head) {
        return head + told(head.headers());
    }

    private static String told(dev.escapement.http.Headers fields) {
        StringBuilder told = new StringBuilder();
        for (int i = 0; i < fields.count(); i++) {
            told.append('\n').append(fields.nameAt(i)).append('=').append(fields.valueAt(i));
        }
        return told.toString();
    }
}
