package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.POST;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.http.Request;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.time.Schedulers;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.Transport;
import dev.escapement.transport.TransportFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A5, I5: the forms of a call and what can be asked of them. */
class CallFutureTest {

    /** More than any machine needs; reached only by a test that fails. */
    private static final long PATIENCE_SECONDS = 20;

    private final World world = new World();

    private static Named<Consumer<CompletableFuture<Report>>> ask(
            String name, Consumer<CompletableFuture<Report>> how) {
        return Named.of(name, how);
    }

    static Stream<Named<Consumer<CompletableFuture<Report>>>> asks() {
        return Stream.of(
                ask("cancel", f -> assertThat(f.cancel(true)).isTrue()),
                ask("complete", f -> assertThat(f.complete(null)).isTrue()),
                ask(
                        "completeExceptionally",
                        f -> assertThat(f.completeExceptionally(new IllegalStateException()))
                                .isTrue()),
                ask(
                        "completeAsync",
                        f -> assertThat(f.completeAsync(() -> null)).isSameAs(f)),
                ask(
                        "completeAsync with an executor",
                        f -> assertThat(f.completeAsync(() -> null, Runnable::run))
                                .isSameAs(f)));
    }

    @ParameterizedTest(name = "A5 {0}")
    @DisplayName("A5 whatever asks the future for an end only cancels the call, whose own report it completes with")
    @MethodSource("asks")
    void askingForAnEndCancels(Consumer<CompletableFuture<Report>> ask) {
        world.transport.on(1).hangAfterWrite();
        CompletableFuture<Report> future = world.client().call(GET);

        ask.accept(future);

        assertThat(future).isCompleted();
        assertThat(future.isCancelled()).isFalse();
        assertThat(future.getNow(null).outcome().kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(world.transport.attempt(1).abandonedAt()).contains(ms(0));
        world.assertClean();
    }

    @ParameterizedTest(name = "A5 {0}")
    @DisplayName("A5 asking after the end changes nothing")
    @MethodSource("asks")
    void askingAfterTheEndChangesNothing(Consumer<CompletableFuture<Report>> ask) {
        world.transport.on(1).answer(200);
        CompletableFuture<Report> future = world.client().call(GET);
        Report report = future.getNow(null);

        assertThat(future.cancel(true)).isFalse();
        assertThat(future.complete(null)).isFalse();
        assertThat(future.completeExceptionally(new IllegalStateException())).isFalse();
        try {
            ask.accept(future);
        } catch (AssertionError refused) {
            // It says that nothing was done, which is right here.
        }

        assertThat(future.getNow(null)).isSameAs(report);
        report.release();
        world.assertClean();
    }

    @Test
    @DisplayName("A5 a report cannot be obtruded, and the call goes on")
    void aReportCannotBeObtruded() {
        world.transport.on(1).answerAfter(ms(5), 200);
        CompletableFuture<Report> future = world.client().call(GET);

        assertThatThrownBy(() -> future.obtrudeValue(null)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> future.obtrudeException(new IllegalStateException()))
                .isInstanceOf(UnsupportedOperationException.class);
        world.time.runUntilIdle();

        assertThat(future.getNow(null).outcome().kind()).isEqualTo(Outcome.Kind.RESPONSE);
        future.getNow(null).release();
        world.assertClean();
    }

    @Test
    @DisplayName("A5 a future that depends on a call's is its own, and leaves the call alone")
    void aDependentFutureIsItsOwn() {
        world.transport.on(1).answerAfter(ms(5), 200);
        CompletableFuture<Report> future = world.client().call(GET);

        assertThat(future.thenApply(report -> report).cancel(true)).isTrue();
        assertThat(future.copy().complete(null)).isTrue();
        world.time.runUntilIdle();

        assertThat(future.getNow(null).outcome().kind()).isEqualTo(Outcome.Kind.RESPONSE);
        future.getNow(null).release();
        world.assertClean();
    }

    // ---- The JDK's own timeouts, which come on a thread of the JDK's

    /** Never answers, and is clean once abandoned. */
    private static final class Silent implements Transport {

        @Override
        public Attempt send(Request request, Exchange exchange) {
            return () -> exchange.clean(ConnectionFate.POISONED, 0);
        }
    }

    @ParameterizedTest(name = "A5 orTimeout: {0}, else completeOnTimeout")
    @DisplayName("A5 the JDK's timeouts cancel the call, whose report the future then completes with")
    @ValueSource(booleans = {true, false})
    void theTimeoutsOfTheJdkCancel(boolean orTimeout) throws Exception {
        Client client = Client.builder(new Silent(), Schedulers.of(new StandingStill()))
                .policy(world.policy)
                .build();
        CompletableFuture<Report> future = client.call(GET);

        CompletableFuture<Report> same = orTimeout
                ? future.orTimeout(1, TimeUnit.NANOSECONDS)
                : future.completeOnTimeout(null, 1, TimeUnit.NANOSECONDS);

        assertThat(same).isSameAs(future);
        assertThat(future.get(PATIENCE_SECONDS, TimeUnit.SECONDS).outcome().kind())
                .isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(client.figures().permitsHeld()).isZero();
    }

    // ---- Options

    @Test
    @DisplayName("I5 the key is sent with every attempt, as a structured-field string, and every other call has none")
    void theKeyIsSentWithEveryAttempt() {
        world.transport.on(1).fail(TransportFailure.Kind.RESET);
        world.transport.otherwise().answer(200);

        world.call(POST, CallOptions.none().withIdempotencyKey("req-7"));
        world.time.runUntilIdle();
        world.call(POST);

        assertThat(world.transport.attempts())
                .extracting(SimulatedAttempt::request)
                .extracting(request -> request.headers().all("Idempotency-Key"))
                .containsExactly(List.of("\"req-7\""), List.of("\"req-7\""), List.of());
        world.assertClean();
    }

    @Test
    @DisplayName("I5 a request that has the header and a call that has a key are one opinion too many")
    void aKeyAndAHeaderAreRefused() {
        Request keyed = POST.with("Idempotency-Key", "\"other\"");

        assertThatThrownBy(() -> world.client().call(keyed, CallOptions.none().withIdempotencyKey("req-7")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Idempotency-Key");

        assertThat(world.transport.sends()).isZero();
        world.assertClean();
    }

    @Test
    @DisplayName("I5 a key is 1 to 255 characters of visible ASCII, without quote and backslash")
    void keysAreChecked() {
        CallOptions none = CallOptions.none();
        assertThat(none.withIdempotencyKey("!").idempotencyKey()).contains("!");
        assertThat(none.withIdempotencyKey("~".repeat(255)).idempotencyKey())
                .hasValueSatisfying(key -> assertThat(key).hasSize(255));

        for (String bad : List.of("", "~".repeat(256), "a b", "a\"b", "a\\b", "a\u007fb", "a\u00e4", "a\nb")) {
            assertThatThrownBy(() -> none.withIdempotencyKey(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @DisplayName("T3 a caller's own deadline is a reading of a clock, and no reading is negative")
    void aNegativeDeadlineIsRefused() {
        assertThatThrownBy(() -> CallOptions.none().withDeadlineNanos(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("P1 options are kept beside each other, each wish replacing only its own kind")
    void optionsAreKeptBesideEachOther() {
        CallOptions options =
                CallOptions.none().withDeadlineNanos(7).withIdempotencyKey("k").withAttachment("a");
        CallOptions changed = options.withIdempotencyKey("l").withDeadlineNanos(8);

        assertThat(List.of(
                        options.deadlineNanos,
                        options.idempotencyKey().get(),
                        options.attachment().get()))
                .isEqualTo(List.of(7L, "k", "a"));
        assertThat(List.of(
                        changed.deadlineNanos,
                        changed.idempotencyKey().get(),
                        changed.attachment().get()))
                .isEqualTo(List.of(8L, "l", "a"));
    }
}
