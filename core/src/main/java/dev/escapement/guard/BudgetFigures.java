package dev.escapement.guard;

/**
 * What a retry budget has counted (G1), for an operator. Each figure was true at some instant of the look; together they are
 * exact while nobody uses the budget.
 *
 * @param deposits calls started within the window
 * @param reserved retries granted within the window and not given back, those still in backoff included
 * @param available retries that would be granted now; {@code Long.MAX_VALUE} where there is no budget
 * @param refused retries refused since the budget was made
 */
public record BudgetFigures(long deposits, long reserved, long available, long refused) {}
