package dev.escapement.gateway.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Times and decimals of the log, against what the JDK makes of them. */
class NumbersTest {

    @Test
    @DisplayName("RFC 3339 instants are told to the millisecond, before 1970 too")
    void instants() {
        InstantText text = new InstantText();
        SplittableRandom random = new SplittableRandom(20_261);
        for (int i = 0; i < 10_000; i++) {
            long millis =
                    i % 2 == 0 ? 1_796_000_000_000L + i : random.nextLong(-4_000_000_000_000L, 4_000_000_000_000L);
            String told = text.of(millis);
            assertThat(told).hasSize(24).endsWith("Z");
            assertThat(Instant.parse(told).toEpochMilli()).isEqualTo(millis);
        }
    }

    @Test
    @DisplayName("thousandths have three digits behind the point")
    void thousandths() {
        assertThat(Thousandths.text(0)).isEqualTo("0.000");
        assertThat(Thousandths.text(7)).isEqualTo("0.007");
        assertThat(Thousandths.text(-7)).isEqualTo("-0.007");
        assertThat(Thousandths.text(12_034)).isEqualTo("12.034");
        assertThat(Thousandths.text(-1_999_990)).isEqualTo("-1999.990");
    }
}
