package dev.escapement.netty;

import dev.escapement.netty.scenes.Mutator;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link DecoderFuzz} on mutated scenes: for a second in CI; {@code -Dfuzz.seconds=300} takes its time. */
class DecoderFuzzTest {

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS) // as long as it was asked to
    @DisplayName("E6 G5 however its bytes are cut, a response is the same response or the same fault")
    void cutsChangeNothing() {
        long seed = Long.getLong("fuzz.seed", System.nanoTime());
        Mutator mutator = new Mutator(seed);
        SplittableRandom random = new SplittableRandom(seed);
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("fuzz.seconds", 1));
        int inputs = 0;
        for (; System.nanoTime() < endNanos; inputs++) {
            byte[] bytes = mutator.next();
            byte[] input = new byte[bytes.length + 1];
            input[0] = (byte) random.nextInt(256);
            System.arraycopy(bytes, 0, input, 1, bytes.length);
            try {
                DecoderFuzz.fuzzerTestOneInput(input);
            } catch (AssertionError | RuntimeException found) {
                throw new AssertionError("seed " + seed + ", input " + inputs + ": " + Arrays.toString(input), found);
            }
        }
        System.out.println("fuzzed the decoder with " + inputs + " inputs, seed " + seed);
    }
}
