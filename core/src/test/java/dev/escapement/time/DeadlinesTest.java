package dev.escapement.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadlinesTest {

    @ParameterizedTest(name = "at {0} ms: {1} ms")
    @CsvSource({"1250, 500", "1850, 0", "1300, 500", "1301, 499", "1799, 1", "1800, 0"})
    @DisplayName("T4 an attempt gets what its cap, the deadline and the reserve leave")
    void attemptGetsWhatCapDeadlineAndReserveLeave(long nowMillis, long expectedMillis) {
        long deadlineNanos = Deadlines.plus(millis(1_000), millis(900));

        long timeoutNanos = Deadlines.attemptTimeoutNanos(millis(nowMillis), deadlineNanos, millis(500), millis(100));

        assertThat(timeoutNanos).isEqualTo(millis(expectedMillis));
    }

    @ParameterizedTest(name = "{0} ns before the reserve begins: {1} ns")
    @CsvSource({"-1, 0", "0, 0", "1, 1"})
    @DisplayName("T4 there is no attempt unless a nanosecond is left for it")
    void thereIsNoAttemptUnlessANanosecondIsLeft(long leftNanos, long expectedNanos) {
        long deadlineNanos = 10_007;
        long reserveNanos = 113;

        long timeoutNanos = Deadlines.attemptTimeoutNanos(
                deadlineNanos - reserveNanos - leftNanos, deadlineNanos, Long.MAX_VALUE, reserveNanos);

        assertThat(timeoutNanos).isEqualTo(expectedNanos);
    }

    @Test
    @DisplayName("T4 holds at the ends of time")
    void attemptTimeoutHoldsAtTheEndsOfTime() {
        long max = Long.MAX_VALUE;

        assertThat(Deadlines.attemptTimeoutNanos(0, max, max, 0)).isEqualTo(max);
        assertThat(Deadlines.attemptTimeoutNanos(max, 0, max, max)).isEqualTo(Deadlines.NO_ATTEMPT);
        assertThat(Deadlines.attemptTimeoutNanos(0, max, max, max)).isEqualTo(Deadlines.NO_ATTEMPT);
        assertThat(Deadlines.attemptTimeoutNanos(max - 2, max, max, 1)).isEqualTo(1);
        assertThat(Deadlines.attemptTimeoutNanos(0, max, 0, 0)).isEqualTo(Deadlines.NO_ATTEMPT);
    }

    @Test
    @DisplayName("P4 an instant past the end of time is an overflow, never a wrapped number")
    void sumThatDoesNotFitIsOverflow() {
        long max = Long.MAX_VALUE;

        assertThat(Deadlines.plus(max - 1, 1)).isEqualTo(max);
        assertThat(Deadlines.plus(max, 1)).isEqualTo(Deadlines.OVERFLOW);
        assertThat(Deadlines.plus(1, max)).isEqualTo(Deadlines.OVERFLOW);
        assertThat(Deadlines.plus(max, max)).isEqualTo(Deadlines.OVERFLOW);
        assertThat(Deadlines.plus(0, 0)).isZero();
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
