package dev.escapement.metadata;

import java.util.Optional;

/**
 * What is known of an attempt as it starts.
 *
 * @param remainingNanos how long the attempt may take: T4's answer, so that the reserve is taken off and the attempt timeout counts;
 *     positive
 * @param ordinal the attempt's, from 1
 * @param maxAttempts how many attempts there can be, this one included
 * @param previousFailure why the attempt before it did not do; empty for the first
 * @param operationId what names the operation, the same in all its attempts; an identifier
 * @param retryOwner the token of an outer layer that retries this operation (M3); an identifier
 */
public record AttemptFacts(
        long remainingNanos,
        int ordinal,
        int maxAttempts,
        AttemptKind kind,
        Optional<FailureClass> previousFailure,
        Optional<String> operationId,
        Optional<String> retryOwner) {

    public AttemptFacts {
        if (remainingNanos <= 0 || ordinal < 1 || maxAttempts < ordinal) {
            throw new IllegalArgumentException("attempt " + ordinal + " of " + maxAttempts + " with " + remainingNanos
                    + " ns: expected ordinals from 1 and some time");
        }
        operationId.ifPresent(id -> Identifiers.checked("operation id", id));
        retryOwner.ifPresent(token -> Identifiers.checked("owner token", token));
    }
}
