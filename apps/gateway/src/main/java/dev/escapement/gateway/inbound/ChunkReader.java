package dev.escapement.gateway.inbound;

import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads the chunked coding (RFC 9112 §7.1) byte by byte between the data of its chunks.
 *
 * <p>Strict: sizes are 1 to 15 hexadecimal digits and less than 2 GiB, every line ends with CR LF, quotes in an extension are closed on its line, nothing but
 * CR LF follows a chunk's data. Extensions mean nothing to anybody and are read past; they are bounded by the line and by the sum,
 * since a hundred thousand one-byte chunks with a long extension each are an attack. Confined to its connection's loop.
 */
final class ChunkReader {

    /** The longest extension of one chunk. */
    static final int MAX_EXTENSION_BYTES = 1024;

    /** What all extensions of a body may be together, besides a tenth of its data. */
    static final int EXTENSION_ALLOWANCE_BYTES = 16 * 1024;

    private static final int MAX_SIZE_DIGITS = 15;

    /** Larger chunks are no reader's that counts in 32 bits. */
    private static final long MAX_SIZE = Integer.MAX_VALUE;

    private enum State {
        SIZE_START,
        SIZE,
        EXTENSION,
        QUOTED,
        QUOTED_PAIR,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILERS,
        END
    }

    private final TrailerReader trailers = new TrailerReader();

    private State state = State.SIZE_START;
    private long size;
    private int digits;
    private long dataBytes;
    private int extensionBytes;
    private long allExtensionBytes;

    /** Begins a body, with these bounds on its trailers. */
    void reset(int maxTrailerBytes, int maxFields) {
        state = State.SIZE_START;
        size = 0;
        dataBytes = 0;
        allExtensionBytes = 0;
        trailers.reset(maxTrailerBytes, maxFields);
    }

    /** How many bytes of data the present chunk still has; 0 between chunks. */
    long remaining() {
        return state == State.DATA ? size : 0;
    }

    boolean isEnded() {
        return state == State.END;
    }

    /** Tells that so many bytes of data were taken. */
    void took(int bytes) {
        size -= bytes;
        dataBytes += bytes;
        if (size == 0) {
            state = State.DATA_CR;
        }
    }

    /** What may be told of the fields after the last chunk. */
    Headers trailers() {
        return trailers.fields();
    }

    /** Reads framing up to the next data, the end, or the end of the input; says why it is refused, or null. */
    @Nullable
    Refusal read(ByteBuf in) {
        while (state != State.DATA && state != State.END && in.isReadable()) {
            if (state == State.TRAILERS) {
                Refusal refusal = trailers.read(in);
                if (refusal != null) {
                    return refusal;
                }
                state = trailers.isEnded() ? State.END : State.TRAILERS;
            } else if (!accepts(in.readByte())) {
                return Refusal.CHUNK;
            }
        }
        return null;
    }

    private boolean accepts(byte b) {
        return switch (state) {
            case SIZE_START, SIZE -> size(b);
            case EXTENSION, QUOTED, QUOTED_PAIR -> extension(b);
            case SIZE_LF -> expect('\n', b, size > 0 ? State.DATA : State.TRAILERS);
            case DATA_CR -> expect('\r', b, State.DATA_LF);
            case DATA_LF -> expect('\n', b, State.SIZE_START);
            case DATA, TRAILERS, END -> throw new IllegalStateException("no framing comes in " + state);
        };
    }

    private boolean size(byte b) {
        int digit = Syntax.hex(b);
        if (digit >= 0) {
            boolean first = state == State.SIZE_START;
            size = first ? digit : size << 4 | digit;
            digits = first ? 1 : digits + 1;
            state = State.SIZE;
            return digits <= MAX_SIZE_DIGITS && size <= MAX_SIZE;
        }
        if (state == State.SIZE && b == ';') {
            extensionBytes = 0;
            state = State.EXTENSION;
            return true;
        }
        return state == State.SIZE && expect('\r', b, State.SIZE_LF);
    }

    private boolean extension(byte b) {
        if (b == '\r' && state == State.EXTENSION) {
            state = State.SIZE_LF;
            return true;
        }
        if (Syntax.isControl(b)) {
            return false;
        }
        state = switch (state) {
            case EXTENSION -> b == '"' ? State.QUOTED : State.EXTENSION;
            case QUOTED -> b == '"' ? State.EXTENSION : b == '\\' ? State.QUOTED_PAIR : State.QUOTED;
            default -> State.QUOTED;
        };
        extensionBytes++;
        allExtensionBytes++;
        return extensionBytes <= MAX_EXTENSION_BYTES && allExtensionBytes <= EXTENSION_ALLOWANCE_BYTES + dataBytes / 10;
    }

    private boolean expect(char expected, byte b, State next) {
        state = next;
        return b == expected;
    }
}
