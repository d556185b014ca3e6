package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.policy.BudgetSettings;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a population may afford, to the single retry and the single nanosecond. */
class RetryBudgetTest {

    private static final long WINDOW_NANOS = 10_000_000_000L;
    private static final Duration WINDOW = Duration.ofNanos(WINDOW_NANOS);
    private static final long BUCKET_NANOS = WINDOW_NANOS / 10;

    /** Where buckets start: a clock's origin, a place somewhere, and the last one that leaves room for three windows. */
    private static final long NEAR_THE_END = (Long.MAX_VALUE / BUCKET_NANOS - 31) * BUCKET_NANOS;

    private static final BudgetSettings ONE_A_SECOND = BudgetSettings.of(0, 1, Duration.ofSeconds(1));

    @ParameterizedTest
    @CsvSource({
        "0.6, 10, 6",
        "0.15, 20, 3",
        "0.3, 10, 3",
        "0, 1000, 0",
        "0.1, 100, 10",
        "1, 7, 7",
        "0.333333, 3, 0",
        "0.333334, 3, 1",
        "0.000001, 999999, 0",
        "0.000001, 1000000, 1",
        "0.7, 10, 7",
        "0.29, 100, 29",
        "0.07, 100, 7"
    })
    @DisplayName("G1 retries are exactly the ratio of the calls, also where it does not divide evenly")
    void ratioIsExact(double ratio, int calls, int retries) {
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(ratio, 0, WINDOW), 0);

        deposit(budget, calls, 0);

        assertThat(granted(budget, calls + 1, 0)).isEqualTo(retries);
    }

    @Test
    @DisplayName("G1 100 calls at 10 % afford 10 of 300 retries; 290 are refused")
    void tenOfThreeHundred() {
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(0.1, 0, WINDOW), 0);

        deposit(budget, 100, 0);

        assertThat(budget.figures(0)).isEqualTo(new BudgetFigures(100, 0, 10, 0));
        assertThat(granted(budget, 300, 0)).isEqualTo(10);
        assertThat(budget.figures(0)).isEqualTo(new BudgetFigures(100, 10, 0, 290));
    }

    @Test
    @DisplayName("G1 what a division leaves over is kept: every fifth call affords a retry, and the other four none")
    void remaindersAddUp() {
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(0.2, 0, WINDOW), 0);

        int[] afterEachCall = IntStream.range(0, 15)
                .map(call -> {
                    budget.deposit(0);
                    return granted(budget, 2, 0);
                })
                .toArray();

        assertThat(afterEachCall).containsExactly(0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    }

    @ParameterizedTest
    @CsvSource({"1, 10000, 10", "3, 10000, 30", "3, 1500, 4", "1, 1999, 1", "2147483647, 1000, 5000", "0, 10000, 0"})
    @DisplayName("G1 the floor affords so many a second without any call, at once")
    void floorNeedsNoCalls(int floorPerSecond, long windowMillis, int retries) {
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(0, floorPerSecond, Duration.ofMillis(windowMillis)), 0);

        assertThat(granted(budget, 5_000, 0)).isEqualTo(retries);
    }

    @Test
    @DisplayName("G1 floor and ratio add up exactly: half a retry of each is one")
    void floorAndRatioAddUp() {
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(0.5, 1, Duration.ofMillis(1_500)), 0);
        assertThat(granted(budget, 3, 0)).isEqualTo(1);

        budget.deposit(0);

        assertThat(granted(budget, 3, 0)).isEqualTo(1);
    }

    @Test
    @DisplayName("G1 1,000 calls of which 30 % fail, each with three retries: 1,417 attempts, with a 10 % budget 1,100")
    void amplificationIsBounded() {
        assertThat(attemptsOf(1_000, RetryBudget.of(BudgetSettings.none(), 0))).isEqualTo(1_417);
        assertThat(attemptsOf(1_000, RetryBudget.of(BudgetSettings.of(0.1, 0, WINDOW), 0)))
                .isLessThanOrEqualTo(1_100);
    }

    /** Three of ten first attempts fail, three of ten of their retries, and so on. */
    private static int attemptsOf(int calls, RetryBudget budget) {
        int[] asked = new int[4];
        int attempts = 0;
        for (int call = 0; call < calls; call++) {
            budget.deposit(0);
            attempts++;
            for (int retry = 0; retry < 3 && asked[retry]++ % 10 < 3 && budget.tryReserve(0); retry++) {
                attempts++;
            }
        }
        return attempts;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7 * BUCKET_NANOS, 4_821 * BUCKET_NANOS, NEAR_THE_END})
    @DisplayName("A6 a call is forgotten a window after the start of its bucket: at −1 ns it counts, at 0 and +1 not")
    void callsAreForgotten(long start) {
        for (long within : new long[] {0, 1, BUCKET_NANOS - 1}) {
            for (long offset : new long[] {-1, 0, 1}) {
                RetryBudget budget = RetryBudget.of(BudgetSettings.of(1, 0, WINDOW), start);
                budget.deposit(start + within);

                long at = start + WINDOW_NANOS + offset;

                assertThat(budget.figures(at).deposits())
                        .as("%d at %d", within, offset)
                        .isEqualTo(offset < 0 ? 1 : 0);
                assertThat(budget.tryReserve(at)).as("%d at %d", within, offset).isEqualTo(offset < 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7 * BUCKET_NANOS, 4_821 * BUCKET_NANOS, NEAR_THE_END})
    @DisplayName("A6 a bucket is [start, end): its last nanosecond is in it, its end in the next")
    void bucketsEndBeforeTheNext(long start) {
        for (long offset : new long[] {-1, 0, 1}) {
            RetryBudget budget = RetryBudget.of(BudgetSettings.of(1, 0, WINDOW), start);

            budget.deposit(start + BUCKET_NANOS + offset);

            assertThat(budget.tryReserve(start + WINDOW_NANOS))
                    .as("at %d", offset)
                    .isEqualTo(offset >= 0);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7 * BUCKET_NANOS, 4_821 * BUCKET_NANOS, NEAR_THE_END})
    @DisplayName("A6 a retry counts until a window after the start of its bucket: at −1 ns still, at 0 and +1 not")
    void retriesAreForgotten(long start) {
        long window = 1_000_000_000L;
        for (long offset : new long[] {-1, 0, 1}) {
            RetryBudget budget = RetryBudget.of(ONE_A_SECOND, start);
            assertThat(budget.tryReserve(start + 5)).isTrue();

            assertThat(budget.tryReserve(start + window + offset))
                    .as("at %d", offset)
                    .isEqualTo(offset >= 0);
        }
    }

    @Test
    @DisplayName("G1 a reservation that is given back can be taken again, once")
    void givenBackIsThereAgain() {
        RetryBudget budget = RetryBudget.of(ONE_A_SECOND, 0);
        assertThat(budget.tryReserve(0)).isTrue();
        assertThat(budget.tryReserve(0)).isFalse();

        budget.giveBack(0);

        assertThat(budget.tryReserve(0)).isTrue();
        assertThat(budget.tryReserve(0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7 * BUCKET_NANOS, 4_821 * BUCKET_NANOS, NEAR_THE_END})
    @DisplayName("A6 a reservation given back within the window is undone; later there is nothing to undo")
    void givenBackWhereItWasTaken(long start) {
        for (long offset : new long[] {-1, 0, 1}) {
            RetryBudget budget = RetryBudget.of(BudgetSettings.of(0, 1, WINDOW), start);
            assertThat(budget.tryReserve(start + 3)).isTrue();
            long at = start + WINDOW_NANOS + offset;
            assertThat(granted(budget, 20, at)).as("at %d", offset).isEqualTo(offset < 0 ? 9 : 10);

            budget.giveBack(start + 3);

            assertThat(granted(budget, 20, at)).as("at %d", offset).isEqualTo(offset < 0 ? 1 : 0);
        }
    }

    @Test
    @DisplayName("G1 what was taken in a bucket is undone there: it is not forgotten a second time")
    void undoneInItsOwnBucket() {
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(0, 1, WINDOW), 0);
        assertThat(granted(budget, 4, 0)).isEqualTo(4);
        assertThat(granted(budget, 20, BUCKET_NANOS)).isEqualTo(6);

        budget.giveBack(0);

        assertThat(granted(budget, 20, BUCKET_NANOS)).isEqualTo(1);
        assertThat(granted(budget, 20, WINDOW_NANOS))
                .as("three of four are left to forget")
                .isEqualTo(3);
    }

    @Test
    @DisplayName("G1 giving back what nobody holds mints nothing")
    void nothingIsMinted() {
        RetryBudget budget = RetryBudget.of(ONE_A_SECOND, 0);

        budget.giveBack(0);
        budget.giveBack(BUCKET_NANOS);

        assertThat(granted(budget, 5, 0)).isEqualTo(1);
        assertThat(budget.figures(0)).isEqualTo(new BudgetFigures(0, 1, 0, 4));
    }

    @Test
    @DisplayName("G1 a reading older than the newest bucket counts as the newest, in the window as it stands")
    void lateReadings() {
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(1, 0, WINDOW), 5 * WINDOW_NANOS);
        long newest = 8 * WINDOW_NANOS;
        budget.deposit(newest);

        budget.deposit(newest - 1);
        budget.deposit(0);

        assertThat(budget.figures(0).deposits()).isEqualTo(3);
        assertThat(granted(budget, 5, newest - WINDOW_NANOS)).isEqualTo(3);
        assertThat(budget.figures(newest + WINDOW_NANOS - 1)).isEqualTo(new BudgetFigures(3, 3, 0, 2));
        assertThat(budget.figures(newest + WINDOW_NANOS)).isEqualTo(new BudgetFigures(0, 0, 0, 2));
    }

    @Test
    @DisplayName("G1 a reservation made late is given back where it stands")
    void lateReservationIsGivenBack() {
        RetryBudget budget = RetryBudget.of(ONE_A_SECOND, 0);
        long bucket = 100_000_000L;
        budget.deposit(3 * bucket);
        assertThat(budget.tryReserve(bucket)).isTrue();

        budget.giveBack(bucket);

        assertThat(budget.tryReserve(bucket)).isTrue();
        assertThat(budget.tryReserve(bucket)).isFalse();
    }

    @Test
    @DisplayName("T1 a clock that leaps from its origin to its end leaves an empty budget, not a wrong one")
    void leapsFromEndToEnd() {
        RetryBudget budget = RetryBudget.of(BudgetSettings.of(0.5, 1, Duration.ofSeconds(1)), 0);
        deposit(budget, 100, 0);
        assertThat(granted(budget, 60, 0)).isEqualTo(51);

        assertThat(budget.figures(Long.MAX_VALUE)).isEqualTo(new BudgetFigures(0, 0, 1, 9));
        assertThat(granted(budget, 60, Long.MAX_VALUE)).isEqualTo(1);
        deposit(budget, 100, Long.MAX_VALUE);
        assertThat(granted(budget, 60, Long.MAX_VALUE)).isEqualTo(50);
    }

    @Test
    @DisplayName("G1 without a budget everything is granted and nothing counted")
    void noBudget() {
        RetryBudget budget = RetryBudget.of(BudgetSettings.none(), 17);

        budget.deposit(0);
        budget.giveBack(0);

        assertThat(granted(budget, 400, 0)).isEqualTo(400);
        assertThat(budget.figures(0)).isEqualTo(new BudgetFigures(0, 0, Long.MAX_VALUE, 0));
    }

    private static void deposit(RetryBudget budget, int calls, long nowNanos) {
        for (int i = 0; i < calls; i++) {
            budget.deposit(nowNanos);
        }
    }

    private static int granted(RetryBudget budget, int asked, long nowNanos) {
        int granted = 0;
        for (int i = 0; i < asked; i++) {
            granted += budget.tryReserve(nowNanos) ? 1 : 0;
        }
        return granted;
    }
}
