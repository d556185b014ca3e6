package dev.escapement.netty;

import dev.escapement.http.Body;
import dev.escapement.http.Response;
import dev.escapement.netty.ResponseDecoder.Event;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads one response at a time from a connection: gathers its body in memory, up to a bound, or makes a stream of it. Confined to the
 * connection's event loop.
 *
 * <p>A body that is to be streamed and is all there beside its head is gathered all the same. Parts are slices of what was read from the socket,
 * without a copy; the stream owns them.
 */
final class ResponseReader {

    private final ResponseDecoder decoder;
    private final int maxBodyBytes;
    private final BodyBytes gathered = new BodyBytes();

    /** Whose response is to be streamed, or null. */
    private @Nullable Turn streamingFor;

    private @Nullable IncomingBody stream;

    ResponseReader(Settings settings) {
        this.decoder = new ResponseDecoder(settings.maxHeadBytes(), settings.maxInterimAnswers());
        this.maxBodyBytes = settings.maxBodyBytes();
    }

    ResponseDecoder decoder() {
        return decoder;
    }

    /** Expects the answer to one request. */
    void begin(boolean answersHead, @Nullable Turn streaming) {
        streamingFor = streaming;
        stream = null;
        decoder.begin(answersHead, streaming == null ? maxBodyBytes : Long.MAX_VALUE);
        gathered.reset();
    }

    /** Reads up to the head, an interim answer, the end of the response, a fault, or the end of the input. */
    Event read(ByteBuf in) {
        while (true) {
            Event event = decoder.next(in);
            if (event == Event.HEAD) {
                Turn turn = streamingFor;
                if (turn != null && decoder.bytesToCome() > in.readableBytes()) {
                    stream = turn.newBody(decoder.bodyLength());
                }
                return event;
            }
            if (event != Event.DATA) {
                return event;
            }
            IncomingBody to = stream;
            if (to != null) {
                to.offer(in.readRetainedSlice(decoder.dataBytes()));
            } else {
                gathered.append(in, decoder.dataBytes(), decoder.mostBytes());
            }
        }
    }

    /** The stream that the body has become, or null. */
    @Nullable
    IncomingBody stream() {
        return stream;
    }

    /** The response at its head. */
    Response head(Body body) {
        ResponseHead head = decoder.head();
        return Response.of(head.status, head.headers, body);
    }

    /** The whole response in memory. Once. */
    Response take() {
        IncomingBody streamed = stream;
        Body body = streamed == null ? gathered.take() : Body.of(streamed.takeAll());
        stream = null;
        return head(decoder.trailers().count() == 0 ? body : new TrailedContent(body, decoder.trailers()));
    }

    /** Lets go of what was read for nobody. */
    void discard() {
        IncomingBody streamed = stream;
        if (streamed != null) {
            streamed.discard();
            stream = null;
        }
        gathered.reset();
    }
}
