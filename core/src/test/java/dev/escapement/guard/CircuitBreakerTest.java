package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.policy.BreakerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The breaker on the contract's own numbers. */
class CircuitBreakerTest {

    private static final long MS = 1_000_000;

    @ParameterizedTest(name = "a call every {0} ms: {1} pass of the first eight")
    @CsvSource({"30, 1 2 3 8", "40, 1 2 3 7 8"})
    @DisplayName("G2 threshold 3, cool-down 100")
    void vectors(long interval, String expected) {
        CircuitBreaker breaker = CircuitBreaker.of(BreakerSettings.builder()
                .consecutiveFailures(3)
                .openPeriod(Duration.ofMillis(100))
                .build());
        List<String> passed = new ArrayList<>();
        for (int call = 1; call <= 8; call++) {
            long start = call * interval * MS;
            int stamp = breaker.tryAdmit(start, Long.MAX_VALUE);
            if (stamp != CircuitBreaker.REFUSED) {
                passed.add(Integer.toString(call));
                boolean fails = call <= 3;
                breaker.record(stamp, fails ? Verdict.FAILURE : Verdict.SUCCESS, start + interval * MS, interval * MS);
            }
        }

        assertThat(passed).containsExactly(expected.split(" "));
    }
}
