package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Writes answers as bytes: heads, the framing of chunks, and trailers. Names and values were checked when {@link Headers} were made, so that
 * none can end a line. Fields that frame the message or concern the connection alone are this side's, and dropped where somebody
 * else has put them. Pure functions.
 */
final class AnswerWriter {

    private static final byte[] CLOSE = "Connection: close\r\n".getBytes(ISO_8859_1);
    private static final byte[] KEEP_ALIVE = "Connection: keep-alive\r\n".getBytes(ISO_8859_1);
    private static final byte[] CHUNKED = "Transfer-Encoding: chunked\r\n".getBytes(ISO_8859_1);
    private static final byte[] LENGTH = "Content-Length: ".getBytes(ISO_8859_1);
    private static final byte[] LAST_CHUNK = "0\r\n".getBytes(ISO_8859_1);
    private static final int CRLF = '\r' << 8 | '\n';
    private static final int COLON = ':' << 8 | ' ';

    private AnswerWriter() {}

    /** What a head says about its connection. */
    enum ConnectionSaid {
        NOTHING,
        CLOSE,
        KEEP_ALIVE
    }

    /** What a head says about its body. */
    enum FramingSaid {
        NOTHING,
        LENGTH,
        CHUNKED
    }

    static void interim(ByteBuf out, int status, Headers headers) {
        out.writeBytes(StatusLine.bytes(status));
        fields(out, headers);
        out.writeShort(CRLF);
    }

    static void head(
            ByteBuf out,
            int status,
            Headers headers,
            ConnectionSaid connection,
            FramingSaid framing,
            long length,
            DateLine date) {
        out.writeBytes(StatusLine.bytes(status));
        boolean dated = fields(out, headers);
        if (!dated) {
            out.writeBytes(date.bytes());
        }
        switch (framing) {
            case NOTHING -> {}
            case LENGTH -> {
                out.writeBytes(LENGTH);
                number(out, length);
                out.writeShort(CRLF);
            }
            case CHUNKED -> out.writeBytes(CHUNKED);
        }
        switch (connection) {
            case NOTHING -> {}
            case CLOSE -> out.writeBytes(CLOSE);
            case KEEP_ALIVE -> out.writeBytes(KEEP_ALIVE);
        }
        out.writeShort(CRLF);
    }

    /** What stands before a chunk's data. */
    static void chunkStart(ByteBuf out, int size) {
        for (int shift = 28 - (Integer.numberOfLeadingZeros(size) & ~3); shift >= 0; shift -= 4) {
            out.writeByte("0123456789abcdef".charAt(size >>> shift & 0xf));
        }
        out.writeShort(CRLF);
    }

    /** What stands behind a chunk's data. */
    static void chunkEnd(ByteBuf out) {
        out.writeShort(CRLF);
    }

    static void lastChunk(ByteBuf out, Headers trailers) {
        out.writeBytes(LAST_CHUNK);
        fields(out, trailers);
        out.writeShort(CRLF);
    }

    /** Returns whether {@code Date} was among them. */
    private static boolean fields(ByteBuf out, Headers headers) {
        boolean dated = false;
        for (int i = 0; i < headers.count(); i++) {
            String name = headers.nameAt(i);
            if (!isOurs(name)) {
                dated |= name.length() == 4 && name.equalsIgnoreCase("Date");
                ByteBufUtil.writeAscii(out, name);
                out.writeShort(COLON);
                ByteBufUtil.writeAscii(out, headers.valueAt(i));
                out.writeShort(CRLF);
            }
        }
        return dated;
    }

    /** The length decides first: few names share one. */
    private static boolean isOurs(String name) {
        return switch (name.length()) {
            case 10 -> name.equalsIgnoreCase("Connection") || name.equalsIgnoreCase("Keep-Alive");
            case 14 -> name.equalsIgnoreCase("Content-Length");
            case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
            default -> false;
        };
    }

    /** In decimal; not negative. */
    private static void number(ByteBuf out, long number) {
        long unit = 1;
        while (number / unit >= 10) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            out.writeByte((byte) ('0' + number / unit % 10));
        }
    }
}
