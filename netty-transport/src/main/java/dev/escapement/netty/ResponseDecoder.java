package dev.escapement.netty;

import dev.escapement.http.Body;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads one response at a time from a connection: bytes in, one {@link Event} out. Knows nothing of sockets, time or pools.
 *
 * <p>It is told the method of the request it answers, skips interim answers up to a bound, decides the framing in the
 * order of RFC 9112 §6.3, and gathers the body up to a bound. After {@link Event#COMPLETE} whatever is left in the input
 * is surplus; after a fault nothing more can be read. The text of the fault never quotes the message.
 *
 * <p>Own code rather than Netty's decoder: that one drops Content-Length beside chunked without a sign, swallows everything
 * after a fault, and was the home of six smuggling faults in eighteen months. The tests compare the two.
 * Confined to the connection's event loop.
 */
final class ResponseDecoder {

    enum Event {
        MORE,
        COMPLETE,
        MALFORMED,
        TOO_LARGE,
        TOO_MANY_INTERIM
    }

    private enum State {
        HEAD,
        FIXED,
        CHUNKED,
        UNTIL_CLOSE,
        DONE
    }

    private final int maxHeadBytes;
    private final int maxBodyBytes;
    private final int maxInterim;
    private final HeadBytes headBytes;
    private final ChunkedFraming chunks;
    private final BodyBytes body = new BodyBytes();

    private State state = State.DONE;
    private boolean headRequest;
    private int interim;
    private int interimBytes;
    private @Nullable ResponseHead head;
    private String fault = "";

    ResponseDecoder(int maxHeadBytes, int maxBodyBytes, int maxInterim) {
        this.maxHeadBytes = maxHeadBytes;
        this.maxBodyBytes = maxBodyBytes;
        this.maxInterim = maxInterim;
        headBytes = new HeadBytes(maxHeadBytes);
        chunks = new ChunkedFraming(maxHeadBytes);
    }

    /** Expects the answer to one request. */
    void begin(boolean answersHead) {
        state = State.HEAD;
        headRequest = answersHead;
        interim = 0;
        interimBytes = 0;
        head = null;
        fault = "";
        headBytes.reset();
        body.reset();
    }

    /** Reads until the response is whole, something is wrong, or the input is used up. */
    Event read(ByteBuf in) {
        while (state == State.HEAD && in.isReadable()) {
            Event event = readHead(in);
            if (event != Event.MORE) {
                return event;
            }
        }
        return switch (state) {
            case HEAD -> Event.MORE;
            case FIXED -> readFixed(in);
            case CHUNKED -> readChunked(in);
            case UNTIL_CLOSE -> readUntilClose(in);
            case DONE -> Event.COMPLETE;
        };
    }

    /**
     * The peer sends no more.
     *
     * @param orderly whether it said so, rather than the connection breaking (RFC 9112 §8, §9.8)
     * @return {@code COMPLETE} if the end of the connection is the end of the response, else {@code MORE}
     */
    Event end(boolean orderly) {
        return state == State.DONE || (state == State.UNTIL_CLOSE && orderly) ? done() : Event.MORE;
    }

    /** Whether any byte of the final response has arrived. */
    boolean finalAnswerBegun() {
        return head != null || headBytes.length() > 0;
    }

    /** Whether the end of the connection is what ends this response. */
    boolean endsWithConnection() {
        return state == State.UNTIL_CLOSE;
    }

    /** The head of the final response, once it has been read. */
    @Nullable
    ResponseHead head() {
        return head;
    }

    /** The body of a complete response. Once. */
    Body takeBody() {
        return body.take();
    }

    /** What was wrong, after a fault. */
    String fault() {
        return fault;
    }

    private Event readHead(ByteBuf in) {
        return switch (headBytes.take(in)) {
            case MORE -> Event.MORE;
            case MALFORMED -> malformed("bytes that are no head of HTTP/1");
            case TOO_LARGE -> tooLarge("a head of more than " + maxHeadBytes + " bytes");
            case WHOLE -> headRead(headBytes.parsed());
        };
    }

    private Event headRead(ResponseHead parsed) {
        if (parsed.fault != null) {
            return malformed(parsed.fault);
        }
        if (!parsed.isInterim()) {
            head = parsed;
            return frame(parsed);
        }
        interim++;
        interimBytes += headBytes.length();
        headBytes.reset();
        if (interim > maxInterim || interimBytes > maxHeadBytes) {
            fault = interim + " interim answers of " + interimBytes + " bytes";
            return Event.TOO_MANY_INTERIM;
        }
        return Event.MORE;
    }

    /** The message body length of RFC 9112 §6.3. */
    private Event frame(ResponseHead parsed) {
        if (headRequest || parsed.isBodiless()) {
            return done();
        }
        if (parsed.chunked) {
            chunks.reset();
            state = State.CHUNKED;
        } else if (parsed.contentLength == ResponseHead.NO_LENGTH) {
            state = State.UNTIL_CLOSE;
        } else if (parsed.contentLength > maxBodyBytes) {
            return tooLarge("a body of " + parsed.contentLength + " bytes, more than " + maxBodyBytes);
        } else if (parsed.contentLength == 0) {
            return done();
        } else {
            state = State.FIXED;
        }
        return Event.MORE;
    }

    private Event readFixed(ByteBuf in) {
        int expected = (int) knownHead().contentLength;
        body.append(in, Math.min(in.readableBytes(), expected - body.length()), expected);
        return body.length() == expected ? done() : Event.MORE;
    }

    private Event readUntilClose(ByteBuf in) {
        if (in.readableBytes() > maxBodyBytes - body.length()) {
            return tooLarge("a body of more than " + maxBodyBytes + " bytes");
        }
        body.append(in, in.readableBytes(), maxBodyBytes);
        return Event.MORE;
    }

    private Event readChunked(ByteBuf in) {
        ChunkedFraming.Result framing = chunks.read(in);
        while (framing == ChunkedFraming.Result.DATA) {
            if (chunks.remaining() > maxBodyBytes - body.length()) {
                return tooLarge("a body of more than " + maxBodyBytes + " bytes");
            }
            int count = (int) Math.min(chunks.remaining(), in.readableBytes());
            if (count == 0) {
                return Event.MORE;
            }
            body.append(in, count, maxBodyBytes);
            chunks.took(count);
            framing = chunks.read(in);
        }
        return switch (framing) {
            case MORE, DATA -> Event.MORE;
            case END -> done();
            case MALFORMED -> malformed("a faulty chunk");
            case TOO_LARGE -> tooLarge("a chunk or trailer line beyond its bound");
        };
    }

    private ResponseHead knownHead() {
        ResponseHead known = head;
        if (known == null) {
            throw new IllegalStateException("a body before its head");
        }
        return known;
    }

    private Event done() {
        state = State.DONE;
        return Event.COMPLETE;
    }

    private Event malformed(String what) {
        fault = what;
        return Event.MALFORMED;
    }

    private Event tooLarge(String what) {
        fault = what;
        return Event.TOO_LARGE;
    }
}
