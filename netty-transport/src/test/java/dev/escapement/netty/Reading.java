package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.netty.ResponseDecoder.Event;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** A decoder whose events up to the next pause are gathered: what a test feeds with bytes and asks what came of them. */
final class Reading {

    final ResponseDecoder decoder;
    final List<Integer> interims = new ArrayList<>();
    private final StringBuilder body = new StringBuilder();

    Reading(int maxHeadBytes, int maxInterim) {
        decoder = new ResponseDecoder(maxHeadBytes, maxInterim);
    }

    Reading begin(boolean answersHead, long maxBodyBytes) {
        decoder.begin(answersHead, maxBodyBytes);
        interims.clear();
        body.setLength(0);
        return this;
    }

    /** Reads up to the input's end, the response's, or a fault. */
    Event feed(ByteBuf in) {
        while (true) {
            Event event = decoder.next(in);
            switch (event) {
                case HEAD -> {}
                case INTERIM -> interims.add(decoder.interim().status);
                case DATA -> body.append(in.readCharSequence(decoder.dataBytes(), ISO_8859_1));
                case MORE, END, MALFORMED, TOO_LARGE, TOO_MANY_INTERIM -> {
                    return event;
                }
            }
        }
    }

    /** The body so far, in Latin-1. */
    String body() {
        return body.toString();
    }
}
