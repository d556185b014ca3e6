package dev.escapement.report;

import dev.escapement.transport.TransportFailure;

/**
 * A failed attempt on four axes (E2).
 *
 * @param permanence whether the same attempt, made again, has a chance
 * @param effect what it may have done on the other side
 * @param scope how much of the world it speaks of
 * @param anotherFits whether, when the attempt was decided upon, another useful one could still have fitted before the
 *     deadline (R6), had it started at once
 */
public record Failure(
        TransportFailure.Permanence permanence, Effect effect, TransportFailure.Scope scope, boolean anotherFits) {}
