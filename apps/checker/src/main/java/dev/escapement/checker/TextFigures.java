package dev.escapement.checker;

import dev.escapement.guard.BreakerFigures;
import dev.escapement.guard.BudgetFigures;
import dev.escapement.guard.EndpointFigures;
import dev.escapement.time.DurationText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Figures for people and scripts: a line a subject, named by its first word, with {@code key=value} behind it. What there is none of,
 * is {@code none}. Pure.
 */
final class TextFigures {

    private static final String NONE = "none";
    private static final int MILLI_DECIMALS = 6;
    private static final MathContext THREE_DIGITS = new MathContext(3);

    private TextFigures() {}

    static List<String> lines(Figures figures) {
        List<String> lines = new ArrayList<>();
        lines.add("calls=" + figures.calls() + " attempts=" + figures.attempts() + " amplification="
                + figures.amplification().map(BigDecimal::toPlainString).orElse(NONE));
        lines.add("outcomes" + seen(figures.outcomes()) + " ambiguous=" + figures.ambiguous());
        lines.add("suppressed" + seen(figures.suppressed()));
        lines.add("timeouts" + all(figures.timeouts()) + " late_replies=" + figures.lateReplies());
        lines.add("connections replaced=" + figures.replacedConnections());
        lines.add(times(figures.times()));
        lines.add("suggested attempt_timeout=" + length(figures.times().suggestedTimeout()));
        figures.budget().ifPresent(budget -> lines.add(budget(budget)));
        if (!figures.endpoints().isEmpty()) {
            lines.add("breakers" + all(figures.breakers()));
            figures.endpoints().forEach(endpoint -> lines.add(breaker(endpoint)));
        }
        figures.advisories().forEach(advisory -> lines.add("advice " + advisory));
        return lines;
    }

    private static String times(AttemptTimes times) {
        return "attempt_ms answered=" + times.answered() + " timed=" + times.timed() + " p50=" + millis(times.p50())
                + " p90=" + millis(times.p90()) + " p99=" + millis(times.p99()) + " max=" + millis(times.max());
    }

    private static String budget(BudgetFigures budget) {
        return "budget calls=" + budget.deposits() + " retries=" + budget.reserved() + " available="
                + budget.available() + " refused=" + budget.refused();
    }

    private static String breaker(EndpointFigures endpoint) {
        BreakerFigures breaker = endpoint.breaker();
        return "breaker " + endpoint.endpoint() + " state=" + breaker.state() + " admits_percent="
                + breaker.admissionPercent() + " openings=" + breaker.openings() + " rejected=" + breaker.rejected()
                + " calls=" + breaker.calls() + " failed=" + breaker.failed() + " slow=" + breaker.slow();
    }

    /** Those that are not 0. */
    private static String seen(Map<?, Long> counts) {
        StringBuilder text = new StringBuilder();
        counts.forEach((key, count) -> text.append(count == 0 ? "" : " " + key + "=" + count));
        return text.isEmpty() ? " " + NONE : text.toString();
    }

    private static String all(Map<?, Long> counts) {
        StringBuilder text = new StringBuilder();
        counts.forEach((key, count) -> text.append(' ').append(key).append('=').append(count));
        return text.toString();
    }

    /** Milliseconds to three digits. */
    private static String millis(OptionalLong nanos) {
        return nanos.isEmpty()
                ? NONE
                : BigDecimal.valueOf(nanos.getAsLong(), MILLI_DECIMALS)
                        .round(THREE_DIGITS)
                        .stripTrailingZeros()
                        .toPlainString();
    }

    private static String length(OptionalLong nanos) {
        return nanos.isEmpty() ? NONE : DurationText.write(Duration.ofNanos(nanos.getAsLong()));
    }
}
