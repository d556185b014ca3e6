package dev.escapement.netty;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads one response at a time from a connection: bytes in, one {@link Event} after the other out. Knows nothing of sockets, time or
 * pools, and keeps nothing of a body.
 *
 * <p>It is told the method of the request it answers, offers interim answers up to a bound, decides the framing in the order of
 * RFC 9112 §6.3, and says which of the input's bytes are data, up to a bound. After {@link Event#END} whatever is left
 * in the input is surplus; after a fault nothing more can be read. The text of the fault never quotes the message.
 *
 * <pre>
 *   (INTERIM)*  HEAD  (DATA)*  END        MORE or a fault at any point
 * </pre>
 *
 * Own code rather than Netty's decoder: that one drops Content-Length beside chunked without a sign, swallows everything
 * after a fault, and was the home of six smuggling faults in eighteen months. The tests compare the two.
 * Confined to the connection's event loop.
 */
final class ResponseDecoder {

    enum Event {
        /** The input is used up. */
        MORE,
        /** An interim answer, in {@link #interim()}. */
        INTERIM,
        /** The final answer's head, in {@link #head()}. Its framing is decided. */
        HEAD,
        /** The next {@link #dataBytes()} bytes of the input are data: whoever reads on has taken exactly those. */
        DATA,
        /** The response is whole; trailers are in {@link #trailers()}. */
        END,
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
    private final int maxInterim;
    private final HeadBytes headBytes;
    private final ChunkedFraming chunks;

    private State state = State.DONE;
    private boolean headRequest;
    private long maxBodyBytes;
    private int interimCount;
    private int interimBytes;
    private boolean contradicted;
    private @Nullable ResponseHead interim;
    private @Nullable ResponseHead head;
    private long bodyBytes;
    private int dataBytes;
    private String fault = "";

    ResponseDecoder(int maxHeadBytes, int maxInterim) {
        this.maxHeadBytes = maxHeadBytes;
        this.maxInterim = maxInterim;
        headBytes = new HeadBytes(maxHeadBytes);
        chunks = new ChunkedFraming(maxHeadBytes);
    }

    /** Expects the answer to one request, with a body up to that bound. */
    void begin(boolean answersHead, long maxBodyBytes) {
        this.maxBodyBytes = maxBodyBytes;
        state = State.HEAD;
        headRequest = answersHead;
        interimCount = 0;
        interimBytes = 0;
        contradicted = false;
        interim = null;
        head = null;
        bodyBytes = 0;
        fault = "";
        headBytes.reset();
        chunks.reset();
    }

    /** Reads up to the next event. */
    Event next(ByteBuf in) {
        return switch (state) {
            case HEAD -> readHead(in);
            case FIXED -> readFixed(in);
            case CHUNKED -> readChunked(in);
            case UNTIL_CLOSE -> data(in, in.readableBytes());
            case DONE -> Event.END;
        };
    }

    /**
     * The peer sends no more.
     *
     * @param orderly whether it said so, rather than the connection breaking (RFC 9112 §8, §9.8)
     * @return {@code END} if the end of the connection is the end of the response, else {@code MORE}
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

    /** Whether any head so far framed content where there never is any. */
    boolean isContradicted() {
        return contradicted;
    }

    /** The last interim answer. */
    ResponseHead interim() {
        return known(interim);
    }

    /** The head of the final response. */
    ResponseHead head() {
        return known(head);
    }

    /** How many bytes of data come next in the input. */
    int dataBytes() {
        return dataBytes;
    }

    /** How long the body is by its head, or {@link Body#UNKNOWN_LENGTH} where only its end will tell. */
    long bodyLength() {
        return switch (state) {
            case FIXED -> head().contentLength;
            case CHUNKED, UNTIL_CLOSE -> Body.UNKNOWN_LENGTH;
            case HEAD, DONE -> 0;
        };
    }

    /** How many bytes of the body are still to come, by its head; as many as can be, where only its end will tell. */
    long bytesToCome() {
        return switch (state) {
            case FIXED -> head().contentLength - bodyBytes;
            case CHUNKED, UNTIL_CLOSE -> Long.MAX_VALUE;
            case HEAD, DONE -> 0;
        };
    }

    /** How long the body can become: its own length where the head says it, else the bound. */
    long mostBytes() {
        return state == State.FIXED ? head().contentLength : maxBodyBytes;
    }

    /** The fields behind the body of a whole response. */
    Headers trailers() {
        return chunks.trailers();
    }

    /** What was wrong, after a fault. */
    String fault() {
        return fault;
    }

    private Event readHead(ByteBuf in) {
        if (!in.isReadable()) {
            return Event.MORE;
        }
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
        contradicted |= parsed.framesContentInVain();
        if (!parsed.isInterim()) {
            head = parsed;
            return frame(parsed);
        }
        interimCount++;
        interimBytes += headBytes.length();
        headBytes.reset();
        if (interimCount > maxInterim || interimBytes > maxHeadBytes) {
            fault = interimCount + " interim answers of " + interimBytes + " bytes";
            return Event.TOO_MANY_INTERIM;
        }
        interim = parsed;
        return Event.INTERIM;
    }

    /** The message body length of RFC 9112 §6.3. */
    private Event frame(ResponseHead parsed) {
        if (headRequest || parsed.isBodiless() || parsed.contentLength == 0) {
            state = State.DONE;
        } else if (parsed.chunked) {
            state = State.CHUNKED;
        } else if (parsed.contentLength == ResponseHead.NO_LENGTH) {
            state = State.UNTIL_CLOSE;
        } else if (parsed.contentLength > maxBodyBytes) {
            return tooLarge("a body of " + parsed.contentLength + " bytes, more than " + maxBodyBytes);
        } else {
            state = State.FIXED;
        }
        return Event.HEAD;
    }

    private Event readFixed(ByteBuf in) {
        long left = head().contentLength - bodyBytes;
        return left == 0 ? done() : data(in, left);
    }

    private Event readChunked(ByteBuf in) {
        return switch (chunks.read(in)) {
            case MORE -> Event.MORE;
            case DATA -> {
                Event event = data(in, chunks.remaining());
                if (event == Event.DATA) {
                    chunks.took(dataBytes);
                }
                yield event;
            }
            case END -> done();
            case MALFORMED -> malformed("a faulty chunk");
            case TOO_LARGE -> tooLarge("a chunk or trailer line beyond its bound");
        };
    }

    /** As much as has arrived of the data that is announced. */
    private Event data(ByteBuf in, long announced) {
        if (announced > maxBodyBytes - bodyBytes) {
            return tooLarge("a body of more than " + maxBodyBytes + " bytes");
        }
        dataBytes = (int) Math.min(announced, in.readableBytes());
        if (dataBytes == 0) {
            return Event.MORE;
        }
        if (head().status == ResponseHead.RESET_CONTENT) {
            return malformed("content in an answer that has none");
        }
        bodyBytes += dataBytes;
        return Event.DATA;
    }

    private static ResponseHead known(@Nullable ResponseHead value) {
        if (value == null) {
            throw new IllegalStateException("no head has been read");
        }
        return value;
    }

    private Event done() {
        state = State.DONE;
        return Event.END;
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
