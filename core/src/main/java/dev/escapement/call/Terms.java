package dev.escapement.call;

import dev.escapement.guard.RetryBudget;
import dev.escapement.policy.Policy;

/** What a call is admitted with: a policy, and the budget of its operation class. Immutable; replaced as a whole. */
record Terms(Policy policy, RetryBudget budget) {}
