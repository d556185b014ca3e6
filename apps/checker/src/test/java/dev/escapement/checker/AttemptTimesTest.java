package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.measure.LatencyHistogram;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long attempts took, and the timeout that follows. */
class AttemptTimesTest {

    private final LatencyHistogram times = new LatencyHistogram();

    @Test
    @DisplayName("P5 the suggestion is the 99th percentile and a quarter, rounded up to two digits")
    void suggestsATimeout() {
        record(99, 40);
        record(1, 63);

        assertThat(AttemptTimes.of(100, times, 63).p99()).hasValue(40);
        assertThat(AttemptTimes.of(100, times, 63).suggestedTimeout()).hasValue(50);

        record(99, 63);
        // 63 and a quarter is 78.75.
        assertThat(AttemptTimes.of(199, times, 63).suggestedTimeout()).hasValue(79);
    }

    @Test
    @DisplayName("P5 nothing is suggested below 20 answered attempts, nor where none was timed")
    void suggestsNothingFromLittle() {
        assertThat(AttemptTimes.of(100, times, 0).suggestedTimeout()).isEmpty();

        record(30, 10);

        assertThat(AttemptTimes.of(19, times, 10).suggestedTimeout()).isEmpty();
        assertThat(AttemptTimes.of(20, times, 10).suggestedTimeout()).hasValue(13);
    }

    @Test
    @DisplayName("P5 a suggestion beyond what a length can be is the longest one")
    void doesNotOverflow() {
        record(20, Long.MAX_VALUE);

        assertThat(AttemptTimes.of(20, times, Long.MAX_VALUE).suggestedTimeout())
                .hasValue(Long.MAX_VALUE);
    }

    @Test
    @DisplayName("no percentile lies above the longest time, for all the histogram's error")
    void keepsBelowTheLongest() {
        record(50, 1_000);
        record(50, 1_001);

        AttemptTimes seen = AttemptTimes.of(100, times, 1_001);

        assertThat(seen.timed()).isEqualTo(100);
        assertThat(seen.p50()).isEqualTo(OptionalLong.of(1_001));
        assertThat(seen.p90()).isEqualTo(OptionalLong.of(1_001));
        assertThat(seen.p99()).isEqualTo(OptionalLong.of(1_001));
        assertThat(seen.max()).isEqualTo(OptionalLong.of(1_001));
    }

    @Test
    void hasNothingWhereNothingWasTimed() {
        AttemptTimes none = AttemptTimes.of(0, times, 0);

        assertThat(none.timed()).isZero();
        assertThat(none.p50()).isEmpty();
        assertThat(none.p99()).isEmpty();
        assertThat(none.max()).isEmpty();
    }

    private void record(int count, long nanos) {
        for (int i = 0; i < count; i++) {
            times.record(nanos);
        }
    }
}
