package dev.escapement.netty;

import io.netty.buffer.ByteBuf;

/**
 * Reads the chunked coding (RFC 9112 §7.1) byte by byte between the data of its chunks.
 *
 * <p>Strict: sizes are 1 to 8 hexadecimal digits, every line ends with CR LF, and nothing but CR LF follows a chunk's data.
 * Chunk extensions and trailers are read past, each within a bound. Confined to the connection's event loop.
 */
final class ChunkedFraming {

    enum Result {
        MORE,
        /** The next {@link #remaining} bytes are data. */
        DATA,
        END,
        MALFORMED,
        TOO_LARGE
    }

    private enum State {
        SIZE_START,
        SIZE,
        EXTENSION,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILER_START,
        TRAILER,
        TRAILER_LF,
        LAST_LF
    }

    private static final int MAX_SIZE_DIGITS = 8;

    private final int maxLineBytes;

    private State state = State.SIZE_START;
    private long size;
    private int digits;

    /** Bytes of the present extension, or of all trailers. */
    private int lineBytes;

    ChunkedFraming(int maxLineBytes) {
        this.maxLineBytes = maxLineBytes;
    }

    void reset() {
        state = State.SIZE_START;
        lineBytes = 0;
    }

    /** How many bytes of data the present chunk still has. */
    long remaining() {
        return size;
    }

    /** Tells that so many bytes of data were read. */
    void took(int bytes) {
        size -= bytes;
    }

    /** Reads framing up to the next data, the end, or the end of the input. */
    Result read(ByteBuf in) {
        if (state == State.DATA && size > 0) {
            return Result.DATA;
        }
        while (in.isReadable()) {
            if (state == State.DATA) {
                state = State.DATA_CR;
            }
            byte b = in.readByte();
            switch (state) {
                case SIZE_START, SIZE -> {
                    int digit = hex(b);
                    if (digit >= 0) {
                        size = state == State.SIZE_START ? digit : (size << 4) | digit;
                        digits = state == State.SIZE_START ? 1 : digits + 1;
                        state = State.SIZE;
                        if (digits > MAX_SIZE_DIGITS) {
                            return Result.TOO_LARGE;
                        }
                    } else if (state == State.SIZE && b == '\r') {
                        state = State.SIZE_LF;
                    } else if (state == State.SIZE && b == ';') {
                        state = State.EXTENSION;
                        lineBytes = 0;
                    } else {
                        return Result.MALFORMED;
                    }
                }
                case EXTENSION -> {
                    if (b == '\r') {
                        state = State.SIZE_LF;
                    } else if (isControl(b)) {
                        return Result.MALFORMED;
                    } else if (++lineBytes > maxLineBytes) {
                        return Result.TOO_LARGE;
                    }
                }
                case SIZE_LF -> {
                    if (b != '\n') {
                        return Result.MALFORMED;
                    }
                    lineBytes = 0;
                    if (size > 0) {
                        state = State.DATA;
                        return Result.DATA;
                    }
                    state = State.TRAILER_START;
                }
                case DATA_CR -> {
                    if (b != '\r') {
                        return Result.MALFORMED;
                    }
                    state = State.DATA_LF;
                }
                case DATA_LF -> {
                    if (b != '\n') {
                        return Result.MALFORMED;
                    }
                    state = State.SIZE_START;
                }
                case TRAILER_START, TRAILER -> {
                    if (b == '\r') {
                        state = state == State.TRAILER_START ? State.LAST_LF : State.TRAILER_LF;
                    } else if (isControl(b)) {
                        return Result.MALFORMED;
                    } else if (++lineBytes > maxLineBytes) {
                        return Result.TOO_LARGE;
                    } else {
                        state = State.TRAILER;
                    }
                }
                case TRAILER_LF -> {
                    if (b != '\n') {
                        return Result.MALFORMED;
                    }
                    state = State.TRAILER_START;
                }
                case LAST_LF -> {
                    return b == '\n' ? Result.END : Result.MALFORMED;
                }
                case DATA -> throw new IllegalStateException("data is read by the caller");
            }
        }
        return Result.MORE;
    }

    private static boolean isControl(byte b) {
        return (b >= 0 && b < ' ' && b != '\t') || b == 0x7f;
    }

    private static int hex(byte b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int letter = b | 0x20;
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }
}
