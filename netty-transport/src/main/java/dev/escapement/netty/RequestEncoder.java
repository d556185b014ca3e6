package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Writes requests as bytes: the head and as much of the body as fits into one direct buffer, the rest in further ones.
 *
 * <p>A direct buffer of our own is what the socket takes as it is, so that counting accepted bytes is exact (E1). Every part that comes
 * from outside was checked when the {@link Request} was built: method and names are tokens, values hold no line end, the URI
 * is visible ASCII. The target is in origin form (RFC 9112 §3.2.1): path, at least {@code /}, and query; no fragment.
 *
 * <p>One per event loop, confined to it: the scratch array is reused from request to request.
 */
final class RequestEncoder {

    /** No buffer is larger: the direct memory of a large upload stays bounded, whatever its length. */
    static final int MAX_CHUNK_BYTES = 64 * 1024;

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private static final byte[] VERSION_AND_HOST = " HTTP/1.1\r\nHost: ".getBytes(ISO_8859_1);
    private static final byte[] CONTENT_LENGTH = "Content-Length: ".getBytes(ISO_8859_1);
    private static final byte[] CHUNKED = "Transfer-Encoding: chunked\r\n".getBytes(ISO_8859_1);
    private static final byte[] EXPECTATION = "Expect: 100-continue\r\n".getBytes(ISO_8859_1);
    /** Named by Connection too, lest somebody on the way passes it on for one who does not ask (RFC 9110 §10.1.4). */
    private static final byte[] TRAILERS = "TE: trailers\r\nConnection: TE\r\n".getBytes(ISO_8859_1);

    private static final byte[] COLON = {':', ' '};
    private static final byte[] LINE_END = {'\r', '\n'};

    private final ByteBufAllocator allocator;

    private byte[] scratch = new byte[1024];
    private int length;

    RequestEncoder(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** The head, and the start of a body in memory up to the size of one buffer. The caller owns the buffer. */
    ByteBuf first(Request request, ByteBuffer body) {
        length = 0;
        head(request);
        int ofBody = Math.min(body.remaining(), Math.max(0, MAX_CHUNK_BYTES - length));
        ByteBuf buffer = allocator.directBuffer(length + ofBody);
        try {
            buffer.writeBytes(scratch, 0, length);
            return append(buffer, body, ofBody);
        } catch (Throwable t) {
            buffer.release();
            throw t;
        }
    }

    /** The next part of the body. The caller owns the buffer. */
    ByteBuf next(ByteBuffer body) {
        int count = Math.min(body.remaining(), MAX_CHUNK_BYTES);
        ByteBuf buffer = allocator.directBuffer(count);
        try {
            return append(buffer, body, count);
        } catch (Throwable t) {
            buffer.release();
            throw t;
        }
    }

    private static ByteBuf append(ByteBuf buffer, ByteBuffer body, int count) {
        if (count > 0) {
            int limit = body.limit();
            body.limit(body.position() + count);
            buffer.writeBytes(body);
            body.limit(limit);
        }
        return buffer;
    }

    ByteBufAllocator allocator() {
        return allocator;
    }

    private void head(Request request) {
        put(request.method().name());
        put((byte) ' ');
        URI uri = request.uri();
        String path = uri.getRawPath();
        if (path == null || path.isEmpty()) {
            put((byte) '/');
        } else {
            put(path);
        }
        String query = uri.getRawQuery();
        if (query != null) {
            put((byte) '?');
            put(query);
        }
        put(VERSION_AND_HOST);
        Optional<String> host = request.host();
        if (host.isPresent()) {
            put(host.get());
        } else {
            putAuthority(uri);
        }
        put(LINE_END);
        Headers headers = request.headers();
        for (int i = 0; i < headers.count(); i++) {
            put(headers.nameAt(i));
            put(COLON);
            put(headers.valueAt(i));
            put(LINE_END);
        }
        long bodyLength = request.body().length();
        if (bodyLength == Body.UNKNOWN_LENGTH) {
            put(CHUNKED);
        } else if (bodyLength > 0 || expectsContent(request.method())) {
            put(CONTENT_LENGTH);
            putNumber(bodyLength);
            put(LINE_END);
        }
        if (request.expectsContinue()) {
            put(EXPECTATION);
        }
        if (request.takesTrailers()) {
            put(TRAILERS);
        }
        put(LINE_END);
    }

    /** Methods with which a missing length means something else than an empty body to some servers (RFC 9110 §8.6). */
    private static boolean expectsContent(Method method) {
        return method.equals(Method.POST) || method.equals(Method.PUT) || method.equals(Method.PATCH);
    }

    /** The value of Host: the URI's own, the port only where it is not the scheme's (RFC 9110 §7.2, §4.2.3). */
    private void putAuthority(URI uri) {
        int from = length;
        put(uri.getHost());
        for (int i = from; i < length; i++) {
            byte b = scratch[i];
            if (b >= 'A' && b <= 'Z') {
                scratch[i] = (byte) (b + ('a' - 'A'));
            }
        }
        int port = uri.getPort();
        if (port >= 0 && port != (uri.getScheme().length() == "https".length() ? HTTPS_PORT : HTTP_PORT)) {
            put((byte) ':');
            putNumber(port);
        }
    }

    /** In decimal; not negative. */
    private void putNumber(long number) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        ensure(digits);
        long rest = number;
        for (int i = length + digits - 1; i >= length; i--) {
            scratch[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    private void put(byte b) {
        ensure(1);
        scratch[length++] = b;
    }

    private void put(byte[] bytes) {
        ensure(bytes.length);
        System.arraycopy(bytes, 0, scratch, length, bytes.length);
        length += bytes.length;
    }

    // The method is deprecated for what it does to characters beyond Latin-1, of which there are none here.
    @SuppressWarnings("deprecation")
    private void put(String text) {
        int count = text.length();
        ensure(count);
        text.getBytes(0, count, scratch, length);
        length += count;
    }

    private void ensure(int more) {
        if (length + more > scratch.length) {
            scratch = Arrays.copyOf(scratch, Math.max(2 * scratch.length, length + more));
        }
    }
}
