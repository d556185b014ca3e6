/**
 * May the population of callers still afford a retry, and does this endpoint deserve another attempt?
 *
 * <p>{@link dev.escapement.guard.RetryBudget} speaks for the upstream as a whole: retries are a share of the calls. One stands
 * per client and operation class. {@link dev.escapement.guard.CircuitBreaker} spares one endpoint, and
 * {@link dev.escapement.guard.EndpointTable} keeps one for each, bounded.
 *
 * <p>Any thread calls them; nothing blocks, nothing is allocated per call, and time comes in as an argument.
 *
 * <p>Rules kept: G1, G2, G4, G5, A6. A guard says nothing about replay safety (G3): that is {@code policy}'s, and in which order the
 * guards are asked is, too (R7).
 */
@NullMarked
package dev.escapement.guard;

import org.jspecify.annotations.NullMarked;
