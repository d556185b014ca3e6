package dev.escapement.gateway.inbound;

/**
 * What becomes of a client's requests. Called on the loop of the client's connection, one request of a connection at a time: the next one
 * begins when the last {@link Responder} has ended. What it throws closes the connection.
 */
public interface RequestHandler {

    /** A request whose head is whole and acceptable. Its body is still to come. */
    void accept(InboundRequest request, Responder responder);

    /**
     * Bytes that are no acceptable request, or one that came too slowly. The handler may answer, and the connection closes in any case.
     *
     * @param request as much of it as was understood
     */
    void refused(InboundRequest request, Refusal refusal, Responder responder);
}
