package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Backoff doubles up to its cap and never wraps into a short delay. */
class BackoffTest {

    @Test
    @DisplayName("B1 100 doubling, cap 2,000")
    void doublesUpToTheCap() {
        assertThat(IntStream.rangeClosed(1, 8).mapToLong(attempts -> Backoff.ceilingNanos(100, 2_000, attempts)))
                .containsExactly(100L, 200L, 400L, 800L, 1_600L, 2_000L, 2_000L, 2_000L);
        assertThat(Backoff.ceilingNanos(100, Long.MAX_VALUE, 8)).isEqualTo(12_800);
    }

    @ParameterizedTest(name = "B1 initial {0}, max {1}, {2} attempts: {3}")
    @CsvSource({
        "4611686018427387904, 9223372036854775807,  2, 9223372036854775807",
        "4611686018427387903, 9223372036854775807,  2, 9223372036854775806",
        "9223372036854775807, 9223372036854775807, 31, 9223372036854775807",
        "9223372036854775807, 2000,                31, 2000",
        "1,                   9223372036854775807, 31, 1073741824",
        "0,                   2000,                31, 0",
        "5000,                2000,                 1, 2000",
        "5000,                0,                    1, 0",
        "1000,                2000,                 2, 2000",
        "1001,                2000,                 2, 2000",
        "999,                 2000,                 2, 1998"
    })
    void overflowIsTheMaximum(long initial, long max, int attempts, long expected) {
        assertThat(Backoff.ceilingNanos(initial, max, attempts)).isEqualTo(expected);
    }

    @Test
    @DisplayName("B1 agrees with arithmetic that cannot overflow, for every number of attempts")
    void agreesWithUnboundedArithmetic() {
        long[] edges = {0, 1, 2, 3, 25_000_000, 1L << 31, 1L << 32, (1L << 62) - 1, 1L << 62, Long.MAX_VALUE};
        for (long initial : edges) {
            for (long max : edges) {
                for (int attempts = 1; attempts <= Policy.MAX_RETRIES; attempts++) {
                    long expected = BigInteger.valueOf(initial)
                            .shiftLeft(attempts - 1)
                            .min(BigInteger.valueOf(max))
                            .longValueExact();

                    assertThat(Backoff.ceilingNanos(initial, max, attempts))
                            .as("initial %d, max %d, %d attempts", initial, max, attempts)
                            .isEqualTo(expected);
                }
            }
        }
    }
}
