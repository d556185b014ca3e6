package dev.escapement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Method;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** I6: what may be repeated once an attempt may have had its effect is a choice of its own. */
class DeliveryTest {

    private static Policy delivering(Delivery choice) {
        return Policy.builder(Duration.ofSeconds(2)).delivery(choice).build();
    }

    private static String word(RetryDecision decision) {
        return decision instanceof RetryDecision.Stop stop
                ? stop.reason().name()
                : decision.kind().name();
    }

    @ParameterizedTest(name = "I6 {0}, a reset {1} written whole: {2}, with a key {3}")
    @DisplayName("I6 a lost reply is repeated as the choice says")
    @CsvSource({
        "AT_LEAST_ONCE, GET,  RETRY,            RETRY",
        "AT_LEAST_ONCE, PUT,  RETRY,            RETRY",
        "AT_LEAST_ONCE, POST, AMBIGUOUS_EFFECT, RETRY",
        "KEYED,         GET,  RETRY,            RETRY",
        "KEYED,         PUT,  AMBIGUOUS_EFFECT, RETRY",
        "KEYED,         POST, AMBIGUOUS_EFFECT, RETRY",
        "AT_MOST_ONCE,  GET,  RETRY,            RETRY",
        "AT_MOST_ONCE,  PUT,  AMBIGUOUS_EFFECT, AMBIGUOUS_EFFECT",
        "AT_MOST_ONCE,  POST, AMBIGUOUS_EFFECT, AMBIGUOUS_EFFECT"
    })
    void lostReplies(Delivery choice, String method, String plain, String keyed) {
        Scene scene = new Scene(delivering(choice))
                .method(Method.of(method))
                .failed(TransportFailure.Kind.RESET)
                .progress(Progress.COMPLETE);

        assertThat(word(scene.decide())).isEqualTo(plain);
        assertThat(word(scene.keyed().decide())).isEqualTo(keyed);
        assertThat(word(scene.timedOut().decide())).isEqualTo(keyed);
    }

    @ParameterizedTest(name = "I6 {0}, a 503 to {1}: {2}, with a key {3}")
    @DisplayName("I6 a retryable status leaves the effect in doubt as well")
    @CsvSource({
        "AT_LEAST_ONCE, PUT,  RETRY,                RETRY",
        "KEYED,         PUT,  AMBIGUOUS_EFFECT,     RETRY",
        "KEYED,         POST, METHOD_NOT_RETRYABLE, RETRY",
        "AT_MOST_ONCE,  GET,  RETRY,                RETRY",
        "AT_MOST_ONCE,  PUT,  AMBIGUOUS_EFFECT,     AMBIGUOUS_EFFECT",
        "AT_MOST_ONCE,  POST, METHOD_NOT_RETRYABLE, AMBIGUOUS_EFFECT"
    })
    void retryableStatuses(Delivery choice, String method, String plain, String keyed) {
        Scene scene = new Scene(delivering(choice)).method(Method.of(method)).answered(503);

        assertThat(word(scene.decide())).isEqualTo(plain);
        assertThat(word(scene.keyed().decide())).isEqualTo(keyed);
    }

    @ParameterizedTest(name = "I6 {0}: repeated where nothing was written")
    @DisplayName("I6 E3 no choice forbids repeating what cannot have had an effect")
    @EnumSource(Delivery.class)
    void nothingWrittenIsRepeated(Delivery choice) {
        Scene scene = new Scene(delivering(choice)).method(Method.POST).progress(Progress.NOT_STARTED);

        assertThat(word(scene.failed(TransportFailure.Kind.RESET).decide())).isEqualTo("RETRY");
        assertThat(word(scene.timedOut().decide())).isEqualTo("RETRY");
    }

    @ParameterizedTest(name = "I6 {0}: repeated after a status that proves no effect")
    @DisplayName("I6 E3 nor after a status that proves that nothing was done")
    @EnumSource(Delivery.class)
    void effectFreeStatusesAreRepeated(Delivery choice) {
        Policy policy = Policy.builder(Duration.ofSeconds(2))
                .delivery(choice)
                .effectFreeStatuses(Set.of(503))
                .build();

        assertThat(word(new Scene(policy).method(Method.POST).answered(503).decide()))
                .isEqualTo("RETRY");
    }

    @Test
    @DisplayName("I6 the choice is not implied by a number of retries")
    void notImpliedByRetries() {
        Policy policy = Policy.builder(Duration.ofSeconds(2))
                .maxRetries(Policy.MAX_RETRIES)
                .delivery(Delivery.AT_MOST_ONCE)
                .build();

        assertThat(word(new Scene(policy).method(Method.PUT).timedOut().decide()))
                .isEqualTo("AMBIGUOUS_EFFECT");
    }
}
