package dev.escapement.explorer;

import dev.escapement.fixtures.explorer.Finding;
import dev.escapement.fixtures.explorer.Scenario;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Plays each scenario twice: two traces that differ are a difference too (V1). Whatever a play throws is one as well, so that a run of
 * millions outlives it. As confined as what it plays by.
 *
 * @param play once
 */
record Twice(Function<Scenario, Finding> play) implements Function<Scenario, Finding> {

    @Override
    public Finding apply(Scenario scenario) {
        try {
            Finding first = play.apply(scenario);
            return first.difference().isPresent() ? first : compared(first, play.apply(scenario));
        } catch (RuntimeException | Error thrown) {
            return new Finding(List.of(), Optional.of("the explorer threw " + thrown + at(thrown)));
        }
    }

    private static Finding compared(Finding first, Finding second) {
        List<String> one = first.trace();
        List<String> other = second.trace();
        if (one.equals(other) && second.difference().isEmpty()) {
            return first;
        }
        int line = 0;
        while (line < Math.min(one.size(), other.size()) && one.get(line).equals(other.get(line))) {
            line++;
        }
        return new Finding(
                one,
                Optional.of("V1 played twice, two traces: line " + (line + 1) + " was\n" + line(one, line)
                        + "\nand then\n" + line(other, line)));
    }

    private static String line(List<String> trace, int index) {
        return index < trace.size() ? trace.get(index) : "(the end)";
    }

    private static String at(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return trace.length == 0 ? "" : " at " + trace[0];
    }
}
