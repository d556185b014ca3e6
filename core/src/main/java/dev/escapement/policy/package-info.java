/**
 * Why was this retried, or not, and when? Policies as values, and the pure functions that apply them.
 *
 * <p>{@link dev.escapement.policy.Policy} holds every choice a caller can make about time and retries, its
 * {@link dev.escapement.policy.BudgetSettings} among them; {@link dev.escapement.policy.BreakerSettings} are a client's. All can
 * be read from a flat map ({@link dev.escapement.policy.UpstreamSettings}), and what does not go together is told as
 * {@link dev.escapement.policy.PolicyAdvisory}. {@link dev.escapement.policy.RetryRule} is the one place that decides upon a
 * retry, from {@link dev.escapement.policy.RetryFacts} and in the order of R7; {@link dev.escapement.policy.Backoff},
 * {@link dev.escapement.policy.Jitter} and {@link dev.escapement.policy.JitterSource} compute delays. Everything here but the
 * builders is immutable and runs on any thread; nothing reads a clock.
 *
 * <p>Rules kept here: P1, P2, P4, P5, P7, R1–R8, B1–B3, E3, I6. How many calls may run at once is the client's, not a
 * policy's; the live state behind budget and breakers is {@code guard}'s.
 */
@NullMarked
package dev.escapement.policy;

import org.jspecify.annotations.NullMarked;
