package dev.escapement.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which methods are safe to repeat, and what may be a method at all. */
class MethodTest {

    @ParameterizedTest(name = "R1 {0}: idempotent {1}, safe {2}")
    @CsvSource({
        "GET,     true,  true",
        "HEAD,    true,  true",
        "OPTIONS, true,  true",
        "TRACE,   true,  true",
        "PUT,     true,  false",
        "DELETE,  true,  false",
        "POST,    false, false",
        "PATCH,   false, false"
    })
    void registeredMethodsFollowRfc9110(String name, boolean idempotent, boolean safe) {
        Method method = Method.of(name);

        assertThat(Method.isKnown(name)).isTrue();
        assertThat(method.name()).isEqualTo(name);
        assertThat(method.isIdempotent()).isEqualTo(idempotent);
        assertThat(method.isSafe()).isEqualTo(safe);
    }

    @ParameterizedTest(name = "R1 {0} is a method, unknown and not safe to repeat")
    @ValueSource(strings = {"PURGE", "get", "Put", "M-SEARCH"})
    void anyOtherTokenIsNeverSafeToRepeat(String name) {
        Method method = Method.of(name);

        assertThat(Method.isKnown(name)).isFalse();
        assertThat(method.isIdempotent()).isFalse();
        assertThat(method.isSafe()).isFalse();
    }

    @ParameterizedTest(name = "RFC 9112 §11 [{index}] no request line can be injected through a method")
    @ValueSource(
            strings = {"", "GET ", " GET", "GET\r\nHost: x", "GET\n", "GE T", "G\u0000ET", "GÉT", "GET/", "CONNECT"})
    void refusesWhatIsNoTokenAndTheTunnel(String name) {
        assertThatThrownBy(() -> Method.of(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a token other than CONNECT")
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContainPattern("\\p{Cntrl}"));
    }

    @Test
    @DisplayName("R1 methods are equal by their name, in the case it was given")
    void equalsByName() {
        assertThat(Method.of("PURGE")).isEqualTo(Method.of("PURGE")).hasSameHashCodeAs(Method.of("PURGE"));
        assertThat(Method.of("get")).isNotEqualTo(Method.GET);
        assertThat(Method.of("GET")).isSameAs(Method.GET);
    }
}
