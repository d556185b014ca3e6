package dev.escapement.checker;

import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One line for people and scripts: {@code alpha status=200 attempts=2 retry_delays_ms=[10]}, or {@code outcome=KIND} in
 * place of the status where the call did not end with a response (V4).
 *
 * <p>Delays are whole milliseconds, rounded down.
 */
final class TextFormat implements ReportFormat {

    @Override
    public String line(Endpoint endpoint, Report report) {
        return endpoint.id() + " " + ending(report.outcome()) + " attempts=" + report.attempts() + " retry_delays_ms="
                + report.retryDelays().stream()
                        .map(Duration::toMillis)
                        .map(String::valueOf)
                        .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String ending(Outcome outcome) {
        return outcome instanceof Outcome.Response answered
                ? "status=" + answered.response().status()
                : "outcome=" + outcome.kind();
    }

    @Override
    public String summary(Summary summary) {
        return "all_joined=" + summary.joined() + " max_concurrency=" + summary.maxConcurrency();
    }

    @Override
    public List<String> figures(Figures figures) {
        return TextFigures.lines(figures);
    }
}
