package dev.escapement.gateway.inbound;

import dev.escapement.http.Headers;
import java.util.Optional;

/**
 * One request of a client, as its head says it. Confined to its connection's loop but for what is immutable, which is all of it except the
 * body.
 */
public interface InboundRequest {

    /** As received; {@code -} where that much was not understood. */
    String method();

    /** The target as received, for the log alone: its path may be hostile. */
    String target();

    /** Normalised, in origin form, beginning with {@code /}: what is matched is what is sent. {@code *} with OPTIONS alone. */
    String path();

    /** As received but for raw characters that browsers send and a URI has only escaped; empty if there was no question mark. */
    Optional<String> query();

    /** In lower case, with its port if one was given; from the absolute form if the target has it; empty from HTTP/1.0 without. */
    String authority();

    /** {@code authority} without port and trailing dot: what routes match. */
    String host();

    /** 0 or 1 in {@code HTTP/1.x}; what is above 1 is served as 1. */
    int minorVersion();

    /** All lines as received, but for what frames the message: never to be relayed unfiltered. */
    Headers headers();

    /** The lower-cased names that {@code Connection} lists, in all its lines; to be removed with it (RFC 9110 §7.6.1). */
    java.util.List<String> connectionOptions();

    /** Whether the client said {@code TE: trailers}. */
    boolean takesTrailers();

    /** Whether the client waits for 100 before it sends its body. */
    boolean expectsContinue();

    /** Bytes, 0 for no body, {@code Body.UNKNOWN_LENGTH} for chunks. */
    long contentLength();

    /** What is to come; read by at most one subscriber. */
    InboundBody body();

    /** The connection that it came on. */
    ClientConnection connection();

    /** Its place on the connection, from 1. */
    int ordinal();

    /** When its first byte was read, by the process's monotonic clock. */
    long firstByteNanos();

    /** When its head was whole, by the same clock; when it was refused, if it never was. */
    long headNanos();

    /** When its first byte was read, by the wall clock, in milliseconds since 1970. */
    long arrivedMillis();
}
