package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static dev.escapement.call.World.ns;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.fixtures.SimulatedTransport;
import dev.escapement.http.Headers;
import dev.escapement.http.Request;
import dev.escapement.metadata.Metadata;
import dev.escapement.metadata.MetadataFault;
import dev.escapement.metadata.MetadataReader;
import dev.escapement.metadata.Preset;
import dev.escapement.metadata.ReceivedMetadata;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.Policy;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import dev.escapement.time.Schedulers;
import dev.escapement.transport.Transport;
import dev.escapement.transport.TransportFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients in a row, each calling the next: how retries multiply, and what the layers tell each other against it. */
class LayersTest {

    private final World world = new World();
    private final SimulatedTransport server = world.transport;
    private final List<Report> reports = new ArrayList<>();

    /** From the outermost inwards. */
    private final List<Hop> hops = new ArrayList<>();

    @AfterEach
    void nothingIsHeld() {
        world.time.runUntilIdle();
        reports.forEach(Report::release);
        server.assertClean();
        assertThat(server.bodies().held()).isEmpty();
        world.time.assertNothingLeft();
    }

    private Client client(Transport transport, Policy policy, Metadata metadata) {
        return Client.builder(transport, Schedulers.of(world.time))
                .policy(policy)
                .metadata(metadata)
                .breaker(BreakerSettings.none())
                .build();
    }

    private static Policy attempts(Duration overall, int count) {
        return World.plain(
                overall,
                p -> p.maxRetries(count - 1)
                        .initialBackoff(ms(0))
                        .attemptFit(AttemptFit.CLIPPED)
                        .minimumAttempt(ms(1)));
    }

    /** Clients with so many attempts each, from the outermost inwards, that speak those words; the outermost. */
    private Client row(UnaryOperator<Metadata> with, Preset spoken, int... attempts) {
        Client client = null;
        for (int i = attempts.length - 1; i >= 0; i--) {
            Transport transport = server;
            if (client != null) {
                Hop hop = new Hop(client, spoken);
                hops.add(0, hop);
                transport = hop;
            }
            client = client(transport, attempts(ms(10_000), attempts[i]), with.apply(Metadata.of(spoken)));
        }
        return Objects.requireNonNull(client);
    }

    private void call(Client client) {
        client.call(GET, CallOptions.none(), reports::add);
        world.time.runUntilIdle();
    }

    private static UnaryOperator<Metadata> silent() {
        return UnaryOperator.identity();
    }

    // ---- Amplification

    @ParameterizedTest
    @DisplayName(
            "H5 retries multiply over layers: 3 behind 3 are 9, 3 × 2 × 4 are 24, whatever the layers are told of counts")
    @EnumSource(Preset.class)
    void retriesMultiply(Preset spoken) {
        server.otherwise().answer(503);

        call(row(silent(), spoken, 3, 3));
        assertThat(server.sends()).isEqualTo(9);

        call(row(silent(), spoken, 3, 2, 4));
        assertThat(server.sends()).isEqualTo(9 + 24);
        assertThat(reports).allSatisfy(report -> assertThat(report.attempts()).isEqualTo(3));
    }

    @Test
    @DisplayName(
            "M3 with the owner token and replied failures the same layers make 3: the outermost retries, nobody else")
    void ownerTokenStopsTheMultiplication() {
        server.otherwise().answer(503);

        call(row(metadata -> metadata.withRetryOwner("edge"), Preset.ESCAPEMENT, 3, 2, 4));

        assertThat(server.sends()).isEqualTo(3);
        assertThat(reports.get(0).attempts()).isEqualTo(3);
        assertThat(reports.get(0).suppressed()).contains(Suppressed.ATTEMPTS_USED);
        for (Hop hop : hops) {
            assertThat(hop.reports).hasSize(3).allSatisfy(inner -> {
                assertThat(inner.attempts()).isEqualTo(1);
                assertThat(inner.suppressed()).contains(Suppressed.OWNED_ABOVE);
            });
            // The outermost layer's token, not the middle one's, and the counts of the layer before.
            assertThat(hop.received)
                    .allSatisfy(told -> assertThat(told.retryOwner()).contains("edge"));
        }
        assertThat(hops.get(0).received.stream().map(ReceivedMetadata::ordinal))
                .containsExactly(OptionalInt.of(1), OptionalInt.of(2), OptionalInt.of(3));
        assertThat(hops.get(1).received.stream().map(ReceivedMetadata::maxAttempts))
                .containsOnly(OptionalInt.of(1));
    }

    @Test
    @DisplayName("M3 a layer that makes a single attempt owns nothing: the one below it may retry")
    void singleAttemptOwnsNothing() {
        server.otherwise().answer(503);

        call(row(metadata -> metadata.withRetryOwner("edge"), Preset.ESCAPEMENT, 1, 3));

        assertThat(server.sends()).isEqualTo(3);
    }

    @Test
    @DisplayName("M3 R10 a stale connection is replaced all the same where an outer layer owns retries")
    void ownedAboveStillReplaces() {
        server.on(1).connectReused().writeNothing().connect().answer(200);

        world.client().call(GET, CallOptions.none().withRetryOwner("edge"), reports::add);
        world.time.runUntilIdle();

        assertThat(reports.get(0).outcome().kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(server.attempt(1).isSent()).isTrue();
    }

    @ParameterizedTest
    @DisplayName(
            "M3 nothing is retried where an outer layer owns retries: not a refused connection, not a timeout, not a 503")
    @CsvSource({"refused", "timeout", "status"})
    void ownedAboveRetriesNothing(String failure) {
        switch (failure) {
            case "refused" -> server.otherwise().fail(TransportFailure.Kind.REFUSED);
            case "timeout" -> server.otherwise().hangAfterWrite();
            default -> server.otherwise().answer(503);
        }

        world.client().call(GET, CallOptions.none().withRetryOwner("edge"), reports::add);
        world.time.runUntilIdle();

        assertThat(server.sends()).isEqualTo(1);
        assertThat(reports.get(0).suppressed()).contains(Suppressed.OWNED_ABOVE);
    }

    @Test
    @DisplayName("M2 counts that say that much is left raise no local cap")
    void countsRaiseNothing() {
        server.otherwise().answer(503);
        ReceivedMetadata first = MetadataReader.of(Preset.ESCAPEMENT)
                .read(Headers.of("Escapement-Attempt", "1", "Escapement-Max-Attempts", "99"));

        world.client().call(GET, CallOptions.none().withReceived(first, world.time.now()), reports::add);
        world.time.runUntilIdle();

        assertThat(server.sends()).isEqualTo(2);
    }

    // ---- Time

    private List<OptionalLong> remaining(Hop hop) {
        return hop.received.stream().map(ReceivedMetadata::remainingNanos).toList();
    }

    @ParameterizedTest
    @DisplayName(
            "M1 M2 T2 each layer gives the next what its attempt may take, less the network, and the server the least")
    @EnumSource(
            value = Preset.class,
            names = {"ENVOY", "GRPC", "ESCAPEMENT"})
    void timeGetsLess(Preset spoken) {
        server.otherwise().answer(200);
        UnaryOperator<Metadata> margin = metadata -> metadata.withNetworkMargin(ms(7));
        Client inner = client(server, attempts(ms(10_000), 1), margin.apply(Metadata.of(spoken)));
        Hop second = new Hop(inner, spoken);
        Client middle = client(second, attempts(ms(10_000), 1), margin.apply(Metadata.of(spoken)));
        Hop first = new Hop(middle, spoken);

        call(client(first, World.plain(ms(50), p -> p.cleanupReserve(ms(3))), margin.apply(Metadata.of(spoken))));

        // 50 less the reserve of 3; each layer keeps 7 back.
        assertThat(remaining(first)).containsExactly(OptionalLong.of(ms(40).toNanos()));
        assertThat(remaining(second)).containsExactly(OptionalLong.of(ms(33).toNanos()));
        assertThat(MetadataReader.of(spoken)
                        .read(server.attempt(1).request().headers())
                        .remainingNanos())
                .hasValue(ms(26).toNanos());
    }

    @Test
    @DisplayName("M2 an inner layer gives up before the outer one's attempt does, and its answer still gets there")
    void innerEndsFirst() {
        server.otherwise().hangAfterWrite();
        Client inner = client(server, World.plain(ms(10_000), p -> p.attemptTimeout(ms(5_000))), Metadata.none());
        Hop hop = new Hop(inner, Preset.ENVOY);
        Client outer = client(
                hop,
                World.plain(p -> p.maxRetries(0)),
                Metadata.of(Preset.ENVOY).withNetworkMargin(ms(10)));

        call(outer);

        // The outer attempt has 100, the inner call 90.
        assertThat(hop.reports.get(0).outcome().kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
        assertThat(ns(hop.reports.get(0).endedNanos()).minus(ns(world.time.instant(Duration.ZERO))))
                .isEqualTo(ms(90));
        assertThat(reports.get(0).outcome())
                .isInstanceOfSatisfying(
                        Outcome.Response.class,
                        answered -> assertThat(answered.response().status()).isEqualTo(504));
    }

    @Test
    @DisplayName("M2 P3 received time that is spent is a call that touches no transport")
    void spentTime() {
        ReceivedMetadata spent = MetadataReader.of(Preset.GRPC).read(Headers.of("grpc-timeout", "0m"));

        world.client().call(GET, CallOptions.none().withReceived(spent, world.time.now()), reports::add);
        world.time.runUntilIdle();

        assertThat(server.sends()).isZero();
        assertThat(reports.get(0).outcome().kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);
    }

    @Test
    @DisplayName("M2 wrong values are ignored, counted, and change nothing")
    void wrongValues() {
        server.otherwise().answer(503);
        MetadataReader reader = MetadataReader.of(Preset.ENVOY);
        ReceivedMetadata wrong =
                reader.read(Headers.of("x-envoy-expected-rq-timeout-ms", "-1", "x-envoy-attempt-count", "many"));

        world.client().call(GET, CallOptions.none().withReceived(wrong, world.time.now()), reports::add);
        world.time.runUntilIdle();

        assertThat(server.sends()).isEqualTo(2);
        assertThat(reader.ignored(MetadataFault.Kind.NEGATIVE)).isOne();
        assertThat(reader.ignored(MetadataFault.Kind.NOT_DIGITS)).isOne();
    }

    @ParameterizedTest
    @DisplayName("M1 an attempt that would be told less than one unit is not made, at -1, 0 and +1 ns")
    @CsvSource({
        "ENVOY, 1000000, -1, 0",
        "ENVOY, 1000000, 0, 1",
        "ENVOY, 1000000, 1, 1",
        "ESCAPEMENT, 1000000, -1, 0",
        "ESCAPEMENT, 1000000, 0, 1",
        "GRPC, 1, 0, 1",
        "NONE, 1, 0, 1"
    })
    void lessThanAUnitIsNoAttempt(Preset spoken, long unitNanos, long edge, int sends) {
        server.otherwise().answer(200);
        long marginNanos = spoken == Preset.NONE ? 0 : 250;
        Metadata metadata =
                spoken == Preset.NONE ? Metadata.none() : Metadata.of(spoken).withNetworkMargin(ns(marginNanos));
        Duration overall = ns(marginNanos + unitNanos + edge);

        call(client(server, World.plain(overall, p -> p.maxRetries(0)), metadata));

        assertThat(server.sends()).isEqualTo(sends);
        assertThat(reports.get(0).outcome().kind())
                .isEqualTo(sends == 0 ? Outcome.Kind.OVERALL_DEADLINE : Outcome.Kind.RESPONSE);
        assertThat(reports.get(0).attempts()).isEqualTo(sends);
    }

    // ---- What is told, attempt by attempt

    private static List<String> lines(SimulatedAttempt attempt) {
        Headers headers = attempt.request().headers();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < headers.count(); i++) {
            lines.add(headers.nameAt(i) + ": " + headers.valueAt(i));
        }
        return lines;
    }

    @Test
    @DisplayName(
            "M1 every attempt is told anew: what is left, its ordinal, why it is made, and the same operation and key")
    void toldAnew() {
        server.on(1).answerAfter(ms(5), 503);
        server.on(2).hangAfterWrite();
        server.on(3).fail(TransportFailure.Kind.REFUSED);
        server.on(4).write(1).fail(TransportFailure.Kind.RESET);
        server.on(5).answer(200);
        Policy policy = World.plain(
                ms(100),
                p -> p.maxRetries(4)
                        .attemptFit(AttemptFit.CLIPPED)
                        .minimumAttempt(ms(1))
                        .attemptTimeout(ms(50))
                        .initialBackoff(ms(0)));

        client(server, policy, Metadata.of(Preset.ESCAPEMENT).withRetryOwner("edge"))
                .call(
                        GET.with("escapement-attempt", "77").with("Accept", "*/*"),
                        CallOptions.none().withOperationId("evt-4821").withIdempotencyKey("req-7"),
                        reports::add);
        world.time.runUntilIdle();

        String[][] told = {
            {"50", "1", null},
            {"50", "2", "status"},
            {"45", "3", "timeout"},
            {"45", "4", "connect"},
            {"45", "5", "transport"}
        };
        assertThat(server.sends()).isEqualTo(5);
        for (int i = 0; i < 5; i++) {
            List<String> expected = new ArrayList<>(List.of(
                    "Accept: */*",
                    "Idempotency-Key: \"req-7\"",
                    "Escapement-Remaining-Ms: " + told[i][0],
                    "Escapement-Attempt: " + told[i][1],
                    "Escapement-Max-Attempts: 5",
                    "Escapement-Kind: sequential"));
            if (told[i][2] != null) {
                expected.add("Escapement-Previous-Failure: " + told[i][2]);
            }
            expected.addAll(List.of("Escapement-Operation: evt-4821", "Escapement-Retry-Owner: edge"));
            assertThat(lines(server.attempt(i + 1))).isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("M1 preset none hands the request on as it is")
    void noneIsTheRequestItself() {
        server.otherwise().answer(200);
        Request request = GET.with("grpc-timeout", "5m");

        client(server, attempts(ms(100), 1), Metadata.none()).call(request, CallOptions.none(), reports::add);
        world.time.runUntilIdle();

        assertThat(server.attempt(1).request()).isSameAs(request);
    }
}
