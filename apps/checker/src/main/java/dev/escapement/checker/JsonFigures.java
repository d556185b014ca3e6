package dev.escapement.checker;

import dev.escapement.guard.BreakerFigures;
import dev.escapement.guard.BudgetFigures;
import dev.escapement.guard.EndpointFigures;

/** Figures as one JSON object, every count of a closed list in it; lengths are nanoseconds, and what there is none of is null. Pure. */
final class JsonFigures {

    private JsonFigures() {}

    static String object(Figures figures) {
        return Json.object(json -> {
            json.number("calls", figures.calls()).number("attempts", figures.attempts());
            figures.amplification()
                    .ifPresentOrElse(
                            ratio -> json.decimal("amplification", ratio), () -> json.nothing("amplification"));
            json.counts("outcomes", figures.outcomes())
                    .number("ambiguous", figures.ambiguous())
                    .counts("suppressed", figures.suppressed())
                    .counts("timeouts", figures.timeouts())
                    .number("late_replies", figures.lateReplies())
                    .number("replaced_connections", figures.replacedConnections())
                    .object("attempt_times", times -> times(times, figures.times()))
                    .optional("suggested_attempt_timeout_ns", figures.times().suggestedTimeout())
                    .optional("budget", figures.budget(), JsonFigures::budget)
                    .counts("breakers", figures.breakers())
                    .objects("endpoints", figures.endpoints(), JsonFigures::endpoint)
                    .objects(
                            "advisories",
                            figures.advisories(),
                            (advice, advisory) -> advice.string(
                                            "kind", advisory.kind().name())
                                    .string("message", advisory.message()));
        });
    }

    private static void times(Json json, AttemptTimes times) {
        json.number("answered", times.answered())
                .number("timed", times.timed())
                .optional("p50_ns", times.p50())
                .optional("p90_ns", times.p90())
                .optional("p99_ns", times.p99())
                .optional("max_ns", times.max());
    }

    private static void budget(Json json, BudgetFigures budget) {
        json.number("calls", budget.deposits())
                .number("retries", budget.reserved())
                .number("available", budget.available())
                .number("refused", budget.refused());
    }

    private static void endpoint(Json json, EndpointFigures endpoint) {
        BreakerFigures breaker = endpoint.breaker();
        json.string("endpoint", endpoint.endpoint().toString())
                .string("state", breaker.state().name())
                .number("admits_percent", breaker.admissionPercent())
                .number("openings", breaker.openings())
                .number("rejected", breaker.rejected())
                .number("stale", breaker.stale())
                .number("calls", breaker.calls())
                .number("failed", breaker.failed())
                .number("slow", breaker.slow());
    }
}
