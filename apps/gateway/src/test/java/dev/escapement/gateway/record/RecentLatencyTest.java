package dev.escapement.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Percentiles of late. */
class RecentLatencyTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long FAST = 32;
    private static final long SLOW = 48;

    private final RecentLatency latency = new RecentLatency(100 * SECOND);

    private void record(long nanos, int times, long atSecond) {
        for (int i = 0; i < times; i++) {
            latency.record(nanos, atSecond * SECOND);
        }
    }

    private long median(long atSecond) {
        return latency.percentile(50, atSecond * SECOND).orElse(-1);
    }

    @Test
    @DisplayName("Latency: nothing was recorded, nothing is known")
    void nothingIsKnownOfNothing() {
        assertThat(median(100)).isEqualTo(-1);
    }

    @Test
    @DisplayName("Latency: what is less than 15 seconds old counts, what is more than 30 does not")
    void rememberedFor15To30Seconds() {
        record(SLOW, 3, 101);
        record(FAST, 2, 114);
        assertThat(median(114)).isEqualTo(SLOW);

        // The younger histogram, made at the start, has taken over: it knows both.
        assertThat(median(116)).isEqualTo(SLOW);

        record(FAST, 2, 120);
        assertThat(median(131)).isEqualTo(FAST);
        assertThat(median(146)).isEqualTo(-1);
    }

    @Test
    @DisplayName("Latency: after a long silence nothing old is told")
    void silenceForgets() {
        record(SLOW, 3, 101);

        assertThat(median(500)).isEqualTo(-1);
    }
}
