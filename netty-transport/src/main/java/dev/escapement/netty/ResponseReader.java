package dev.escapement.netty;

import dev.escapement.http.Response;
import dev.escapement.netty.ResponseDecoder.Event;
import io.netty.buffer.ByteBuf;

/**
 * Reads one response at a time from a connection and gathers its body in memory, up to a bound. Confined to the connection's
 * event loop.
 */
final class ResponseReader {

    private final ResponseDecoder decoder;
    private final int maxBodyBytes;
    private final BodyBytes gathered = new BodyBytes();

    ResponseReader(Settings settings) {
        this.decoder = new ResponseDecoder(settings.maxHeadBytes(), settings.maxInterimAnswers());
        this.maxBodyBytes = settings.maxBodyBytes();
    }

    ResponseDecoder decoder() {
        return decoder;
    }

    /** Expects the answer to one request. */
    void begin(boolean answersHead) {
        decoder.begin(answersHead, maxBodyBytes);
        gathered.reset();
    }

    /** Reads up to an interim answer, the end of the response, a fault, or the end of the input. */
    Event read(ByteBuf in) {
        while (true) {
            Event event = decoder.next(in);
            switch (event) {
                case HEAD -> {}
                case DATA -> gathered.append(in, decoder.dataBytes(), decoder.mostBytes());
                case MORE, INTERIM, END, MALFORMED, TOO_LARGE, TOO_MANY_INTERIM -> {
                    return event;
                }
            }
        }
    }

    /** The response, once it is whole. Once. */
    Response take() {
        ResponseHead head = decoder.head();
        return Response.of(head.status, head.headers, gathered.take());
    }
}
