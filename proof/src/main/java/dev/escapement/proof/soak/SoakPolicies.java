package dev.escapement.proof.soak;

import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.Policy;
import dev.escapement.report.ReportDetail;
import java.time.Duration;
import java.util.List;

/** The policies that replace one another while calls run, with guards or without. */
final class SoakPolicies {

    static final int MOST_ATTEMPTS = 3;

    private SoakPolicies() {}

    static List<Policy> all(boolean guarded) {
        BudgetSettings budget = guarded ? BudgetSettings.standard() : BudgetSettings.none();
        Policy first = Policy.builder(Duration.ofSeconds(2))
                .version("first")
                .attemptTimeout(Duration.ofMillis(400))
                .maxRetries(MOST_ATTEMPTS - 1)
                .initialBackoff(Duration.ofMillis(2))
                .maxBackoff(Duration.ofMillis(20))
                .cleanupReserve(Duration.ofMillis(100))
                .budget(budget)
                .build();
        Policy detailed = Policy.builder(Duration.ofSeconds(1))
                .version("detailed")
                .attemptTimeout(Duration.ofMillis(300))
                .maxRetries(1)
                .initialBackoff(Duration.ofMillis(1))
                .cleanupReserve(Duration.ofMillis(100))
                .permitScope(PermitScope.ATTEMPT)
                .reportDetail(ReportDetail.FULL)
                .budget(budget)
                .build();
        Policy hasty = Policy.builder(Duration.ofMillis(100))
                .version("hasty")
                .maxRetries(1)
                .initialBackoff(Duration.ZERO)
                .cleanupReserve(Duration.ofMillis(5))
                .budget(budget)
                .build();
        return List.of(first, detailed, hasty);
    }

    /** Quick to open and quick to close, so that every state is seen often. */
    static BreakerSettings breaker(boolean guarded) {
        return guarded
                ? BreakerSettings.builder().openPeriod(Duration.ofMillis(300)).build()
                : BreakerSettings.none();
    }
}
