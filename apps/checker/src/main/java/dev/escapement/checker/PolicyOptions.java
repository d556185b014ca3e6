package dev.escapement.checker;

import dev.escapement.http.Method;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.FailureRule;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.Policy;
import dev.escapement.policy.PolicyBuilder;
import dev.escapement.policy.RetryAfterDates;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * One option for each field of a {@link Policy}, named after it; null where the command line does not give it.
 *
 * <p>What is not given is the checker's own choice: GET, PUT and DELETE after R2's statuses, connect failures and
 * attempt timeouts; whole attempts only; the deadline from the permit on; no reserve; what a server asks for as it is, and in
 * seconds only; 10 s. Everything else is the library's default.
 */
final class PolicyOptions {

    @Option(
            names = "--overall-timeout",
            paramLabel = "TIME",
            description =
                    "The longest an endpoint may take, all attempts and pauses included. Default: 10s, with --demo 30s.")
    private @Nullable Duration overallTimeout;

    @Option(
            names = "--attempt-timeout",
            paramLabel = "TIME",
            description = "The longest one attempt may take, connecting included. Default: 0.4 of the overall timeout.")
    private @Nullable Duration attemptTimeout;

    @Option(names = "--max-retries", paramLabel = "N", description = "Attempts after the first, 0 to 31. Default: 1.")
    private @Nullable Integer maxRetries;

    @Option(
            names = "--initial-backoff",
            paramLabel = "TIME",
            description = "The pause before the first retry; it doubles with each. Default: 25ms, with --demo 10ms.")
    private @Nullable Duration initialBackoff;

    @Option(names = "--max-backoff", paramLabel = "TIME", description = "The longest such pause. Default: 250ms.")
    private @Nullable Duration maxBackoff;

    @Option(
            names = "--jitter",
            paramLabel = "WORD",
            description = "How pauses are spread: none; full, from 0 on; equal, from half on; symmetric:20, so many"
                    + " percent up and down; decorrelated, up to three times the last one."
                    + " Default: full, with --demo none.")
    private @Nullable Jitter jitter;

    @Option(
            names = "--attempt-fit",
            paramLabel = "whole|clipped",
            description = "A retry needs its whole attempt timeout before the deadline, or only the minimum attempt."
                    + " Default: whole.")
    private @Nullable AttemptFit attemptFit;

    @Option(
            names = "--minimum-attempt",
            paramLabel = "TIME",
            description = "The shortest useful retry, where the fit is clipped. Default: 10ms.")
    private @Nullable Duration minimumAttempt;

    @Option(
            names = "--cleanup-reserve",
            paramLabel = "TIME",
            description = "What attempts leave of the overall timeout for cleaning up. Default: 0.")
    private @Nullable Duration cleanupReserve;

    @Option(
            names = "--permit-scope",
            paramLabel = "call|attempt",
            description =
                    "What one of the --concurrency permits covers: an endpoint with all its pauses, or one attempt."
                            + " Default: call.")
    private @Nullable PermitScope permitScope;

    @Option(
            names = "--deadline-origin",
            paramLabel = "entry|permit",
            description = "The overall timeout counts from the start, or from the permit on. Default: permit.")
    private @Nullable DeadlineOrigin deadlineOrigin;

    @Option(
            names = "--max-queue-wait",
            paramLabel = "TIME",
            description = "The longest wait for a permit, where --window is above --concurrency."
                    + " Default: 0.1 of the overall timeout.")
    private @Nullable Duration maxQueueWait;

    @Option(
            names = "--failure-rule",
            paramLabel = "RULE",
            description = "What is retried where no answer came. connect-failures: those and attempt timeouts;"
                    + " by-effect: also other transient failures, and any method if nothing was written."
                    + " Default: connect-failures.")
    private @Nullable FailureRule failureRule;

    @Option(
            names = "--retryable-methods",
            paramLabel = "METHODS",
            description = "With commas between them, or none. Default: GET,PUT,DELETE.")
    private @Nullable Methods retryableMethods;

    @Option(
            names = "--retryable-statuses",
            paramLabel = "STATUSES",
            description = "With commas between them, or none. Default: 408,429,500,502,503,504.")
    private @Nullable Statuses retryableStatuses;

    @Option(
            names = "--effect-free-statuses",
            paramLabel = "STATUSES",
            description = "Those after which any method may be repeated, since nothing was done. Default: none.")
    private @Nullable Statuses effectFreeStatuses;

    @Option(
            names = "--server-delay-cap",
            paramLabel = "TIME",
            description = "A server that asks for a longer pause (Retry-After) gets no retry. Default: 30s.")
    private @Nullable Duration serverDelayCap;

    @Option(
            names = "--policy-version",
            paramLabel = "NAME",
            description = "What reports call this policy. Default: checker.")
    private @Nullable String policyVersion;

    /**
     * The policy.
     *
     * @throws dev.escapement.policy.PolicyException listing every fault, by the names of the fields
     */
    Policy toPolicy(Preset preset) {
        PolicyBuilder policy = Policy.builder(given(overallTimeout, preset.overallTimeout))
                .version(given(policyVersion, "checker"))
                .maxRetries(given(maxRetries, 1))
                .initialBackoff(given(initialBackoff, preset.initialBackoff))
                .maxBackoff(given(maxBackoff, Duration.ofMillis(250)))
                .jitter(given(jitter, preset.jitter))
                .attemptFit(given(attemptFit, AttemptFit.WHOLE))
                .minimumAttempt(given(minimumAttempt, Duration.ofMillis(10)))
                .cleanupReserve(given(cleanupReserve, Duration.ZERO))
                .permitScope(given(permitScope, PermitScope.CALL))
                .deadlineOrigin(given(deadlineOrigin, DeadlineOrigin.PERMIT))
                .failureRule(given(failureRule, FailureRule.CONNECT_FAILURES))
                .retryableMethods(given(retryableMethods, new Methods(Set.of(Method.GET, Method.PUT, Method.DELETE)))
                        .set())
                .retryableStatuses(given(retryableStatuses, new Statuses(Set.of(408, 429, 500, 502, 503, 504)))
                        .set())
                .effectFreeStatuses(
                        given(effectFreeStatuses, new Statuses(Set.of())).set())
                .serverDelayCap(given(serverDelayCap, Duration.ofSeconds(30)))
                .serverDelayJitterPercent(0)
                .retryAfterDates(RetryAfterDates.IGNORED);
        // These two follow the overall timeout, in the builder.
        if (attemptTimeout != null) {
            policy.attemptTimeout(attemptTimeout);
        }
        if (maxQueueWait != null) {
            policy.maxQueueWait(maxQueueWait);
        }
        return policy.build();
    }

    private static <T> T given(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }
}
