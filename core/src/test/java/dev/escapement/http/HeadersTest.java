package dev.escapement.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Header lines keep their order and repeat; none of them can become two. */
class HeadersTest {

    @Test
    @DisplayName("R4 lines keep order and repetition; names compare without case")
    void keepsLinesApart() {
        Headers headers = Headers.of("Retry-After", "2", "X-Id", "a", "retry-after", "3");

        assertThat(headers.count()).isEqualTo(3);
        assertThat(headers.nameAt(2)).isEqualTo("retry-after");
        assertThat(headers.valueAt(2)).isEqualTo("3");
        assertThat(headers.first("RETRY-AFTER")).contains("2");
        assertThat(headers.all("Retry-After")).containsExactly("2", "3");
        assertThat(headers.all("X-Other")).isEmpty();
        assertThat(headers.first("X-Other")).isEmpty();
        assertThat(headers.contains("x-id")).isTrue();
    }

    @Test
    @DisplayName("P1 a header list is a value: neither the caller's array nor adding a line changes it")
    void isImmutable() {
        String[] given = {"X-Id", "a"};
        Headers headers = Headers.of(given);
        given[1] = "b";

        Headers more = headers.and("X-Other", "c");

        assertThat(headers.first("X-Id")).contains("a");
        assertThat(headers.count()).isEqualTo(1);
        assertThat(more.count()).isEqualTo(2);
    }

    @ParameterizedTest(
            name = "RFC 9112 §11 [{index}] a value with a control character or a blank at its end is refused")
    @ValueSource(
            strings = {
                "a\r\nX-Evil: 1",
                "a\nb",
                "a\rb",
                "a\u0000b",
                "a\u007fb",
                "a\u000bb",
                " a",
                "a ",
                "\ta",
                "a\t",
                " ",
                "a\u0100b",
                "\u0661"
            })
    void refusesValuesThatCouldSmuggle(String value) {
        assertThatThrownBy(() -> Headers.of("X-Id", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("value of header X-Id (" + value.length()
                        + " characters): expected Latin-1 without control characters and without blanks at its ends");
        assertThatThrownBy(() -> Headers.empty().and("X-Id", value)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest(name = "RFC 9112 §11 [{index}] a value with inner blanks, obs-text or nothing at all passes")
    @ValueSource(strings = {"", "a b\tc", "é", "\u00ff", "a, b; c=\"d\""})
    void acceptsWhatRfc9110Allows(String value) {
        assertThat(Headers.of("X-Id", value).first("x-id")).contains(value);
    }

    @ParameterizedTest(name = "RFC 9112 §11 [{index}] a name that is no token is refused")
    @ValueSource(strings = {"", "X Id", "X-Id:", "X-Id\r\n", "X\u0000", "Ü", "X-Id ", "(x)"})
    void refusesNamesThatAreNoToken(String name) {
        assertThatThrownBy(() -> Headers.of(name, "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("header name ")
                .hasMessageEndingWith("expected a token")
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContainPattern("\\p{Cntrl}"));
    }

    @Test
    @DisplayName("RFC 9112 §11 a name without a value is refused")
    void refusesAnOddCount() {
        assertThatThrownBy(() -> Headers.of("X-Id", "a", "X-Other"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 strings");
    }

    @Test
    @DisplayName("RFC 9110 §17 the text of a header list tells names and lengths, never a value")
    void hidesValues() {
        assertThat(Headers.of("Authorization", "secret").toString())
                .isEqualTo("[Authorization: 6 characters]")
                .doesNotContain("secret");
    }

    @Test
    @DisplayName("G5 replacing drops every line of those names, in any case, and adds the new ones at the end")
    void replacing() {
        Headers headers = Headers.of("A", "1", "b", "2", "a", "3", "C", "4");

        Headers replaced = headers.replacing(List.of("A", "missing"), List.of("c", "5", "A", "6"));

        assertThat(lines(replaced)).containsExactly("b: 2", "C: 4", "c: 5", "A: 6");
        assertThat(lines(headers)).containsExactly("A: 1", "b: 2", "a: 3", "C: 4");
        assertThat(lines(headers.replacing(List.of("B"), List.of()))).containsExactly("A: 1", "a: 3", "C: 4");
        assertThat(lines(headers.replacing(List.of(), List.of("d", "7")))).hasSize(5);
        assertThat(headers.replacing(List.of("a", "b", "c"), List.of())).isSameAs(Headers.empty());
    }

    @Test
    @DisplayName("G5 what replaces is checked as everything else is")
    void replacingIsChecked() {
        assertThatThrownBy(() -> Headers.empty().replacing(List.of(), List.of("a", "1\r\nb: 2")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Headers.empty().replacing(List.of(), List.of("a")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static List<String> lines(Headers headers) {
        return java.util.stream.IntStream.range(0, headers.count())
                .mapToObj(i -> headers.nameAt(i) + ": " + headers.valueAt(i))
                .toList();
    }
}
