package dev.escapement.guard;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.escapement.policy.BreakerSettings;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** What a breaker counts, by two threads at once: no result is lost, and none is kept that has left (G2). */
public final class WindowRaces {

    private static final BreakerSettings OF_TWO =
            BreakerSettings.builder().minimumCalls(2).countWindow(2).build();

    /** Ten buckets of one nanosecond. */
    private static final BreakerSettings OF_TEN_NANOS = BreakerSettings.builder()
            .minimumCalls(2)
            .timeWindow(Duration.ofNanos(10))
            .build();

    private static final ResultWindow.Totals TWO_FAILED = new ResultWindow.Totals(2, 2, 0);
    private static final ResultWindow.Totals TWO_SLOW = new ResultWindow.Totals(2, 0, 2);
    private static final ResultWindow.Totals TWO_GOOD = new ResultWindow.Totals(2, 0, 0);

    private WindowRaces() {}

    private static String name(ResultWindow.Totals totals) {
        if (totals.equals(TWO_FAILED)) {
            return "two failed";
        } else if (totals.equals(TWO_SLOW)) {
            return "two slow";
        }
        return totals.equals(TWO_GOOD) ? "two good" : totals.toString();
    }

    /** Two failures, in a window of the last two results; then two good answers in their places. */
    @JCStressTest
    @Outcome(id = "two failed, two good", expect = ACCEPTABLE, desc = "both counted, and both gone afterwards")
    @State
    public static class LastTwoFailed {

        private final ResultWindow window = ResultWindow.of(OF_TWO);

        @Actor
        public void first() {
            window.failed(0);
        }

        @Actor
        public void second() {
            window.failed(0);
        }

        @Arbiter
        public void totals(LL_Result r) {
            r.r1 = name(window.totals(0));
            window.succeeded(0);
            window.succeeded(0);
            r.r2 = name(window.totals(0));
        }
    }

    /** A failure and a good answer of one place, a lap apart: the sums come to be those of the ring. */
    @JCStressTest
    @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "what left has left the sums")
    @State
    public static class OneLapApart {

        private final ResultWindow window = ResultWindow.of(OF_TWO);

        public OneLapApart() {
            window.failed(0);
            window.failed(0);
        }

        @Actor
        public void first() {
            window.succeeded(0);
        }

        @Actor
        public void second() {
            window.succeeded(0);
        }

        @Arbiter
        public void totals(II_Result r) {
            ResultWindow.Totals totals = window.totals(0);
            r.r1 = (int) totals.calls();
            r.r2 = (int) totals.failed();
        }
    }

    /** Two failures, in one bucket of time. */
    @JCStressTest
    @Outcome(id = "two failed", expect = ACCEPTABLE, desc = "both counted")
    @State
    public static class TwoFailedInTime {

        private final ResultWindow window = ResultWindow.of(OF_TEN_NANOS);

        @Actor
        public void first() {
            window.failed(0);
        }

        @Actor
        public void second() {
            window.failed(0);
        }

        @Arbiter
        public void totals(L_Result r) {
            r.r1 = name(window.totals(0));
        }
    }

    /** Two slow answers, in one bucket of time. */
    @JCStressTest
    @Outcome(id = "two slow", expect = ACCEPTABLE, desc = "both counted")
    @State
    public static class TwoSlowInTime {

        private final ResultWindow window = ResultWindow.of(OF_TEN_NANOS);

        @Actor
        public void first() {
            window.wasSlow(0);
        }

        @Actor
        public void second() {
            window.wasSlow(0);
        }

        @Arbiter
        public void totals(L_Result r) {
            r.r1 = name(window.totals(0));
        }
    }

    /** Two failures that each begin a bucket: nine buckets on, the newer one is still there. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the older one has left with its bucket")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "it came late and was counted in the newer bucket")
    @State
    public static class TwoBeginnings {

        private final ResultWindow window = ResultWindow.of(OF_TEN_NANOS);

        @Actor
        public void older() {
            window.failed(19);
        }

        @Actor
        public void newer() {
            window.failed(20);
        }

        @Arbiter
        public void totals(I_Result r) {
            r.r1 = (int) window.totals(29).failed();
        }
    }
}
