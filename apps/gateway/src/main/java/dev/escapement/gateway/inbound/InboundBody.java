package dev.escapement.gateway.inbound;

import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.Flow;

/**
 * The body of a client's request, read from its socket as it is asked for.
 *
 * <p>One subscriber, whose signals come on the connection's loop; {@code request} and {@code cancel} may be called by any thread. Buffers
 * belong to the subscriber. It ends by {@code onError} if the client goes away, sends no chunk where one must be, more than is allowed,
 * or nothing for too long: the request that carries it is then cut on the wire.
 */
public interface InboundBody extends Flow.Publisher<ByteBuf> {

    /** The fields after the last chunk; empty until the body has completed, and where there are none. */
    Headers trailers();

    /**
     * Holds this limit against the body instead of the connection's own, which a route may exceed or undercut; on the loop, before
     * anybody subscribes. A length declared beyond it refuses the body at its subscription, before anything is read.
     */
    void limit(long maxBytes);
}
