package dev.escapement.guard;

import dev.escapement.policy.BreakerSettings;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Lincheck looks for an order in which a window loses a result or counts it twice. What a window holds while threads add to it is
 * no promise; what it holds when they are done is.
 */
public class ResultWindowLincheckTest {

    /** More than Lincheck's threads with the first and the last part of a scenario. */
    private static final int PARTIES = 6;

    private static final int GOOD = 0;
    private static final int SLOW = 1;
    private static final int FAILED = 2;

    public ResultWindowLincheckTest() {}

    @Test
    @DisplayName("G2 a count window holds what its ring holds, however results race")
    void countWindow() {
        options().check(OnCountWindow.class);
    }

    @Test
    @DisplayName("G2 a time window loses no result of its newest bucket, however its moving on races")
    void timeWindow() {
        options().check(OnTimeWindow.class);
    }

    @Test
    @DisplayName("G2 a time window counts every result of one bucket as what it was, however results race")
    void bucketOfTime() {
        options().check(OnOneBucket.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(0)
                .iterations(6)
                .invocationsPerIteration(150)
                .sequentialSpecification(Nothing.class);
    }

    private static BreakerSettings.Builder settings() {
        return BreakerSettings.builder().minimumCalls(2);
    }

    private static void count(ResultWindow window, int kind, long now) {
        if (kind == GOOD) {
            window.succeeded(now);
        } else if (kind == FAILED) {
            window.failed(now);
        } else {
            window.wasSlow(now);
        }
    }

    /** Two results are all it holds. */
    public static final class OnCountWindow {

        private final ResultWindow window =
                ResultWindow.of(settings().countWindow(2).build());

        public OnCountWindow() {}

        @Operation
        public void add(
                @Param(gen = ThreadIdGen.class) int party,
                @Param(gen = IntGen.class, conf = "0:2") int kind,
                @Param(gen = IntGen.class, conf = "0:2") int at) {
            count(window, kind, at);
        }

        /** Good results in every place leave nothing else. */
        @Validate
        public void sumsAreThoseOfTheRing() {
            window.succeeded(0);
            window.succeeded(0);
            ResultWindow.Totals totals = window.totals(0);
            if (!totals.equals(new ResultWindow.Totals(2, 0, 0))) {
                throw new IllegalStateException(totals.toString());
            }
        }
    }

    /** Buckets of one nanosecond: what comes at 10 moves everything before 1 out. */
    public static final class OnTimeWindow {

        private static final long NEWEST = 10;

        private final ResultWindow window =
                ResultWindow.of(settings().timeWindow(Duration.ofNanos(10)).build());
        private final int[] early = new int[PARTIES];
        private final int[] newest = new int[PARTIES];

        public OnTimeWindow() {}

        @Operation
        public void add(
                @Param(gen = ThreadIdGen.class) int party,
                @Param(gen = IntGen.class, conf = "0:2") int kind,
                @Param(gen = IntGen.class, conf = "0:1") int at) {
            count(window, kind, at * NEWEST);
            if (at == 0) {
                early[party]++;
            } else {
                newest[party]++;
            }
        }

        /** A result that came late counts in the newest bucket, or with those that have left. */
        @Validate
        public void theNewestAreAllThere() {
            int least = 0;
            int most = 0;
            for (int party = 0; party < PARTIES; party++) {
                least += newest[party];
                most += newest[party] + early[party];
            }
            long calls = window.totals(NEWEST).calls();
            if (calls < least || calls > most) {
                throw new IllegalStateException(calls + " calls, expected " + least + " to " + most);
            }
        }
    }

    /** Time stands still: what the window holds is exactly what was added. */
    public static final class OnOneBucket {

        private static final int KINDS = 3;

        private final ResultWindow window =
                ResultWindow.of(settings().timeWindow(Duration.ofNanos(10)).build());
        private final int[][] added = new int[PARTIES][KINDS];

        public OnOneBucket() {}

        @Operation
        public void add(
                @Param(gen = ThreadIdGen.class) int party,
                @Param(gen = IntGen.class, conf = "0:2") int kind,
                @Param(gen = IntGen.class, conf = "0:0") int at) {
            count(window, kind, at);
            added[party][kind]++;
        }

        @Validate
        public void eachIsCountedAsWhatItWas() {
            int[] sums = new int[KINDS];
            for (int[] party : added) {
                for (int kind = 0; kind < KINDS; kind++) {
                    sums[kind] += party[kind];
                }
            }
            int calls = sums[GOOD] + sums[SLOW] + sums[FAILED];
            ResultWindow.Totals totals = window.totals(0);
            if (!totals.equals(new ResultWindow.Totals(calls, sums[FAILED], sums[SLOW]))) {
                throw new IllegalStateException(totals.toString());
            }
        }
    }

    /** Additions answer nothing. */
    public static final class Nothing {

        public Nothing() {}

        public void add(int party, int kind, int at) {}
    }
}
