/**
 * Why was this retried, or not, and when? Policies as values, and the pure functions that apply them.
 *
 * <p>{@link dev.escapement.policy.Policy} holds every choice a caller can make about time and retries;
 * {@link dev.escapement.policy.RetryRule} is the one place that decides upon a retry, in the order of R7;
 * {@link dev.escapement.policy.Backoff} and {@link dev.escapement.policy.JitterSource} compute delays. Everything here is
 * immutable and runs on any thread; nothing reads a clock.
 *
 * <p>Rules kept here: P1, P2, P4, P7, R1–R7, B1–B3, E3. How many calls may run at once is the client's, not a policy's.
 */
@NullMarked
package dev.escapement.policy;

import org.jspecify.annotations.NullMarked;
