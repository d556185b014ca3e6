package dev.escapement.gateway.inbound;

import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields after the last chunk, as strictly as a head (RFC 9112 §7.1.2).
 *
 * <p>Those that would frame or route the message anew are refused; others that may not follow a body (RFC 9110 §6.5.1) are dropped: what
 * they would change was decided when the head was. Confined to its connection's loop.
 */
final class TrailerReader implements HeadLines.Sink {

    private static final Set<String> REFUSED = Set.of("content-length", "transfer-encoding", "host");

    private static final Set<String> DROPPED = Set.of(
            // what concerns one connection only
            "trailer",
            "connection",
            "keep-alive",
            "proxy-connection",
            "te",
            "upgrade",
            // modifiers of the request
            "max-forwards",
            "expect",
            "range",
            "if-match",
            "if-none-match",
            "if-modified-since",
            "if-unmodified-since",
            "if-range",
            "cache-control",
            "pragma",
            // authentication, state, and who is said to have sent it
            "authorization",
            "proxy-authorization",
            "cookie",
            "set-cookie",
            "forwarded",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-proto",
            "x-forwarded-port",
            "x-forwarded-prefix",
            "x-real-ip",
            // how to read the content
            "content-encoding",
            "content-range",
            "content-type");

    /** Most bodies have no trailers, and then there is no need of it. */
    private @Nullable HeadLines lines;

    private int maxBytes;
    private int maxFields;
    private int count;
    private boolean returned;
    private boolean ended;
    private List<String> fields = List.of();

    void reset(int mostBytes, int mostFields) {
        lines = null;
        maxBytes = mostBytes;
        maxFields = mostFields;
        count = 0;
        returned = false;
        ended = false;
        fields = List.of();
    }

    boolean isEnded() {
        return ended;
    }

    /** Those that may be told. */
    Headers fields() {
        return fields.isEmpty() ? Headers.empty() : Headers.of(fields.toArray(String[]::new));
    }

    /** Reads on, up to the empty line; says why it is refused, or null. */
    @Nullable
    Refusal read(ByteBuf in) {
        HeadLines begun = lines;
        if (begun == null) {
            if (isEmptyLine(in)) {
                return null;
            }
            if (returned) {
                return Refusal.LINE;
            }
            begun = new HeadLines();
            begun.reset(maxBytes, maxBytes);
            lines = begun;
        }
        Refusal refusal = begun.take(in, this);
        ended = begun.isEnded();
        return refusal;
    }

    /** Takes what may be the empty line right behind the last chunk, which is all that most bodies have. */
    private boolean isEmptyLine(ByteBuf in) {
        if (!returned && in.getByte(in.readerIndex()) == '\r') {
            in.skipBytes(1);
            returned = true;
        }
        if (returned && in.isReadable() && in.getByte(in.readerIndex()) == '\n') {
            in.skipBytes(1);
            ended = true;
        }
        return ended || (returned && !in.isReadable());
    }

    @Override
    public @Nullable Refusal line(byte[] bytes, int from, int to) {
        FieldLine line = FieldLine.parse(bytes, from, to);
        if (line == null) {
            return Refusal.TRAILER;
        }
        count++;
        if (count > maxFields) {
            return Refusal.TOO_MANY_FIELDS;
        }
        String name = line.name().toLowerCase(Locale.ROOT);
        if (REFUSED.contains(name)) {
            return Refusal.TRAILER;
        }
        if (!DROPPED.contains(name)) {
            if (fields.isEmpty()) {
                fields = new ArrayList<>();
            }
            fields.add(line.name());
            fields.add(line.value());
        }
        return null;
    }

    @Override
    public Refusal tooLong(byte[] bytes, int from, int to) {
        return Refusal.HEAD_TOO_LARGE;
    }
}
