package dev.escapement.policy;

import dev.escapement.http.Method;
import dev.escapement.report.ReportDetail;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Collects a {@link Policy}; what is not given has its default (P7). Not thread-safe. */
public final class PolicyBuilder {

    private final SettingValues values;

    PolicyBuilder(Duration overallTimeout) {
        values = new SettingValues(overallTimeout);
    }

    private <T> PolicyBuilder with(Setting<T> setting, T value) {
        values.put(setting, Objects.requireNonNull(value, setting.name));
        return this;
    }

    /** Repeated by every report. */
    public PolicyBuilder version(String name) {
        return with(Setting.VERSION, name);
    }

    /** The longest one attempt may take, connecting included; more than 0. */
    public PolicyBuilder attemptTimeout(Duration length) {
        return with(Setting.ATTEMPT_TIMEOUT, length);
    }

    /** Attempts after the first, 0 to {@link Policy#MAX_RETRIES}. */
    public PolicyBuilder maxRetries(int retries) {
        return with(Setting.MAX_RETRIES, retries);
    }

    /** The pause before the first retry, before jitter; it doubles with each (B1). */
    public PolicyBuilder initialBackoff(Duration length) {
        return with(Setting.INITIAL_BACKOFF, length);
    }

    /** The longest such pause, jitter included. */
    public PolicyBuilder maxBackoff(Duration length) {
        return with(Setting.MAX_BACKOFF, length);
    }

    /** How pauses are spread out (B2). */
    public PolicyBuilder jitter(Jitter choice) {
        return with(Setting.JITTER, choice);
    }

    /** When a retry is worth making (R6). */
    public PolicyBuilder attemptFit(AttemptFit choice) {
        return with(Setting.ATTEMPT_FIT, choice);
    }

    /** The shortest attempt that {@link AttemptFit#CLIPPED} still finds useful. */
    public PolicyBuilder minimumAttempt(Duration length) {
        return with(Setting.MINIMUM_ATTEMPT, length);
    }

    /** What attempts leave of the deadline, and how long after its end a call may own anything (T2, T4). */
    public PolicyBuilder cleanupReserve(Duration length) {
        return with(Setting.CLEANUP_RESERVE, length);
    }

    /** What a permit covers (L1). */
    public PolicyBuilder permitScope(PermitScope choice) {
        return with(Setting.PERMIT_SCOPE, choice);
    }

    /** When the overall deadline starts to count (T3). */
    public PolicyBuilder deadlineOrigin(DeadlineOrigin choice) {
        return with(Setting.DEADLINE_ORIGIN, choice);
    }

    /** The longest wait for one permit (L2). */
    public PolicyBuilder maxQueueWait(Duration length) {
        return with(Setting.MAX_QUEUE_WAIT, length);
    }

    /** Which attempts that brought no response are worth a retry (R2, E3). */
    public PolicyBuilder failureRule(FailureRule choice) {
        return with(Setting.FAILURE_RULE, choice);
    }

    /** What may be repeated where the effect is possible (I6). */
    public PolicyBuilder delivery(Delivery choice) {
        return with(Setting.DELIVERY, choice);
    }

    /** The methods that may be repeated without an idempotency key (R1). */
    public PolicyBuilder retryableMethods(Set<Method> methods) {
        return with(Setting.RETRYABLE_METHODS, Set.copyOf(methods));
    }

    /** The statuses worth a retry, each of 200 to 999 (R2). */
    public PolicyBuilder retryableStatuses(Set<Integer> statuses) {
        return with(Setting.RETRYABLE_STATUSES, Set.copyOf(statuses));
    }

    /** The statuses which prove that nothing was done, each of 200 to 999 (E3). */
    public PolicyBuilder effectFreeStatuses(Set<Integer> statuses) {
        return with(Setting.EFFECT_FREE_STATUSES, Set.copyOf(statuses));
    }

    /** A server that asks for a longer pause gets no retry (R5). */
    public PolicyBuilder serverDelayCap(Duration length) {
        return with(Setting.SERVER_DELAY_CAP, length);
    }

    /** How far above it a pause that a server asked for may be spread out, never below it, 0 to 100 (R4). */
    public PolicyBuilder serverDelayJitterPercent(int percent) {
        return with(Setting.SERVER_DELAY_JITTER_PERCENT, percent);
    }

    /** Whether a {@code Retry-After} may be a date (R4). */
    public PolicyBuilder retryAfterDates(RetryAfterDates choice) {
        return with(Setting.RETRY_AFTER_DATES, choice);
    }

    /** The header whose presence in a response forbids a retry (R5). */
    public PolicyBuilder retryForbiddingHeader(String name) {
        return with(Setting.RETRY_FORBIDDING_HEADER, Optional.of(name));
    }

    /** How many retries all the client's calls together may make (G1). */
    public PolicyBuilder budget(BudgetSettings settings) {
        return with(Setting.BUDGET, settings);
    }

    /** How much the reports of the policy's calls hold (E5). */
    public PolicyBuilder reportDetail(ReportDetail choice) {
        return with(Setting.REPORT_DETAIL, choice);
    }

    /**
     * The policy.
     *
     * @throws PolicyException listing every fault
     */
    public Policy build() {
        List<PolicyFault> faults = values.faults(setting -> setting.name);
        if (!faults.isEmpty()) {
            throw new PolicyException(faults);
        }
        return new Policy(values.copy());
    }
}
