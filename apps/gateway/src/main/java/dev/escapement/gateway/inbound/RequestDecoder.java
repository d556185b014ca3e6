package dev.escapement.gateway.inbound;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads one request after the other from a connection: bytes in, one {@link Event} after the other out. Knows nothing of sockets and time,
 * and keeps nothing of a body.
 *
 * <pre>
 *   (HEAD  (DATA)*  END)*        MORE at any point; REFUSED at any point, and nothing after it
 * </pre>
 *
 * What is decided depends on the bytes alone, not on how they were split, and no byte is looked at twice. Own code rather than Netty's
 * decoder, which mends or passes much that two readers understand in two ways. Confined to its connection's loop.
 *
 * <p>Clients repeat themselves: a head that equals the one before, byte for byte, is the same {@link RequestHead}, and costs one comparison.
 */
final class RequestDecoder implements HeadLines.Sink {

    enum Event {
        /** The input is used up. */
        MORE,
        /** A head, in {@link #head}. */
        HEAD,
        /** The next {@link #dataBytes} bytes of the input are of the body: whoever takes some of them tells {@link #took}. */
        DATA,
        /** The request is whole. The next one begins with {@link #begin}. */
        END,
        /** Nothing more is read; see {@link #refusal}. */
        REFUSED
    }

    private enum State {
        HEAD,
        FIXED,
        CHUNKED,
        DONE,
        REFUSED
    }

    /** Longer heads are not remembered: there may be many connections. */
    private static final int REMEMBERED_BYTES = 2048;

    private static final byte[] NOTHING = {};

    private final String scheme;
    private final HeadLines lines = new HeadLines();
    private final ChunkReader chunks = new ChunkReader();

    private @Nullable GatewayConfig config;
    private State state = State.DONE;

    // The head at hand.
    private boolean blankLine;
    private boolean blankReturned;
    private RequestLine line = RequestLine.UNKNOWN;
    private @Nullable RequestTarget target;
    private @Nullable HeadFields fields;
    private @Nullable RequestHead head;
    private @Nullable Refusal refusal;

    // The last head, and what it was read by.
    private byte[] lastBytes = NOTHING;
    private int lastLength;
    private @Nullable RequestHead lastHead;
    private @Nullable GatewayConfig lastConfig;

    // The body at hand.
    private long bodyBytes;
    private int dataBytes;

    /** For a connection over which that scheme is spoken. */
    RequestDecoder(String scheme) {
        this.scheme = scheme;
    }

    /** Expects a request, under these limits. */
    void begin(GatewayConfig limits) {
        config = limits;
        state = State.HEAD;
        blankLine = false;
        blankReturned = false;
        line = RequestLine.UNKNOWN;
        target = null;
        fields = null;
        head = null;
        bodyBytes = 0;
        lines.reset(limits.inbound().maxHeadBytes(), limits.inbound().maxRequestLineBytes());
    }

    /** Reads up to the next event. */
    Event next(ByteBuf in) {
        return switch (state) {
            case HEAD -> readHead(in);
            case FIXED -> readFixed(in);
            case CHUNKED -> readChunked(in);
            case DONE -> Event.END;
            case REFUSED -> Event.REFUSED;
        };
    }

    /** Whether a byte of a head has come; the empty line that may precede it is none. */
    boolean isHeadBegun() {
        return lines.length() > 0;
    }

    /** Whether the body of the request at hand is still to be read, or part of it. */
    boolean isInBody() {
        return state == State.FIXED || state == State.CHUNKED;
    }

    /** The head that was read. */
    RequestHead head() {
        RequestHead read = head;
        if (read == null) {
            throw new IllegalStateException("no head has been read");
        }
        return read;
    }

    /** What is known of a head that is not whole, or was refused. */
    RequestHead partialHead() {
        RequestLine known = line;
        if (known == RequestLine.UNKNOWN && lines.lineStart() == 0) {
            known = RequestLine.unfinished(lines.bytes(), 0, lines.length());
        }
        return RequestHead.refused(known, target, fields);
    }

    /** How many bytes of the body come next in the input. */
    int dataBytes() {
        return dataBytes;
    }

    /** Tells that so many of them were taken. */
    void took(int bytes) {
        bodyBytes += bytes;
        if (state == State.CHUNKED) {
            chunks.took(bytes);
        } else {
            state = bodyBytes == head().contentLength() ? State.DONE : state;
        }
    }

    /** How many bytes of the body were taken. */
    long bodyBytes() {
        return bodyBytes;
    }

    /** How many are still to come, as far as has been announced: by the head, or of the chunk at hand. */
    long bytesToCome() {
        return switch (state) {
            case FIXED -> head().contentLength() - bodyBytes;
            case CHUNKED -> chunks.remaining();
            case HEAD, DONE, REFUSED -> 0;
        };
    }

    /** The fields behind the body of a whole request. */
    Headers trailers() {
        return head().isChunked() ? chunks.trailers() : Headers.empty();
    }

    /** Why nothing more is read. */
    Refusal refusal() {
        Refusal why = refusal;
        if (why == null) {
            throw new IllegalStateException("nothing was refused");
        }
        return why;
    }

    private GatewayConfig config() {
        GatewayConfig given = config;
        if (given == null) {
            throw new IllegalStateException("no request is expected");
        }
        return given;
    }

    private Event refuse(Refusal why) {
        state = State.REFUSED;
        refusal = why;
        return Event.REFUSED;
    }

    // The head.

    private Event readHead(ByteBuf in) {
        if (lines.length() == 0) {
            Refusal why = skipBlankLine(in);
            if (why != null) {
                return refuse(why);
            }
            if (!in.isReadable()) {
                return Event.MORE;
            }
            RequestHead last = lastHead;
            if (last != null && isNextInput(in)) {
                in.skipBytes(lastLength);
                return headRead(last);
            }
            if (!Syntax.isToken(in.getByte(in.readerIndex()))) {
                return refuse(Refusal.LINE);
            }
        }
        Refusal why = lines.take(in, this);
        if (why != null) {
            return refuse(why);
        }
        return lines.isEnded() ? headEnded() : Event.MORE;
    }

    /** One empty line before a head is not there (RFC 9112 §2.2); a second one is no head. */
    private @Nullable Refusal skipBlankLine(ByteBuf in) {
        while (!blankLine && in.isReadable()) {
            byte b = in.getByte(in.readerIndex());
            if (!blankReturned && b != '\r') {
                return null;
            }
            in.skipBytes(1);
            if (blankReturned && b != '\n') {
                return Refusal.LINE;
            }
            blankLine = blankReturned;
            blankReturned = true;
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // another configuration reads anew, even if it says the same
    private boolean isNextInput(ByteBuf in) {
        return lastConfig == config && in.readableBytes() >= lastLength && lines.isAhead(in, lastBytes, lastLength);
    }

    @Override
    public @Nullable Refusal line(byte[] bytes, int from, int to) {
        HeadFields begun = fields;
        return begun == null ? requestLine(bytes, from, to) : begun.add(bytes, from, to);
    }

    private @Nullable Refusal requestLine(byte[] bytes, int from, int to) {
        RequestLine parsed = RequestLine.parse(bytes, from, to);
        line = parsed;
        if (parsed.refusal != null) {
            return parsed.refusal;
        }
        boolean keepsSlash = config().headers().keepEncodedSlash();
        RequestTarget found = RequestTarget.parse(parsed.method, parsed.target, scheme, keepsSlash);
        target = found;
        fields = new HeadFields(config().inbound().maxFields(), parsed.minorVersion == 0);
        return found.refusal();
    }

    @Override
    public Refusal tooLong(byte[] bytes, int from, int to) {
        line = RequestLine.unfinished(bytes, from, to);
        // A line without a target is no long target.
        return line.target.equals("-") ? Refusal.HEAD_TOO_LARGE : Refusal.TARGET_TOO_LONG;
    }

    private Event headEnded() {
        HeadFields read = fields;
        RequestTarget found = target;
        if (read == null || found == null) {
            throw new IllegalStateException("a head without a first line has ended");
        }
        Refusal why = read.contradiction();
        if (why != null) {
            return refuse(why);
        }
        RequestHead whole = RequestHead.of(line, found, read);
        remember(whole);
        return headRead(whole);
    }

    private void remember(RequestHead whole) {
        if (lines.length() > REMEMBERED_BYTES) {
            lastHead = null;
            lastBytes = NOTHING;
            return;
        }
        lastBytes = lines.length() <= lastBytes.length ? lastBytes : new byte[lines.length()];
        System.arraycopy(lines.bytes(), 0, lastBytes, 0, lines.length());
        lastLength = lines.length();
        lastHead = whole;
        lastConfig = config;
    }

    private Event headRead(RequestHead read) {
        head = read;
        if (read.isChunked()) {
            chunks.reset(config().inbound().maxHeadBytes(), config().inbound().maxFields());
            state = State.CHUNKED;
        } else {
            state = read.contentLength() == 0 ? State.DONE : State.FIXED;
        }
        return Event.HEAD;
    }

    // The body.

    private Event readFixed(ByteBuf in) {
        return data(in, bytesToCome());
    }

    private Event readChunked(ByteBuf in) {
        Refusal why = chunks.read(in);
        if (why != null) {
            return refuse(why);
        }
        if (chunks.isEnded()) {
            state = State.DONE;
            return Event.END;
        }
        return data(in, chunks.remaining());
    }

    private Event data(ByteBuf in, long announced) {
        dataBytes = (int) Math.min(announced, in.readableBytes());
        return dataBytes == 0 ? Event.MORE : Event.DATA;
    }
}
