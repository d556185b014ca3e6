package dev.escapement.brownout;

import dev.escapement.brownout.Trace.Guarding;
import dev.escapement.brownout.Trace.Second;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs of one scenario in plain ASCII: some side by side, a line a second, and the totals of all. The same traces make the same bytes: figures are
 * integers, and a part of a hundred is cut, not rounded.
 */
final class Chart {

    private static final int BAR = 16;
    private static final String BETWEEN = " | ";
    private static final String TOTALS = "%-30s %7s %7s %6s %6s %10s   %s";

    private final Scenario scenario;
    private final List<Trace> shown;
    private final List<Trace> runs;

    /**
     * @param runs of the same scenario, one or more
     * @param shown which of them are shown second by second
     */
    Chart(List<Trace> runs, Set<Guards> shown) {
        this.runs = List.copyOf(runs);
        this.shown = runs.stream().filter(run -> shown.contains(run.guards())).toList();
        scenario = runs.get(0).scenario();
    }

    /** The chart, line by line. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(format(
                "%d callers make %d calls a second to an upstream that can answer %d.",
                scenario.callers(), scenario.callsPerSecond(), scenario.capacityPerSecond()));
        lines.add(format(
                "From second %d to second %d it browns out and can answer %d.",
                scenario.brownoutFrom().toSeconds(),
                scenario.brownoutTo().toSeconds(),
                scenario.capacityPerSecond() / scenario.slowness()));
        lines.add("");
        lines.add(line("", run -> run.guards().title()));
        lines.add(line("  s", Chart::heading));
        for (int second = 0; second < scenario.end().toSeconds(); second++) {
            lines.add(line(second));
        }
        lines.add("");
        lines.add(format(TOTALS, "", "let in", "good", "att", "vain", "bad news", "well again"));
        runs.forEach(run -> lines.add(totals(run)));
        lines.add("");
        lines.add(
                "good: calls that end with a good answer. att: attempts per call, in the totals per call let in. vain: attempts");
        lines.add(
                "that the upstream works on though nobody waits any more. no: calls that are not let in. left: retries that");
        lines.add(
                "the budget affords. bad news: how long callers wait on average to learn that there is no good answer.");
        return lines;
    }

    private String line(int second) {
        String label = format("%3d %s", second, scenario.isBrownedOut(second) ? "slow" : "");
        return line(label, run -> figures(run, run.seconds().get(second)));
    }

    private String line(String label, Function<Trace, String> part) {
        String parts = shown.stream()
                .map(run -> format("%-" + heading(run).length() + "s", part.apply(run)))
                .collect(Collectors.joining(BETWEEN));
        return (format("%-8s", label) + BETWEEN + parts).stripTrailing();
    }

    private static String heading(Trace run) {
        String always = format("%-" + BAR + "s %4s  %4s %4s", "", "good", "att", "vain");
        return isGuarded(run) ? always + format(" %4s  %-9s %4s", "no", "breaker", "left") : always;
    }

    private String figures(Trace run, Second second) {
        Counts counts = second.counts();
        String bar = "#".repeat((int) Math.min(BAR, counts.good() * BAR / scenario.callsPerSecond()));
        String always = format(
                "%-" + BAR + "s %4d  %4s %4d",
                bar,
                counts.good(),
                ratio(counts.attempts(), counts.calls()),
                counts.wasted());
        return isGuarded(run) ? always + figures(counts, second.guarding()) : always;
    }

    private static boolean isGuarded(Trace run) {
        return run.guards() != Guards.NONE;
    }

    private static String figures(Counts counts, Guarding guarding) {
        return format(" %4d  %-9s %4d", counts.refused(), guarding.breaker(), guarding.retriesLeft());
    }

    private String totals(Trace run) {
        Counts totals = run.totals();
        long secondsSeen = scenario.end().minus(scenario.brownoutTo()).toSeconds();
        long bad = totals.calls() - totals.good();
        return format(
                TOTALS,
                run.guards().title(),
                totals.begun(),
                totals.good(),
                ratio(totals.attempts(), totals.begun()),
                totals.wasted() * 100 / totals.attempts() + " %",
                TimeUnit.NANOSECONDS.toMillis(totals.badNanos() / bad) + " ms",
                run.secondsToRecovery().isPresent()
                        ? "after " + run.secondsToRecovery().getAsInt() + " s"
                        : "not within " + secondsSeen + " s");
    }

    /** With two digits behind the point; the rest is cut. */
    private static String ratio(long dividend, long divisor) {
        if (divisor == 0) {
            return "-";
        }
        long hundredths = dividend * 100 / divisor;
        return format("%d.%02d", hundredths / 100, hundredths % 100);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
