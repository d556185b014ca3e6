package dev.escapement.checker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Lines of UTF-8 with a bound on their length, so that no input can make the program hold more than one buffer.
 *
 * <p>A line ends at LF, CR LF or the end of the input; a byte order mark before the first is skipped. One thread.
 */
final class LineReader {

    /** The longest line, in bytes, without its end. */
    static final int MAX_LINE_BYTES = 8 * 1024;

    private static final int BYTES_AT_ONCE = 16 * 1024;
    private static final int BYTE_ORDER_MARK = 0xfeff;

    private final InputStream in;
    private final byte[] chunk = new byte[BYTES_AT_ONCE];
    private final byte[] line = new byte[MAX_LINE_BYTES];

    private int chunkStart;
    private int chunkEnd;
    private long number;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** The number of the line read last, from 1; 0 before the first. */
    long number() {
        return number;
    }

    /**
     * The next line without its end; null at the end of the input.
     *
     * @throws WrongUsage for a line that is too long or not UTF-8; {@link #number} says which
     */
    @Nullable
    String next() throws IOException, WrongUsage {
        int length = 0;
        int b = read();
        if (b < 0) {
            return null;
        }
        number++;
        while (b >= 0 && b != '\n') {
            if (length == MAX_LINE_BYTES) {
                throw new WrongUsage("line longer than " + MAX_LINE_BYTES + " bytes");
            }
            line[length++] = (byte) b;
            b = read();
        }
        if (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        return decode(length);
    }

    private String decode(int length) throws WrongUsage {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new WrongUsage("expected UTF-8");
        }
        return number == 1 && !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    }

    private int read() throws IOException {
        if (chunkStart == chunkEnd) {
            chunkStart = 0;
            chunkEnd = Math.max(0, in.read(chunk));
            if (chunkEnd == 0) {
                return -1;
            }
        }
        return chunk[chunkStart++] & 0xff;
    }
}
