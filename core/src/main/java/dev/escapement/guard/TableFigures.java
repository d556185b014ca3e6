package dev.escapement.guard;

/**
 * What an {@link EndpointTable} counts.
 *
 * @param entries endpoints that are known
 * @param evictions endpoints that were forgotten for new ones
 * @param unguarded how often an endpoint found no place and went without a breaker
 */
public record TableFigures(int entries, long evictions, long unguarded) {}
