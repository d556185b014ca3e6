package dev.escapement.gateway.inbound;

import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.Optional;

/** A client's connection, as requests see it. */
public interface ClientConnection {

    /** Counted from 1 since the start of the process. */
    long id();

    /** Who is at its other end: a client or a proxy in front of us. */
    InetSocketAddress peer();

    /** Where it came in. */
    InetSocketAddress local();

    /** {@code TLSv1.3} and the like; empty in the clear. */
    Optional<String> tlsVersion();

    EventLoop loop();
}
