package dev.escapement.netty;

/** Why a connection was closed although nobody had asked for it (E6). */
public enum Poison {
    /** Bytes arrived while no request was out, or before one was on its way. */
    UNSOLICITED,
    /** Bytes followed a complete response. */
    SURPLUS,
    /** What arrived was not HTTP/1.1, or framed itself in two ways. */
    MALFORMED,
    /** The head or the body was larger than allowed. */
    TOO_LARGE,
    /** More interim answers than allowed. */
    TOO_MANY_INTERIM,
    /** The connection ended inside a response. */
    TRUNCATED,
    /** The connection ended after bytes of a request were accepted and before a response began. */
    RESET,
    /** The connection turned out dead before it accepted a byte of the request. */
    STALE,
    /** The response was complete before the request was. */
    REQUEST_UNFINISHED,
    /** The attempt was abandoned, or its body cut, with a request or a response under way. */
    ABANDONED,
    /** The reader of a streamed response dropped it, and more of it was to come than is worth reading. */
    DROPPED,
    /** The transport closed with an attempt under way, or broke. */
    CLOSED_LOCALLY
}
