package dev.escapement.proof.soak;

import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.Delivery;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.Policy;
import dev.escapement.policy.RetryAfterDates;
import dev.escapement.report.ReportDetail;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The policies of a simulated day: one for each operation class, and what replaces the nameless one from hour to hour. */
final class DayPolicies {

    static final String APPEND = "append";
    static final String PROBE = "probe";
    static final String FLUSH = "flush";

    private DayPolicies() {}

    /** Calls of no class: a gateway's defaults, and what operators make of them. */
    static List<Policy> nameless() {
        return List.of(
                Policy.builder(Duration.ofSeconds(1)).version("day-1").build(),
                Policy.builder(Duration.ofSeconds(1))
                        .version("day-2")
                        .maxRetries(3)
                        .attemptTimeout(Duration.ofMillis(250))
                        .build(),
                Policy.builder(Duration.ofMillis(600))
                        .version("day-3")
                        .permitScope(PermitScope.ATTEMPT)
                        .delivery(Delivery.AT_MOST_ONCE)
                        .build());
    }

    static Policy append() {
        return Policy.builder(Duration.ofSeconds(3))
                .version("append")
                .maxRetries(2)
                .permitScope(PermitScope.ATTEMPT)
                .reportDetail(ReportDetail.FULL)
                .retryAfterDates(RetryAfterDates.READ)
                .build();
    }

    static Policy probe() {
        return Policy.builder(Duration.ofMillis(200))
                .version("probe")
                .maxRetries(0)
                .maxQueueWait(Duration.ZERO)
                .build();
    }

    static Policy flush() {
        return Policy.builder(Duration.ofSeconds(8))
                .version("flush")
                .maxRetries(3)
                .deadlineOrigin(DeadlineOrigin.PERMIT)
                .effectFreeStatuses(Set.of(503))
                .retryAfterDates(RetryAfterDates.READ)
                .build();
    }
}
