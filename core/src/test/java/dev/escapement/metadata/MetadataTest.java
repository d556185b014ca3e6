package dev.escapement.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.report.Outcome;
import dev.escapement.transport.TransportFailure;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes out with an attempt, to the letter. */
class MetadataTest {

    private static final Request REQUEST = Request.get("http://service.test/").with("Accept", "text/plain");
    private static final long MS = 1_000_000;

    private static AttemptFacts facts(long remainingNanos, int ordinal) {
        return new AttemptFacts(
                remainingNanos,
                ordinal,
                5,
                AttemptKind.SEQUENTIAL,
                ordinal == 1 ? Optional.empty() : Optional.of(FailureClass.TIMEOUT),
                Optional.empty(),
                Optional.empty());
    }

    /** Each line as {@code name: value}, those of the request itself included. */
    private static List<String> lines(Request request) {
        Headers headers = request.headers();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < headers.count(); i++) {
            lines.add(headers.nameAt(i) + ": " + headers.valueAt(i));
        }
        return lines;
    }

    private static List<String> sent(Metadata metadata, AttemptFacts facts) {
        return lines(metadata.decorate(REQUEST, facts).orElseThrow());
    }

    @ParameterizedTest
    @DisplayName("M1 preset envoy tells whole milliseconds and counts attempts from 1")
    @CsvSource({
        "1000000, 1, 1, 1",
        "1999999, 2, 1, 2",
        "2000000, 3, 2, 3",
        "540000000, 4, 540, 4",
        "9999999999999999, 4, 9999999999, 4",
        "9223372036854775807, 5, 9999999999, 5"
    })
    void envoy(long remainingNanos, int ordinal, long millis, int count) {
        assertThat(sent(Metadata.of(Preset.ENVOY), facts(remainingNanos, ordinal)))
                .containsExactly(
                        "Accept: text/plain",
                        "x-envoy-expected-rq-timeout-ms: " + millis,
                        "x-envoy-attempt-count: " + count);
    }

    @ParameterizedTest
    @DisplayName("M1 preset grpc tells the time in the finest unit that takes at most 8 digits, rounded down")
    @CsvSource({
        "1, 1n",
        "99999999, 99999999n",
        "100000000, 100000u",
        "100000999, 100000u",
        "99999999999, 99999999u",
        "100000000000, 100000m",
        "99999999999999, 99999999m",
        "100000000000000, 100000S",
        "99999999999999999, 99999999S",
        "100000000000000000, 1666666M",
        "5999999999999999999, 99999999M",
        "6000000000000000000, 1666666H",
        "9223372036854775807, 2562047H"
    })
    void grpcTimeout(long remainingNanos, String timeout) {
        assertThat(sent(Metadata.of(Preset.GRPC), facts(remainingNanos, 1)))
                .containsExactly("Accept: text/plain", "grpc-timeout: " + timeout);
    }

    @Test
    @DisplayName("M1 preset grpc counts earlier attempts, and says nothing of them with the first")
    void grpcAttempts() {
        for (int ordinal = 2; ordinal <= 5; ordinal++) {
            assertThat(sent(Metadata.of(Preset.GRPC), facts(MS, ordinal)))
                    .containsExactly(
                            "Accept: text/plain",
                            "grpc-timeout: 1000000n",
                            "grpc-previous-rpc-attempts: " + (ordinal - 1));
        }
    }

    @Test
    @DisplayName("M1 preset escapement tells every fact")
    void escapement() {
        Metadata metadata = Metadata.of(Preset.ESCAPEMENT).withRetryOwner("edge");

        assertThat(sent(metadata, facts(540 * MS + 999_999, 1)))
                .containsExactly(
                        "Accept: text/plain",
                        "Escapement-Remaining-Ms: 540",
                        "Escapement-Attempt: 1",
                        "Escapement-Max-Attempts: 5",
                        "Escapement-Kind: sequential",
                        "Escapement-Retry-Owner: edge");
        assertThat(sent(
                        metadata,
                        new AttemptFacts(
                                30 * MS,
                                3,
                                4,
                                AttemptKind.HEDGE,
                                Optional.of(FailureClass.STATUS),
                                Optional.of("evt-4821"),
                                Optional.of("outer/1"))))
                .containsExactly(
                        "Accept: text/plain",
                        "Escapement-Remaining-Ms: 30",
                        "Escapement-Attempt: 3",
                        "Escapement-Max-Attempts: 4",
                        "Escapement-Kind: hedge",
                        "Escapement-Previous-Failure: status",
                        "Escapement-Operation: evt-4821",
                        "Escapement-Retry-Owner: outer/1");
    }

    @Test
    @DisplayName("M3 a layer that makes one attempt claims nothing, and passes on what an outer one claimed")
    void ownership() {
        Metadata metadata = Metadata.of(Preset.ESCAPEMENT).withRetryOwner("edge");
        AttemptFacts only = new AttemptFacts(
                MS, 1, 1, AttemptKind.SEQUENTIAL, Optional.empty(), Optional.empty(), Optional.empty());
        AttemptFacts ownedAbove = new AttemptFacts(
                MS, 1, 1, AttemptKind.SEQUENTIAL, Optional.empty(), Optional.empty(), Optional.of("outer"));

        assertThat(sent(metadata, only)).noneMatch(line -> line.contains("Owner"));
        assertThat(sent(metadata, ownedAbove)).contains("Escapement-Retry-Owner: outer");
        assertThat(sent(Metadata.of(Preset.ESCAPEMENT), facts(MS, 1))).noneMatch(line -> line.contains("Owner"));
    }

    @Test
    @DisplayName("M1 preset none sends the request itself")
    void none() {
        assertThat(Metadata.of(Preset.NONE)).isSameAs(Metadata.none());
        assertThat(Metadata.none().isNone()).isTrue();
        assertThat(Metadata.of(Preset.GRPC).isNone()).isFalse();
        assertThat(sent(Metadata.none(), facts(1, 1))).containsExactly("Accept: text/plain");
    }

    @ParameterizedTest
    @DisplayName("M1 less than one unit left is no attempt: at -1, 0 and +1 ns, with a margin and without")
    @CsvSource({"ENVOY, 1000000", "ESCAPEMENT, 1000000", "GRPC, 1"})
    void oneUnit(Preset preset, long unitNanos) {
        for (long marginNanos : new long[] {0, 1, 250 * MS}) {
            Metadata metadata = Metadata.of(preset).withNetworkMargin(Duration.ofNanos(marginNanos));
            long edge = marginNanos + unitNanos;

            if (edge > 1) {
                assertThat(metadata.decorate(REQUEST, facts(edge - 1, 1))).isEmpty();
            }
            String one = "[^:]+: (1n|1)";
            assertThat(sent(metadata, facts(edge, 1)).get(1)).matches(one);
            String next = unitNanos == 1 ? "[^:]+: 2n" : one;
            assertThat(sent(metadata, facts(edge + 1, 1)).get(1)).matches(next);
            String two = "[^:]+: (2n|2)";
            assertThat(sent(metadata, facts(edge + unitNanos, 1)).get(1)).matches(two);
        }
    }

    @ParameterizedTest
    @DisplayName(
            "M1 what the request carried under these names is replaced in any case, and dropped where nothing is told")
    @EnumSource(
            value = Preset.class,
            names = {"ENVOY", "GRPC", "ESCAPEMENT"})
    void replaced(Preset preset) {
        List<String> forged = new ArrayList<>();
        for (String name : preset.dialect().names()) {
            forged.addAll(List.of(name.toUpperCase(java.util.Locale.ROOT), "9", "Between", "kept", name, "8"));
        }
        Request carrying = Request.of(
                Method.POST,
                URI.create("http://service.test/x"),
                Headers.of(forged.toArray(String[]::new)),
                Body.of("body"));

        Request decorated =
                Metadata.of(preset).decorate(carrying, facts(3 * MS, 1)).orElseThrow();

        List<String> own = sent(Metadata.of(preset), facts(3 * MS, 1));
        int kept = preset.dialect().names().size();
        assertThat(lines(decorated).subList(0, kept)).containsOnly("Between: kept");
        assertThat(lines(decorated).subList(kept, lines(decorated).size())).isEqualTo(own.subList(1, own.size()));
        assertThat(decorated.method()).isEqualTo(Method.POST);
        assertThat(decorated.uri()).isEqualTo(carrying.uri());
        assertThat(decorated.body()).isSameAs(carrying.body());
        assertThat(carrying.headers().count()).isEqualTo(3 * kept);
    }

    @ParameterizedTest
    @DisplayName("M1 what cannot be an identifier is refused before it can reach a header")
    @ValueSource(
            strings = {"", "a b", "a\r\nX: y", "a\n", "a,b", "a;b", "\"a\"", "a\\b", "\u00e4", "\u0000", "a\t", "\u007f"
            })
    void identifiers(String text) {
        assertThat(Identifiers.isAllowed(text)).isFalse();
        assertThatThrownBy(() -> Metadata.of(Preset.ESCAPEMENT).withRetryOwner(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("owner token of " + text.length() + " characters: expected 1 to 128");
        assertThatThrownBy(() -> new AttemptFacts(
                        1, 1, 1, AttemptKind.SEQUENTIAL, Optional.empty(), Optional.of(text), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("operation id of");
        assertThatThrownBy(() -> new AttemptFacts(
                        1, 1, 1, AttemptKind.SEQUENTIAL, Optional.empty(), Optional.empty(), Optional.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("owner token of");
    }

    @Test
    @DisplayName("M1 an identifier has up to 128 characters")
    void identifierLength() {
        assertThat(Identifiers.isAllowed("x".repeat(128))).isTrue();
        assertThat(Identifiers.isAllowed("x".repeat(129))).isFalse();
        assertThat(Identifiers.checked("id", "0f/9:c-A_~!")).isEqualTo("0f/9:c-A_~!");
    }

    @Test
    @DisplayName("P2 wrong settings and impossible attempts cannot be built")
    void wrongSettings() {
        Metadata envoy = Metadata.of(Preset.ENVOY);

        assertThatThrownBy(() -> envoy.withNetworkMargin(Duration.ofNanos(-1)))
                .hasMessage("network margin PT-0.000000001S: expected zero to PT1M");
        assertThatThrownBy(() -> envoy.withNetworkMargin(Duration.ofMinutes(1).plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Metadata.none().withNetworkMargin(Duration.ofMillis(1)))
                .hasMessage("network margin: no time is told by preset NONE");
        assertThatThrownBy(() -> envoy.withRetryOwner("edge"))
                .hasMessage("owner token: preset ENVOY has no word for it");
        assertThatThrownBy(() -> facts(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> facts(1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> facts(1, 6)).isInstanceOf(IllegalArgumentException.class);
        assertThat(envoy.withNetworkMargin(Duration.ofMillis(5))).hasToString("ENVOY, network margin PT0.005S");
        assertThat(Metadata.of(Preset.ESCAPEMENT).withRetryOwner("edge"))
                .hasToString("ESCAPEMENT, retries owned by edge");
    }

    @Test
    @DisplayName("M1 E9 every failure of an attempt has a class, and only those")
    void failureClasses() {
        assertThat(FailureClass.of(new Outcome.Response(Response.of(503)))).contains(FailureClass.STATUS);
        assertThat(FailureClass.of(Outcome.AttemptTimeout.INSTANCE)).contains(FailureClass.TIMEOUT);
        for (TransportFailure.Kind kind : TransportFailure.Kind.values()) {
            assertThat(FailureClass.of(new Outcome.TransportFailed(TransportFailure.of(kind, "failed"))))
                    .contains(kind.isConnectFailure() ? FailureClass.CONNECT : FailureClass.TRANSPORT);
        }
        assertThat(FailureClass.of(Outcome.OverallDeadline.WITHOUT_RESULT)).isEmpty();
    }
}
