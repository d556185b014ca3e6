package dev.escapement.brownout;

import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.BudgetSettings;
import java.time.Duration;

/** What stands between the population of callers and the upstream, beside the bound on the retries of each call. */
enum Guards {
    NONE("without guards"),
    BUDGET("with a retry budget alone"),
    BREAKER("with a breaker alone"),
    BOTH("with retry budget and breaker");

    /** A retry for every tenth call of the last ten seconds, and no floor: the ratio is what is shown. */
    private static final BudgetSettings TENTH = BudgetSettings.of(0.1, 0, Duration.ofSeconds(10));

    private final String title;

    Guards(String title) {
        this.title = title;
    }

    /** What a reader calls them. */
    String title() {
        return title;
    }

    BudgetSettings budget() {
        return this == BUDGET || this == BOTH ? TENTH : BudgetSettings.none();
    }

    /** A gateway's default, or none. */
    BreakerSettings breaker() {
        return this == BREAKER || this == BOTH ? BreakerSettings.standard() : BreakerSettings.none();
    }
}
