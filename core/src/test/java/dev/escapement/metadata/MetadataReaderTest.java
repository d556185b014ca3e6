package dev.escapement.metadata;

import static dev.escapement.metadata.MetadataFault.Kind.NEGATIVE;
import static dev.escapement.metadata.MetadataFault.Kind.NOT_AN_IDENTIFIER;
import static dev.escapement.metadata.MetadataFault.Kind.NOT_DIGITS;
import static dev.escapement.metadata.MetadataFault.Kind.REPEATED;
import static dev.escapement.metadata.MetadataFault.Kind.TOO_MANY_DIGITS;
import static dev.escapement.metadata.MetadataFault.Kind.UNKNOWN_WORD;
import static dev.escapement.metadata.MetadataFault.Kind.WRONG_UNIT;
import static dev.escapement.metadata.MetadataFault.Kind.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.http.Headers;
import dev.escapement.http.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be believed of what comes in, and what is ignored and counted. */
class MetadataReaderTest {

    private static ReceivedMetadata read(Preset preset, String... namesAndValues) {
        return MetadataReader.of(preset).read(Headers.of(namesAndValues));
    }

    private static OptionalLong remaining(Preset preset, String name, String value) {
        ReceivedMetadata received = read(preset, name, value);
        assertThat(received.faults()).isEmpty();
        return received.remainingNanos();
    }

    // What is right.

    @ParameterizedTest
    @DisplayName("M2 every unit of grpc-timeout is read, and what no long of nanoseconds holds is the longest time")
    @CsvSource({
        "1H, 3600000000000",
        "2M, 120000000000",
        "3S, 3000000000",
        "4m, 4000000",
        "5u, 5000",
        "6n, 6",
        "00000007m, 7000000",
        "0n, 0",
        "0H, 0",
        "99999999n, 99999999",
        "2562047H, 9223369200000000000",
        "2562048H, 9223372036854775807",
        "99999999H, 9223372036854775807"
    })
    void grpcUnits(String value, long nanos) {
        assertThat(remaining(Preset.GRPC, "Grpc-Timeout", value)).hasValue(nanos);
    }

    @ParameterizedTest
    @DisplayName("M2 milliseconds have up to 10 digits")
    @CsvSource({"0, 0", "1, 1000000", "0540, 540000000", "9999999999, 9999999999000000"})
    void millis(String value, long nanos) {
        assertThat(remaining(Preset.ENVOY, "X-Envoy-Expected-Rq-Timeout-Ms", value))
                .hasValue(nanos);
        assertThat(remaining(Preset.ESCAPEMENT, "escapement-remaining-ms", value))
                .hasValue(nanos);
    }

    @Test
    @DisplayName("M2 ordinals are read from 1, whatever the words of the preset count")
    void ordinals() {
        assertThat(read(Preset.ENVOY, "x-envoy-attempt-count", "1").ordinal()).hasValue(1);
        assertThat(read(Preset.ENVOY, "x-envoy-attempt-count", "999999999").ordinal())
                .hasValue(999_999_999);
        assertThat(read(Preset.GRPC, "grpc-previous-rpc-attempts", "3").ordinal())
                .hasValue(4);
        assertThat(read(Preset.ESCAPEMENT, "Escapement-Attempt", "2", "Escapement-Max-Attempts", "3"))
                .satisfies(received -> {
                    assertThat(received.ordinal()).hasValue(2);
                    assertThat(received.maxAttempts()).hasValue(3);
                });
    }

    @ParameterizedTest
    @DisplayName("M2 where nothing is said, nothing is known")
    @EnumSource(Preset.class)
    void nothing(Preset preset) {
        ReceivedMetadata received = read(preset, "Accept", "*/*");

        assertThat(received).isEqualTo(ReceivedMetadata.NOTHING);
        assertThat(received.isSpent()).isFalse();
        assertThat(received.deadlineNanos(17)).isEqualTo(ReceivedMetadata.NO_DEADLINE);
    }

    @Test
    @DisplayName("M1 preset none understands nothing")
    void none() {
        assertThat(read(Preset.NONE, "grpc-timeout", "x", "Escapement-Attempt", "-1"))
                .isEqualTo(ReceivedMetadata.NOTHING);
    }

    @Test
    @DisplayName("T3 M2 a deadline is now and what remains, checked; 0 is a spent one")
    void deadlines() {
        ReceivedMetadata some = read(Preset.GRPC, "grpc-timeout", "5n");
        ReceivedMetadata spent = read(Preset.GRPC, "grpc-timeout", "0m");

        assertThat(some.deadlineNanos(100)).isEqualTo(105);
        assertThat(some.isSpent()).isFalse();
        assertThat(some.deadlineNanos(Long.MAX_VALUE - 6)).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(some.deadlineNanos(Long.MAX_VALUE - 4)).isEqualTo(ReceivedMetadata.NO_DEADLINE);
        assertThat(spent.deadlineNanos(100)).isEqualTo(100);
        assertThat(spent.isSpent()).isTrue();
        assertThat(read(Preset.GRPC, "grpc-timeout", "99999999H").deadlineNanos(1))
                .isEqualTo(ReceivedMetadata.NO_DEADLINE);
    }

    // What is wrong.

    private static void assertIgnored(Preset preset, String name, String value, MetadataFault.Kind kind) {
        MetadataReader reader = MetadataReader.of(preset);

        ReceivedMetadata received = reader.read(Headers.of(name, value));

        assertThat(received.faults()).containsExactly(new MetadataFault(name, kind));
        assertThat(received.faults().toString()).doesNotContain("secret");
        assertThat(withoutFaults(received)).isEqualTo(ReceivedMetadata.NOTHING);
        for (MetadataFault.Kind counted : MetadataFault.Kind.values()) {
            assertThat(reader.ignored(counted)).isEqualTo(counted == kind ? 1 : 0);
        }
    }

    private static ReceivedMetadata withoutFaults(ReceivedMetadata received) {
        return new ReceivedMetadata(
                received.remainingNanos(),
                received.ordinal(),
                received.maxAttempts(),
                received.kind(),
                received.previousFailure(),
                received.operationId(),
                received.retryOwner(),
                List.of());
    }

    @ParameterizedTest
    @DisplayName("M2 a number that is none is typed, ignored and counted")
    @CsvSource({
        "'', NOT_DIGITS",
        "-, NOT_DIGITS",
        "+1, NOT_DIGITS",
        "1.5, NOT_DIGITS",
        "1 0, NOT_DIGITS",
        "'5, 6', NOT_DIGITS",
        "0x10, NOT_DIGITS",
        "1e3, NOT_DIGITS",
        "²³, NOT_DIGITS",
        "secret, NOT_DIGITS",
        "-secret, NOT_DIGITS",
        "--1, NOT_DIGITS",
        "12345678901secret, NOT_DIGITS",
        "-1, NEGATIVE",
        "-0, NEGATIVE",
        "-99999999999999999999, NEGATIVE",
        "00000000001, TOO_MANY_DIGITS",
        "10000000000, TOO_MANY_DIGITS",
        "18446744073709551617, TOO_MANY_DIGITS"
    })
    void wrongNumbers(String value, MetadataFault.Kind kind) {
        assertIgnored(Preset.ENVOY, "x-envoy-expected-rq-timeout-ms", value, kind);
        assertIgnored(Preset.ENVOY, "x-envoy-attempt-count", value, kind);
        assertIgnored(Preset.GRPC, "grpc-previous-rpc-attempts", value, kind);
        assertIgnored(Preset.ESCAPEMENT, "Escapement-Remaining-Ms", value, kind);
        assertIgnored(Preset.ESCAPEMENT, "Escapement-Attempt", value, kind);
        assertIgnored(Preset.ESCAPEMENT, "Escapement-Max-Attempts", value, kind);
    }

    @Test
    @DisplayName("M2 a count of ten digits is too long, and one of zero begins too early")
    void wrongCounts() {
        assertIgnored(Preset.ENVOY, "x-envoy-attempt-count", "1000000000", TOO_MANY_DIGITS);
        assertIgnored(Preset.ENVOY, "x-envoy-attempt-count", "0", ZERO);
        assertIgnored(Preset.GRPC, "grpc-previous-rpc-attempts", "0", ZERO);
        assertIgnored(Preset.ESCAPEMENT, "Escapement-Max-Attempts", "000", ZERO);
    }

    @ParameterizedTest
    @DisplayName("M2 a grpc-timeout without its syntax is typed, ignored and counted")
    @CsvSource({
        "'', WRONG_UNIT",
        "5, WRONG_UNIT",
        "5s, WRONG_UNIT",
        "5h, WRONG_UNIT",
        "5N, WRONG_UNIT",
        "5ms, WRONG_UNIT",
        "-5, WRONG_UNIT",
        "secret, WRONG_UNIT",
        "m, NOT_DIGITS",
        "5 m, NOT_DIGITS",
        "+5m, NOT_DIGITS",
        "0.5S, NOT_DIGITS",
        "-m, NOT_DIGITS",
        "5mm, NOT_DIGITS",
        "-5m, NEGATIVE",
        "-0n, NEGATIVE",
        "123456789n, TOO_MANY_DIGITS",
        "000000001H, TOO_MANY_DIGITS"
    })
    void wrongGrpcTimeouts(String value, MetadataFault.Kind kind) {
        assertIgnored(Preset.GRPC, "grpc-timeout", value, kind);
    }

    @ParameterizedTest
    @DisplayName("M2 unknown words and what is no identifier are typed, ignored and counted")
    @CsvSource({
        "Escapement-Kind, Hedge, UNKNOWN_WORD",
        "Escapement-Kind, '', UNKNOWN_WORD",
        "Escapement-Previous-Failure, secret, UNKNOWN_WORD",
        "Escapement-Operation, '', NOT_AN_IDENTIFIER",
        "Escapement-Operation, two words, NOT_AN_IDENTIFIER",
        "Escapement-Retry-Owner, 'a, b', NOT_AN_IDENTIFIER",
        "Escapement-Retry-Owner, ü, NOT_AN_IDENTIFIER"
    })
    void wrongTexts(String name, String value, MetadataFault.Kind kind) {
        assertIgnored(Preset.ESCAPEMENT, name, value, kind);
    }

    @ParameterizedTest
    @DisplayName("M2 a field on two lines is ignored, though both say the same")
    @EnumSource(
            value = Preset.class,
            names = {"ENVOY", "GRPC", "ESCAPEMENT"})
    void repeated(Preset preset) {
        MetadataReader reader = MetadataReader.of(preset);
        List<String> lines = new ArrayList<>();
        for (String name : preset.dialect().names()) {
            lines.addAll(List.of(name, "1", name, "1"));
        }

        ReceivedMetadata received = reader.read(Headers.of(lines.toArray(String[]::new)));

        assertThat(received.faults())
                .containsExactlyElementsOf(preset.dialect().names().stream()
                        .map(name -> new MetadataFault(name, REPEATED))
                        .toList());
        assertThat(withoutFaults(received)).isEqualTo(ReceivedMetadata.NOTHING);
        assertThat(reader.ignored(REPEATED)).isEqualTo(preset.dialect().names().size());
    }

    @Test
    @DisplayName("M2 one wrong field takes nothing from the others, and counts add up over readings")
    void othersStand() {
        MetadataReader reader = MetadataReader.of(Preset.ESCAPEMENT);
        Headers headers = Headers.of(
                "Escapement-Remaining-Ms", "-5",
                "Escapement-Attempt", "2",
                "Escapement-Kind", "?",
                "Escapement-Retry-Owner", "edge");

        reader.read(headers);
        ReceivedMetadata received = reader.read(headers);

        assertThat(received.remainingNanos()).isEmpty();
        assertThat(received.ordinal()).hasValue(2);
        assertThat(received.retryOwner()).contains("edge");
        assertThat(received.faults())
                .containsExactly(
                        new MetadataFault("Escapement-Remaining-Ms", NEGATIVE),
                        new MetadataFault("Escapement-Kind", UNKNOWN_WORD));
        assertThat(reader.ignored(NEGATIVE)).isEqualTo(2);
        assertThat(reader.ignored(UNKNOWN_WORD)).isEqualTo(2);
        assertThat(reader.ignored(NOT_DIGITS)).isZero();
        assertThat(reader.ignored(WRONG_UNIT)).isZero();
        assertThat(reader.ignored(NOT_AN_IDENTIFIER)).isZero();
    }

    // There and back.

    @ParameterizedTest
    @DisplayName("M1 M2 what one layer writes the next one reads: never more time, and less by under a unit")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void thereAndBack(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 2_000; i++) {
            AttemptFacts facts = facts(random);
            for (Preset preset : new Preset[] {Preset.ENVOY, Preset.GRPC, Preset.ESCAPEMENT}) {
                long marginNanos = random.nextBoolean() ? 0 : random.nextLong(1_000_000_000);
                Metadata metadata = Metadata.of(preset).withNetworkMargin(Duration.ofNanos(marginNanos));
                Optional<Request> decorated = metadata.decorate(Request.get("http://service.test/"), facts);
                long remainingNanos = facts.remainingNanos() - marginNanos;

                assertThat(decorated.isPresent())
                        .as("seed %d, %s, %s", seed, preset, facts)
                        .isEqualTo(remainingNanos >= preset.dialect().unitNanos());
                decorated.ifPresent(request -> assertSame(
                        preset, facts, remainingNanos, MetadataReader.of(preset).read(request.headers())));
            }
        }
    }

    private static void assertSame(Preset preset, AttemptFacts sent, long remainingNanos, ReceivedMetadata received) {
        assertThat(received.faults()).isEmpty();
        long told = received.remainingNanos().orElseThrow();
        // Milliseconds have ten digits; gRPC keeps five at least, and all of them below a tenth of a second.
        long unitNanos =
                preset == Preset.GRPC ? remainingNanos < 100_000_000 ? 1 : remainingNanos / 100_000 : 1_000_000;
        long sayable = preset == Preset.GRPC ? remainingNanos : Math.min(remainingNanos, 9_999_999_999_999_999L);
        assertThat(told).isPositive().isLessThanOrEqualTo(remainingNanos).isGreaterThan(sayable - unitNanos);

        boolean tellsOrdinal = preset != Preset.GRPC || sent.ordinal() > 1;
        assertThat(received.ordinal()).isEqualTo(tellsOrdinal ? OptionalInt.of(sent.ordinal()) : OptionalInt.empty());
        if (preset == Preset.ESCAPEMENT) {
            assertThat(received.maxAttempts()).hasValue(sent.maxAttempts());
            assertThat(received.kind()).contains(sent.kind());
            assertThat(received.previousFailure()).isEqualTo(sent.previousFailure());
            assertThat(received.operationId()).isEqualTo(sent.operationId());
            assertThat(received.retryOwner()).isEqualTo(sent.retryOwner());
        }
    }

    private static AttemptFacts facts(SplittableRandom random) {
        int maxAttempts = 1 + random.nextInt(32);
        return new AttemptFacts(
                1 + (random.nextLong() >>> (1 + random.nextInt(62))),
                1 + random.nextInt(maxAttempts),
                maxAttempts,
                pick(random, AttemptKind.values()),
                random.nextBoolean() ? Optional.empty() : Optional.of(pick(random, FailureClass.values())),
                random.nextBoolean() ? Optional.empty() : Optional.of(identifier(random)),
                random.nextBoolean() ? Optional.empty() : Optional.of(identifier(random)));
    }

    private static <T> T pick(SplittableRandom random, T[] values) {
        return values[random.nextInt(values.length)];
    }

    private static String identifier(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(Identifiers.MAX_LENGTH);
        while (text.length() < length) {
            char c = (char) (0x21 + random.nextInt(0x7f - 0x21));
            if (Identifiers.isAllowed(String.valueOf(c))) {
                text.append(c);
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @DisplayName("M2 no header field that can be built makes reading throw, and each fault is counted")
    @ValueSource(longs = {11, 12, 13, 14})
    void anything(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String alphabet = "0123456789-+.,;HMSmun \"\\ahedg";
        for (Preset preset : Preset.values()) {
            MetadataReader reader = MetadataReader.of(preset);
            List<String> names = preset == Preset.NONE
                    ? List.of("grpc-timeout")
                    : preset.dialect().names();
            long faults = 0;
            for (int i = 0; i < 3_000; i++) {
                Headers headers = Headers.empty();
                for (int line = random.nextInt(4); line > 0; line--) {
                    StringBuilder value = new StringBuilder();
                    for (int c = random.nextInt(14); c > 0; c--) {
                        value.append(alphabet.charAt(random.nextInt(alphabet.length())));
                    }
                    headers = headers.and(
                            names.get(random.nextInt(names.size())),
                            value.toString().strip());
                }
                ReceivedMetadata received = reader.read(headers);
                faults += received.faults().size();
                received.remainingNanos().ifPresent(nanos -> assertThat(nanos).isNotNegative());
                assertThat(received.deadlineNanos(1_000)).isGreaterThanOrEqualTo(1_000);
            }
            long counted = 0;
            for (MetadataFault.Kind kind : MetadataFault.Kind.values()) {
                counted += reader.ignored(kind);
            }
            assertThat(counted).isEqualTo(faults);
        }
    }
}
