package dev.escapement.netty;

import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Reads the chunked coding (RFC 9112 §7.1) byte by byte between the data of its chunks.
 *
 * <p>Strict: sizes are 1 to 15 hexadecimal digits, every line ends with CR LF, quotes in an extension are closed on its line, and nothing
 * but CR LF follows a chunk's data. Trailers are read as strictly as a head ({@link FieldLines}), and bounded like one;
 * those that may not follow a body are dropped ({@link Trailers}).
 *
 * <p>Extensions mean nothing to anybody and are read past. They are bounded by the line, and by the sum: beyond a fixed allowance they
 * may be a tenth of the data, since a thousand one-byte chunks with a long extension each are an attack. Confined to
 * the connection's event loop.
 */
final class ChunkedFraming {

    /** The longest extension of one chunk. */
    static final int MAX_EXTENSION_BYTES = 1024;

    /** What all extensions of a body may be together, besides a tenth of its data. */
    static final int EXTENSION_ALLOWANCE_BYTES = 16 * 1024;

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
        QUOTED,
        QUOTED_PAIR,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILERS
    }

    private static final int MAX_SIZE_DIGITS = 15;
    private static final int FIRST_TRAILER_BYTES = 128;

    private final int maxTrailerBytes;

    private State state = State.SIZE_START;
    private long size;
    private int digits;
    private long dataBytes;
    private int extensionBytes;
    private long allExtensionBytes;

    /** Kept from body to body; most trailers are an empty line. */
    private byte[] trailerBytes = new byte[2];

    private int trailerLength;
    private int trailerLineStart;
    private Headers trailers = Headers.empty();

    ChunkedFraming(int maxTrailerBytes) {
        this.maxTrailerBytes = maxTrailerBytes;
    }

    void reset() {
        state = State.SIZE_START;
        size = 0;
        dataBytes = 0;
        allExtensionBytes = 0;
        trailerLength = 0;
        trailerLineStart = 0;
        trailers = Headers.empty();
    }

    /** How many bytes of data the present chunk still has. */
    long remaining() {
        return size;
    }

    /** Tells that so many bytes of data were read. */
    void took(int bytes) {
        size -= bytes;
        dataBytes += bytes;
    }

    /** The trailers that may be told, after the end. */
    Headers trailers() {
        return trailers;
    }

    /** Reads framing up to the next data, the end, or the end of the input. */
    Result read(ByteBuf in) {
        if (state == State.DATA && size > 0) {
            return Result.DATA;
        }
        Result result = Result.MORE;
        while (result == Result.MORE && in.isReadable()) {
            byte b = in.readByte();
            result = switch (state) {
                case SIZE_START, SIZE -> size(b);
                case EXTENSION, QUOTED, QUOTED_PAIR -> extension(b);
                case SIZE_LF -> sizeEnd(b);
                case DATA, DATA_CR -> expect('\r', b, State.DATA_LF);
                case DATA_LF -> expect('\n', b, State.SIZE_START);
                case TRAILERS -> trailer(b);
            };
        }
        return result;
    }

    private Result size(byte b) {
        int digit = hex(b);
        if (digit >= 0) {
            size = state == State.SIZE_START ? digit : (size << 4) | digit;
            digits = state == State.SIZE_START ? 1 : digits + 1;
            state = State.SIZE;
            return digits > MAX_SIZE_DIGITS ? Result.TOO_LARGE : Result.MORE;
        }
        if (state == State.SIZE_START) {
            return Result.MALFORMED;
        }
        if (b == ';') {
            extensionBytes = 0;
            state = State.EXTENSION;
            return Result.MORE;
        }
        return expect('\r', b, State.SIZE_LF);
    }

    private Result extension(byte b) {
        if (b == '\r' && state == State.EXTENSION) {
            state = State.SIZE_LF;
            return Result.MORE;
        }
        if (FieldLines.isControl(b)) {
            return Result.MALFORMED;
        }
        state = switch (state) {
            case EXTENSION -> b == '"' ? State.QUOTED : State.EXTENSION;
            case QUOTED -> b == '"' ? State.EXTENSION : b == '\\' ? State.QUOTED_PAIR : State.QUOTED;
            default -> State.QUOTED;
        };
        allExtensionBytes++;
        return ++extensionBytes > MAX_EXTENSION_BYTES || allExtensionBytes > EXTENSION_ALLOWANCE_BYTES + dataBytes / 10
                ? Result.TOO_LARGE
                : Result.MORE;
    }

    private Result sizeEnd(byte b) {
        if (b != '\n') {
            return Result.MALFORMED;
        }
        state = size > 0 ? State.DATA : State.TRAILERS;
        return size > 0 ? Result.DATA : Result.MORE;
    }

    private Result trailer(byte b) {
        boolean afterCarriageReturn = trailerLength > trailerLineStart && trailerBytes[trailerLength - 1] == '\r';
        if (afterCarriageReturn != (b == '\n')) {
            return Result.MALFORMED;
        }
        if (trailerLength == maxTrailerBytes) {
            return Result.TOO_LARGE;
        }
        if (trailerLength == trailerBytes.length) {
            trailerBytes = Arrays.copyOf(trailerBytes, Math.max(FIRST_TRAILER_BYTES, 2 * trailerLength));
        }
        trailerBytes[trailerLength++] = b;
        if (b != '\n') {
            return Result.MORE;
        }
        boolean last = trailerLength - trailerLineStart == 2;
        trailerLineStart = trailerLength;
        return last ? trailersEnd() : Result.MORE;
    }

    private Result trailersEnd() {
        if (trailerLength > 2) {
            FieldLines read = FieldLines.parse(trailerBytes, 0, trailerLength);
            if (read.fault != null) {
                return Result.MALFORMED;
            }
            trailers = Trailers.permitted(Headers.of(read.lines));
        }
        return Result.END;
    }

    private Result expect(char expected, byte b, State next) {
        state = next;
        return b == expected ? Result.MORE : Result.MALFORMED;
    }

    private static int hex(byte b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int letter = b | 0x20;
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }
}
