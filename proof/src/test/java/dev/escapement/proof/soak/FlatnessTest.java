package dev.escapement.proof.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the soak calls flat, and what it does not. */
class FlatnessTest {

    private static final long MEGABYTE = 1 << 20;

    private final Flatness flatness = new Flatness();

    @Test
    @DisplayName("L3 a process that warms up and then breathes is flat")
    void breathing() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 30; i++) {
            long warm = Math.min(i, 9);
            long breath = random.nextLong(3 * MEGABYTE);
            flatness.add(new Gauges(warm * 5 * MEGABYTE + breath, warm * MEGABYTE, 12, 20 + random.nextInt(3)));
        }

        assertThat(flatness.growth()).isEmpty();
    }

    @Test
    @DisplayName("L3 a leak shows through the breathing, once it has grown beyond it")
    void leaking() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 30; i++) {
            flatness.add(new Gauges(i * MEGABYTE / 4 + random.nextLong(2 * MEGABYTE), 7 * MEGABYTE, 12, 20));
        }

        assertThat(flatness.growth().orElseThrow()).startsWith("heap bytes from at most ");
    }

    @Test
    @DisplayName("E8 each figure is judged by itself, threads and descriptors to the last one")
    void eachFigure() {
        for (int i = 0; i < Flatness.FEWEST; i++) {
            assertThat(flatness.growth()).as("after %d readings", i).isEmpty();
            flatness.add(new Gauges(1, i < 7 ? 1 : MEGABYTE, i < 7 ? 12 : 13, i < 7 ? 20 : 21));
        }

        assertThat(flatness.growth())
                .contains("direct bytes from at most 1 to at least 1048576, threads from at most 12 to at least 13, "
                        + "descriptors from at most 20 to at least 21");
    }
}
