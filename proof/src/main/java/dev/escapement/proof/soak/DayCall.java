package dev.escapement.proof.soak;

import dev.escapement.http.Method;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call of a simulated day and, in the end, its report. Confined to the world's thread. */
final class DayCall implements Consumer<Report> {

    private final SimulatedDay day;
    private final long number;
    private final Method method;
    private final boolean keyed;
    private final boolean mayBreak;
    private @Nullable Report report;

    /**
     * A call about to begin.
     *
     * @param mayBreak whether its transport throws
     */
    DayCall(SimulatedDay day, long number, Method method, boolean keyed, boolean mayBreak) {
        this.day = day;
        this.number = number;
        this.method = method;
        this.keyed = keyed;
        this.mayBreak = mayBreak;
    }

    @Override
    public void accept(Report ended) {
        require(report == null, "A5 ended twice");
        report = ended;
        Outcome.Kind kind = ended.outcome().kind();
        require(kind != Outcome.Kind.POLICY_TIME_OVERFLOW, "P4 overflowed");
        require(mayBreak || kind != Outcome.Kind.BROKEN, "A5 broke");
        require((kind != Outcome.Kind.REJECTED) || ended.attempts() == 0, "A7 rejected after an attempt");
        require(ended.endedNanos() >= ended.startedNanos(), "T1 ended before it began");
        ended.release();
        day.ended(this, ended);
    }

    /** At rest: what the report says of the effect is what took place (E2–E4). */
    void checkEffects(int effects) {
        Report ended = report;
        require(ended != null, "A5 has no outcome");
        require(!method.equals(Method.POST) || effects <= 1, "E3 took effect " + effects + " times");
        if (ended != null && !method.isSafe()) {
            switch (ended.effect()) {
                case ABSENT -> require(effects == 0, "E2 took effect, and its report denies it");
                case KNOWN -> require(effects > 0, "E2 took no effect, and its report claims it");
                case POSSIBLE -> {}
            }
        }
    }

    private void require(boolean so, String otherwise) {
        if (!so) {
            throw new AssertionError(otherwise + ": call " + number + ", " + method + (keyed ? " with a key" : "")
                    + ", ended as " + report);
        }
    }

    /** What is the same in every run of a seed. */
    String trace(Report ended) {
        return number + " " + method + " " + ended + " " + ended.startedNanos() + " " + ended.endedNanos() + " "
                + ended.retryDelays() + " " + ended.suppressed() + " " + ended.effect() + " " + ended.policyVersion();
    }

    long number() {
        return number;
    }
}
