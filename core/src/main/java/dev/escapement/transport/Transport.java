package dev.escapement.transport;

import dev.escapement.http.Request;

/**
 * Carries single attempts to servers: the SPI behind which HTTP lives.
 *
 * <p>One transport may serve many clients. It never retries (R10 apart), never follows redirects, and makes no timeout of
 * its own out of the deadline it is given: it may give up early, never late.
 *
 * <p>{@code TransportContract} in the fixtures holds an implementation to what is written here and in {@link Exchange}.
 */
public interface Transport {

    /**
     * Starts one attempt. Called in the context of {@code exchange.scheduler()}; must not block. Building the request on
     * the wire, acquiring a connection and encoding all belong to the attempt and its deadline (A4). The result may be
     * reported at once, before this method returns.
     *
     * <p>Whatever it throws ends the call as broken; after throwing, the transport owns nothing of the attempt.
     *
     * @return the handle by which the engine abandons the attempt
     */
    Attempt send(Request request, Exchange exchange);
}
