package dev.escapement.gateway.record;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;

/**
 * The members of a line of the access log in JSON: their names, and in which order they stand. What a request has nothing to say of is left
 * out; it is never null. Instants are UTC; bytes from a client are escaped, whatever they are.
 */
enum LogField {
    /** When its first byte came, to the millisecond. */
    TS("ts"),
    /** True in a line about a request that still runs: its figures so far. */
    INTERIM("interim"),
    /** Its client's address, by the rules of trusted proxies. */
    CLIENT("client"),
    /** Where that was read: {@code peer} or {@code x-forwarded-for}. */
    CLIENT_SOURCE("client_source"),
    /** The other end of the connection, with its port. */
    PEER("peer"),
    /** {@code -} where that much was not understood. */
    METHOD("method"),
    AUTHORITY("authority"),
    /** The target as received, without its query and without a user's name in it. */
    PATH("path"),
    /** Where queries are told. */
    QUERY("query"),
    /** What was sent on, if the path was another. */
    FORWARDED_PATH("forwarded_path"),
    PROTOCOL("protocol"),
    /** 0 if no head was sent; 499 if the client went first. */
    STATUS("status"),
    /** The upstream's own, where it is another. */
    UPSTREAM_STATUS("upstream_status"),
    /** Of the body. */
    BYTES_IN("bytes_in"),
    /** Heads and framing included. */
    BYTES_OUT("bytes_out"),
    /** The {@code User-Agent}. */
    AGENT("agent"),
    /** An object of the request's fields that are told; several lines of a name are joined by a comma. */
    HEADERS("headers"),
    REQUEST_ID("request_id"),
    TRACE_ID("trace_id"),
    ROUTE("route"),
    UPSTREAM("upstream"),
    /** The version that it was routed by. */
    CONFIG("config"),
    /** Why the answer is our own, or was cut. */
    REASON("reason"),
    /** The rule that refused it. */
    RULE("rule"),
    /** Envoy's letters. */
    FLAG("flag"),
    /** Who ended it, and in which phase: two letters; {@code --} for a good end. */
    END("end"),
    /** An array of objects: {@link #ENDPOINT} to {@link #BYTES_WRITTEN}. */
    ATTEMPTS("attempts"),
    ENDPOINT("endpoint"),
    /** How an attempt without a {@link #STATUS} ended. */
    FAILURE("failure"),
    /** An attempt's time from its start to its end, in milliseconds. */
    MS("ms"),
    /** Whether its connection had served another. */
    REUSED("reused"),
    /** True where a stale connection was replaced inside it. */
    REPLACED("replaced"),
    /** Of the request, as far as the socket told. */
    BYTES_WRITTEN("bytes_written"),
    /** Why the last failure was not tried again. */
    SUPPRESSED("suppressed"),
    /** An object of the time's parts, in microseconds; see {@link TimeParts.Part}. */
    US("us"),
    /** What the call had, in milliseconds, and what was left at the end: negative where it was over. */
    DEADLINE_MS("deadline_ms"),
    DEADLINE_LEFT_MS("deadline_left_ms"),
    /** Connections are counted from the start of the process. */
    CONNECTION("connection"),
    /** Its place on the connection, from 1. */
    REQUEST("request"),
    TLS("tls"),
    /** True where a stop was under way. */
    DRAINING("draining");

    @SuppressWarnings("ImmutableEnumChecker") // it only remembers how it looks in bytes
    private final SerializedString key;

    LogField(String key) {
        this.key = new SerializedString(key);
    }

    SerializableString key() {
        return key;
    }
}
