package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A breaker's settings are a value, wrong ones cannot be built, and the defaults are pinned. */
class BreakerSettingsTest {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    @Test
    @DisplayName("P7 the defaults are a gateway's")
    void defaults() {
        BreakerSettings settings = BreakerSettings.standard();

        assertThat(settings.isNone()).isFalse();
        assertThat(settings.consecutiveFailures()).isEqualTo(5);
        assertThat(settings.failureRatePercent()).isEqualTo(50);
        assertThat(settings.minimumCalls()).isEqualTo(20);
        assertThat(settings.windowNanos()).isEqualTo(10_000_000_000L);
        assertThat(settings.windowCalls()).isZero();
        assertThat(settings.slowCallNanos()).isEqualTo(BreakerSettings.NEVER_SLOW);
        assertThat(settings.slowRatePercent()).isEqualTo(90);
        assertThat(settings.openPeriodNanos()).isEqualTo(5_000_000_000L);
        assertThat(settings.trials()).isEqualTo(1);
        assertThat(settings.tableSize()).isEqualTo(10_000);
        assertThat(settings)
                .hasToString("breaker: consecutiveFailures=5, failureRatePercent=50, minimumCalls=20, window=10s,"
                        + " slowCall=0.8 of the attempt timeout, slowRatePercent=90, openPeriod=5s, trials=1,"
                        + " tableSize=10000");
    }

    @Test
    @DisplayName("G2 settings keep every choice they were built with")
    void keepsEveryChoice() {
        BreakerSettings settings = BreakerSettings.builder()
                .consecutiveFailures(3)
                .failureRatePercent(41)
                .minimumCalls(7)
                .countWindow(11)
                .slowCall(Duration.ofMillis(130))
                .slowRatePercent(77)
                .openPeriod(Duration.ofMillis(900))
                .trials(4)
                .tableSize(55)
                .build();

        assertThat(settings.consecutiveFailures()).isEqualTo(3);
        assertThat(settings.failureRatePercent()).isEqualTo(41);
        assertThat(settings.minimumCalls()).isEqualTo(7);
        assertThat(settings.windowNanos()).isZero();
        assertThat(settings.windowCalls()).isEqualTo(11);
        assertThat(settings.slowCallNanos()).isEqualTo(130_000_000L);
        assertThat(settings.slowRatePercent()).isEqualTo(77);
        assertThat(settings.openPeriodNanos()).isEqualTo(900_000_000L);
        assertThat(settings.trials()).isEqualTo(4);
        assertThat(settings.tableSize()).isEqualTo(55);
        assertThat(settings)
                .hasToString("breaker: consecutiveFailures=3, failureRatePercent=41, minimumCalls=7, window=11 calls,"
                        + " slowCall=130ms, slowRatePercent=77, openPeriod=900ms, trials=4, tableSize=55");
    }

    @Test
    @DisplayName("G2 the window chosen last is the one")
    void theWindowChosenLast() {
        BreakerSettings count = BreakerSettings.builder()
                .timeWindow(Duration.ofSeconds(3))
                .countWindow(33)
                .build();
        BreakerSettings time = BreakerSettings.builder()
                .countWindow(33)
                .timeWindow(Duration.ofSeconds(3))
                .build();

        assertThat(count.windowCalls()).isEqualTo(33);
        assertThat(count.windowNanos()).isZero();
        assertThat(time.windowCalls()).isZero();
        assertThat(time.windowNanos()).isEqualTo(3_000_000_000L);
    }

    @ParameterizedTest(name = "attempt timeout {0} ns: slow from {1} ns on")
    @CsvSource({
        "1, 1",
        "2, 1",
        "4, 3",
        "5, 4",
        "9, 7",
        "800000000, 640000000",
        "9223372036854775807, 7378697629483820645"
    })
    @DisplayName("P7 where nothing was chosen, slow is 0.8 of the attempt timeout, rounded down, at least 1 ns")
    void slowFollowsTheAttemptTimeout(long attemptTimeoutNanos, long slowCallNanos) {
        BreakerSettings standard = BreakerSettings.standard();
        BreakerSettings chosen =
                BreakerSettings.builder().slowCall(Duration.ofNanos(17)).build();

        BreakerSettings derived = standard.forAttemptTimeout(attemptTimeoutNanos);

        assertThat(derived.slowCallNanos()).isEqualTo(slowCallNanos);
        assertThat(derived.forAttemptTimeout(1_000).slowCallNanos()).isEqualTo(800);
        assertThat(derived.openPeriodNanos()).isEqualTo(standard.openPeriodNanos());
        assertThat(chosen.forAttemptTimeout(attemptTimeoutNanos)).isSameAs(chosen);
    }

    @Test
    @DisplayName("G2 none is no breaker, whatever the attempt timeout")
    void none() {
        BreakerSettings none = BreakerSettings.none();

        assertThat(none.isNone()).isTrue();
        assertThat(none.forAttemptTimeout(1_000).isNone()).isTrue();
        assertThat(none).hasToString("no breaker, tableSize=10000");
    }

    @Test
    @DisplayName("P1 settings are equal by their values")
    void equalByValue() {
        assertThat(BreakerSettings.standard())
                .isEqualTo(BreakerSettings.builder().build())
                .hasSameHashCodeAs(BreakerSettings.builder().build())
                .isNotEqualTo(BreakerSettings.none())
                .isNotEqualTo(BreakerSettings.standard().forAttemptTimeout(1_000))
                .isNotEqualTo(BreakerSettings.builder().trials(2).build());
    }

    @Test
    @DisplayName("P2 every fault is listed at once")
    void everyFaultAtOnce() {
        BreakerSettings.Builder wrong = BreakerSettings.builder()
                .consecutiveFailures(-1)
                .failureRatePercent(101)
                .minimumCalls(0)
                .timeWindow(Duration.ofNanos(9))
                .slowCall(Duration.ZERO)
                .slowRatePercent(-1)
                .openPeriod(Duration.ofNanos(-1))
                .trials(0)
                .tableSize(0);

        assertThat(faults(wrong))
                .extracting(PolicyFault::toString)
                .containsExactly(
                        "openPeriod = PT-0.000000001S: expected PT0.000000001S to " + LONGEST,
                        "consecutiveFailures = -1: expected 0 to 65536",
                        "failureRatePercent = 101: expected 0 to 100",
                        "timeWindow = PT0.000000009S: expected PT0.00000001S to " + LONGEST,
                        "minimumCalls = 0: expected 1 to 65536",
                        "slowCall = PT0S: expected PT0.000000001S to " + LONGEST,
                        "slowRatePercent = -1: expected 0 to 100",
                        "trials = 0: expected 1 to 64",
                        "tableSize = 0: expected 1 to 1048576");
    }

    @Test
    @DisplayName("P2 what lies above its range is a fault")
    void aboveTheRange() {
        BreakerSettings.Builder wrong = BreakerSettings.builder()
                .consecutiveFailures(65_537)
                .minimumCalls(65_537)
                .countWindow(65_537)
                .slowCall(LONGEST.plusNanos(1))
                .slowRatePercent(101)
                .openPeriod(LONGEST.plusNanos(1))
                .trials(65)
                .tableSize((1 << 20) + 1);

        assertThat(faults(wrong))
                .extracting(PolicyFault::parameter)
                .containsExactly(
                        "consecutiveFailures",
                        "countWindow",
                        "minimumCalls",
                        "slowCall",
                        "slowRatePercent",
                        "openPeriod",
                        "trials",
                        "tableSize");
        assertThat(faults(BreakerSettings.builder().timeWindow(LONGEST.plusNanos(1))))
                .extracting(PolicyFault::parameter)
                .containsExactly("timeWindow");
        assertThat(faults(BreakerSettings.builder().timeWindow(Duration.ofNanos(-1))))
                .extracting(PolicyFault::kind)
                .containsExactly(PolicyFault.Kind.NEGATIVE_DURATION);
    }

    @Test
    @DisplayName("P2 a share that waits for more calls than the window holds is a fault")
    void moreCallsThanTheWindowHolds() {
        assertThat(faults(BreakerSettings.builder().countWindow(19)))
                .extracting(PolicyFault::toString)
                .containsExactly("minimumCalls = 20: expected 1 to 19");
        assertThat(faults(BreakerSettings.builder().countWindow(1).minimumCalls(2)))
                .extracting(PolicyFault::toString)
                .containsExactly("minimumCalls = 2: expected 1 to 1");
        assertThat(faults(BreakerSettings.builder().countWindow(0)))
                .extracting(PolicyFault::toString)
                .containsExactly("countWindow = 0: expected 1 to 65536");
    }

    @Test
    @DisplayName("P2 the ends of every range are legal")
    void theEndsOfEveryRange() {
        assertThatCode(BreakerSettings.builder()
                        .consecutiveFailures(0)
                        .failureRatePercent(0)
                        .minimumCalls(1)
                        .countWindow(1)
                        .slowCall(Duration.ofNanos(1))
                        .slowRatePercent(0)
                        .openPeriod(Duration.ofNanos(1))
                        .trials(1)
                        .tableSize(1)::build)
                .doesNotThrowAnyException();
        assertThatCode(BreakerSettings.builder()
                        .consecutiveFailures(65_536)
                        .failureRatePercent(100)
                        .minimumCalls(65_536)
                        .countWindow(65_536)
                        .slowCall(LONGEST)
                        .slowRatePercent(100)
                        .openPeriod(LONGEST)
                        .trials(64)
                        .tableSize(1 << 20)::build)
                .doesNotThrowAnyException();
        assertThatCode(BreakerSettings.builder().timeWindow(Duration.ofNanos(10))::build)
                .doesNotThrowAnyException();
        assertThatCode(BreakerSettings.builder().timeWindow(LONGEST)::build).doesNotThrowAnyException();
    }

    private static List<PolicyFault> faults(BreakerSettings.Builder wrong) {
        return catchThrowableOfType(PolicyException.class, wrong::build).faults();
    }
}
