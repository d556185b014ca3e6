/**
 * What are retry budgets and circuit breakers for? One brownout on virtual time, with and without them.
 *
 * <p>{@link dev.escapement.brownout.Main} plays it with each choice of guards and prints a chart. A {@code Scenario} says how many
 * call how often and what the upstream can do; a {@code Simulation} puts callers, client and {@code Upstream} into one
 * virtual world and lets its time pass; a {@code Trace} is what was seen, second by second; a {@code Chart} is its picture.
 *
 * <p>What is shown has a name: a metastable failure (Bronson et al., <i>Metastable Failures in Distributed Systems</i>, HotOS
 * 2021). A trigger, the brownout, pushes the upstream into a state that the load itself keeps it in after the trigger has
 * gone: it works for callers who no longer wait, and their retries are the load that makes the next ones wait too long.
 *
 * <p>Everything runs on one thread, and a seed decides everything, to the byte. Rules seen from here: G1, G2, G4, H5, V3.
 */
@NullMarked
package dev.escapement.brownout;

import org.jspecify.annotations.NullMarked;
