package dev.escapement.guard;

import dev.escapement.transport.Endpoint;

/**
 * What a client knows of one endpoint at one instant.
 *
 * @param inFlight attempts that are there; counted where the client has a picker of endpoints, otherwise 0
 */
public record EndpointFigures(Endpoint endpoint, int inFlight, BreakerFigures breaker) {}
