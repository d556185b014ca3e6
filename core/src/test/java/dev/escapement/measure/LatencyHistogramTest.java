package dev.escapement.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A percentile is never too low and never more than a thirty-second too high, from 0 to the largest value there is. */
class LatencyHistogramTest {

    private static final int RECORDED = 50_021;
    private static final double[] PERCENTS = {0.000_001, 1, 25, 50, 90, 95, 99, 99.9, 99.99, 100};

    /** What a population of calls may look like, by the bits of a draw. */
    enum Shape {
        SMALL,
        FLAT,
        LONG_TAILED,
        TWO_HUMPED,
        ALL_MAGNITUDES;

        long[] draw(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            return LongStream.generate(() -> fromBits(random.nextLong() & Long.MAX_VALUE))
                    .limit(RECORDED)
                    .toArray();
        }

        private long fromBits(long bits) {
            return switch (this) {
                case SMALL -> bits & 127;
                case FLAT -> bits % 3_000_000;
                case LONG_TAILED -> 40_000 + (bits & 0xffff) * (bits & 0xffff) * (bits >>> 40 & 0xff);
                case TWO_HUMPED -> (bits & 1) == 0 ? 900_000 + bits % 1_000 : 2_000_000_000L + bits % 7_000_000;
                case ALL_MAGNITUDES -> bits >>> (bits & 63);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a percentile is at least what was recorded at its rank, and less than a thirty-second above it")
    void percentilesHaveABoundedError(Shape shape) {
        long[] values = shape.draw(20_261);
        LatencyHistogram histogram = histogramOf(values);
        Arrays.sort(values);

        for (double percent : PERCENTS) {
            long exact = values[Math.max(0, (int) Math.ceil(percent * RECORDED / 100) - 1)];

            assertThat(histogram.percentile(percent).orElseThrow())
                    .as("%s, %s percent", shape, percent)
                    .isBetween(exact, withItsError(exact));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("percentiles are those of HdrHistogram, within both errors")
    void percentilesAgreeWithHdrHistogram(Shape shape) {
        long[] values = shape.draw(4_821);
        LatencyHistogram histogram = histogramOf(values);
        Histogram reference = new Histogram(1, Long.MAX_VALUE, 4);
        Arrays.stream(values).forEach(reference::recordValue);

        for (double percent : PERCENTS) {
            long theirs = reference.getValueAtPercentile(percent);

            assertThat(histogram.percentile(percent).orElseThrow())
                    .as("%s, %s percent", shape, percent)
                    .isBetween(reference.lowestEquivalentValue(theirs), withItsError(theirs));
        }
        assertThat(histogram.count()).isEqualTo(reference.getTotalCount());
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("P5 the share at or above a length misses none, and adds only what is a thirty-second shorter")
    void countAtLeastHasABoundedError(Shape shape) {
        long[] values = shape.draw(77_003);
        LatencyHistogram histogram = histogramOf(values);

        for (int i = 0; i < RECORDED; i += 997) {
            long limit = values[i];
            long exactly = Arrays.stream(values).filter(value -> value >= limit).count();
            long nearly = Arrays.stream(values)
                    .filter(value -> value >= limit - limit / 32)
                    .count();

            assertThat(histogram.countAtLeast(limit))
                    .as("%s, %d ns", shape, limit)
                    .isBetween(exactly, nearly);
        }
        assertThat(histogram.countAtLeast(0)).isEqualTo(RECORDED);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                31,
                32,
                33,
                63,
                64,
                65,
                127,
                128,
                4_095,
                4_096,
                4_097,
                999_999_999,
                1L << 62,
                Long.MAX_VALUE - 1,
                Long.MAX_VALUE
            })
    @DisplayName("every value from 0 to the largest is recorded, and found again")
    void everyMagnitude(long nanos) {
        LatencyHistogram histogram = histogramOf(nanos);

        assertThat(histogram.count()).isEqualTo(1);
        assertThat(histogram.percentile(50).orElseThrow() - nanos).isBetween(0L, nanos / 32);
        assertThat(histogram.countAtLeast(nanos)).isEqualTo(1);
        long above = nanos + nanos / 32 + 1;
        assertThat(above < 0 ? 0 : histogram.countAtLeast(above)).isZero();
    }

    @Test
    @DisplayName("values below 64 are exact")
    void smallValuesAreExact() {
        LatencyHistogram histogram = histogramOf(LongStream.range(0, 64).toArray());

        for (int value = 0; value < 64; value++) {
            assertThat(histogram.countAtLeast(value)).isEqualTo(64 - value);
            assertThat(histogram.percentile((value + 1) * 100 / 64.0)).hasValue(value);
        }
    }

    @Test
    @DisplayName("a rank is the nearest one: 50 percent of two is the first, anything above it the second")
    void ranksAreNearest() {
        LatencyHistogram histogram = histogramOf(10, 20);

        assertThat(histogram.percentile(50)).hasValue(10);
        assertThat(histogram.percentile(50.000_001)).hasValue(20);
        assertThat(histogram.percentile(0.000_000_1)).hasValue(10);
        assertThat(histogram.percentile(100)).hasValue(20);
    }

    @Test
    @DisplayName("99.9 percent of a thousand leave one above, whatever a product of doubles says")
    void ranksAreExact() {
        LatencyHistogram histogram = new LatencyHistogram();
        for (int i = 0; i < 1_000; i++) {
            histogram.record(i < 999 ? 1 : 2);
        }

        assertThat(histogram.percentile(99.9)).hasValue(1);
        assertThat(histogram.percentile(99.900_001)).hasValue(2);
    }

    @Test
    void nothingRecordedIsNoPercentile() {
        LatencyHistogram histogram = new LatencyHistogram();

        assertThat(histogram.percentile(99)).isEmpty();
        assertThat(histogram.count()).isZero();
        assertThat(histogram.countAtLeast(0)).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 100.000_1, Double.NaN, Double.POSITIVE_INFINITY})
    void percentOutOfRange(double percent) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> histogramOf(1).percentile(percent))
                .withMessage("percent is " + percent + ", must be above 0 and at most 100");
    }

    @Test
    void negativeLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LatencyHistogram().record(-1))
                .withMessage("nanos is -1, must be 0 or more");
    }

    @Test
    @DisplayName("two threads recording the same and other values lose none")
    void noneIsLost() throws InterruptedException {
        LatencyHistogram histogram = new LatencyHistogram();
        int perThread = 200_000;

        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread(() -> {
                for (int value = 0; value < perThread; value++) {
                    histogram.record(value & 3);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(histogram.count()).isEqualTo(2L * perThread);
        assertThat(histogram.countAtLeast(3)).isEqualTo(perThread / 2);
    }

    @Test
    @DisplayName("recording allocates nothing")
    void recordingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        LatencyHistogram histogram = new LatencyHistogram();

        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(id);
            for (int i = 0; i < 20_000; i++) {
                histogram.record(i * 1_003L);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
        }

        assertThat(least).isZero();
    }

    private static long withItsError(long nanos) {
        return nanos + Math.min(nanos / 32, Long.MAX_VALUE - nanos);
    }

    private static LatencyHistogram histogramOf(long... values) {
        LatencyHistogram histogram = new LatencyHistogram();
        for (long value : values) {
            histogram.record(value);
        }
        return histogram;
    }
}
