package dev.escapement.call;

import dev.escapement.guard.RetryBudget;
import dev.escapement.policy.Policy;

/**
 * The calls of one kind: the policy they are admitted with, and the retry budget they share (G1). The nameless one takes every call that
 * names none.
 */
final class OperationClass {

    /** Read once by each call as it enters; replaced by {@link #update}. */
    private volatile Terms terms;

    OperationClass(Policy policy, long nowNanos) {
        terms = new Terms(policy, RetryBudget.of(policy.budget(), nowNanos));
    }

    Terms terms() {
        return terms;
    }

    /**
     * Replaces the policy for calls that enter from now on. The budget's account goes on, unless its settings are others: then a new one
     * begins.
     *
     * @return the policy so far
     */
    synchronized Policy update(Policy next, long nowNanos) {
        Terms before = terms;
        boolean same = next.budget().equals(before.policy().budget());
        terms = new Terms(next, same ? before.budget() : RetryBudget.of(next.budget(), nowNanos));
        return before.policy();
    }
}
