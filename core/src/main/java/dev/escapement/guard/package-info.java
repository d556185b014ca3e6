/**
 * May this population of calls still retry, and does this endpoint deserve another attempt?
 *
 * <p>{@link dev.escapement.guard.CircuitBreaker} spares one endpoint,
 * {@link dev.escapement.guard.EndpointTable} keeps one for each. Any thread calls them; nothing blocks, and time comes in as an
 * argument.
 *
 * <p>Rules kept: G2, G4, G5, A6. A guard says nothing about replay safety (G3): that is {@code policy}'s.
 */
@NullMarked
package dev.escapement.guard;

import org.jspecify.annotations.NullMarked;
