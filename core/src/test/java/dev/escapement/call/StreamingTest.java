package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.fixtures.CallOut;
import dev.escapement.http.BodyException;
import dev.escapement.http.Method;
import dev.escapement.http.ReplayMemory;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.PermitScope;
import dev.escapement.report.Outcome;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.TransportFailure;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A8: a call that takes its response in parts ends at the head, and holds its permit until the body has ended. */
class StreamingTest {

    private static final CallOptions TO_END = CallOptions.none().withStreaming(Streaming.toEnd());
    private static final CallOptions TO_HEAD = CallOptions.none().withStreaming(Streaming.toHead());

    private final World world = new World().policy(ms(1_000), p -> p.cleanupReserve(ms(50)));

    /** A response at 5, a part at 10, and what the test makes of it. */
    private Response streamed(CallOptions options) {
        world.transport
                .on(1)
                .writeAll()
                .pause(ms(5))
                .answerInParts(200)
                .pause(ms(5))
                .part("a")
                .hang();
        world.call(GET, options);
        world.runTo(ms(5));
        return response();
    }

    private Response response() {
        return ((Outcome.Response) world.lastReport().outcome()).response();
    }

    private int held() {
        return world.client().figures().permitsHeld();
    }

    @AfterEach
    void nothingIsHeld() {
        world.time.runUntilIdle();
        world.assertClean();
    }

    @Nested
    @DisplayName("A8 from the head to the end of the body")
    class Body {

        @Test
        @DisplayName("A8 the report comes at the head, the permit goes back when the body is read")
        void permit() {
            Response response = streamed(TO_END);

            assertThat(world.endedAt()).isEqualTo(ms(5));
            assertThat(response.body().isStreamed()).isTrue();
            assertThat(held()).isEqualTo(1);

            Reader reader = Reader.of(response.body(), 9);
            world.runTo(ms(300));
            assertThat(reader.parts).containsExactly("a");
            assertThat(held()).isEqualTo(1);
            assertThat(response.body().trailers().count()).isZero();

            world.transport.attempt(1).part("b");
            world.transport.attempt(1).endBody("Checksum", "7");
            world.time.runReady();
            assertThat(reader.parts).containsExactly("a", "b");
            assertThat(reader.complete).isTrue();
            assertThat(response.body().trailers().first("Checksum")).contains("7");
            assertThat(held()).isZero();
            world.time.assertNothingLeft();
        }

        @ParameterizedTest
        @DisplayName("A8 a permit for each attempt is held as long")
        @EnumSource(PermitScope.class)
        void permitScopes(PermitScope scope) {
            world.policy(ms(1_000), p -> p.permitScope(scope));
            Response response = streamed(TO_END);

            assertThat(held()).isEqualTo(1);
            response.release();
            world.time.runReady();
            assertThat(held()).isZero();
        }

        @Test
        @DisplayName("A8 a body that nobody wants is dropped, and the permit goes back")
        void released() {
            Response response = streamed(TO_END);

            response.release();
            world.time.runReady();

            assertThat(held()).isZero();
            assertThat(Reader.of(response.body(), 1).kind()).isEqualTo(BodyException.Kind.RELEASED);
        }

        @Test
        @DisplayName("A8 so is the rest of one whose reader cancels")
        void readerCancels() {
            Response response = streamed(TO_END);
            Reader reader = Reader.of(response.body(), 1);
            world.runTo(ms(10));

            reader.subscription.cancel();
            world.time.runReady();

            assertThat(reader.parts).containsExactly("a");
            assertThat(reader.failure).isNull();
            assertThat(held()).isZero();
        }

        @Test
        @DisplayName("A8 a body that is whole with its head is in memory, and nothing is held")
        void whole() {
            world.transport.on(1).answer(200);

            world.call(GET, TO_END);

            assertThat(response().body().isStreamed()).isFalse();
            assertThat(held()).isZero();
            world.time.assertNothingLeft();
        }

        @Test
        @DisplayName("E9 one that breaks says so to its reader, and changes nothing else")
        void broken() {
            Response response = streamed(TO_END);
            Reader reader = Reader.of(response.body(), 9);

            world.transport.attempt(1).failBody(BodyException.Kind.TRUNCATED);
            world.time.runReady();

            assertThat(reader.kind()).isEqualTo(BodyException.Kind.TRUNCATED);
            assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
            assertThat(held()).isZero();
        }
    }

    @Nested
    @DisplayName("A8 what cuts a body")
    class Cut {

        @ParameterizedTest
        @DisplayName("A6 A8 the deadline to the end, at −1, 0 and +1 ns")
        @ValueSource(longs = {-1, 0, 1})
        void deadline(long edge) {
            Reader reader = Reader.of(streamed(TO_END).body(), 9);
            world.runTo(ms(1_000).plusNanos(edge));

            assertThat(reader.failure == null).isEqualTo(edge < 0);
            if (edge >= 0) {
                assertThat(reader.kind()).isEqualTo(BodyException.Kind.DEADLINE);
                assertThat(held()).isZero();
                assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
            }
            world.transport.attempt(1).endBody();
        }

        @Test
        @DisplayName("A2 a body that has ended at the deadline has ended")
        void endedAtTheDeadline() {
            Reader reader = Reader.of(streamed(TO_END).body(), 9);

            world.atOneLook(() -> {
                world.stallTo(ms(1_000));
                world.transport.attempt(1).endBody();
            });

            assertThat(reader.complete).isTrue();
        }

        @Test
        @DisplayName("A8 the deadline to the head bounds no body")
        void toHead() {
            Reader reader = Reader.of(streamed(TO_HEAD).body(), 9);

            world.runTo(ms(10_000));

            assertThat(reader.failure).isNull();
            assertThat(held()).isEqualTo(1);
            world.transport.attempt(1).endBody();
        }

        @ParameterizedTest
        @DisplayName("A6 A8 a body that stands still, at −1, 0 and +1 ns after its last part")
        @ValueSource(longs = {-1, 0, 1})
        void idle(long edge) {
            Reader reader = Reader.of(
                    streamed(CallOptions.none().withStreaming(Streaming.toHead().withIdleTimeout(ms(40))))
                            .body(),
                    9);

            world.runTo(ms(50).plusNanos(edge));

            assertThat(reader.failure == null).isEqualTo(edge < 0);
            if (edge >= 0) {
                assertThat(reader.kind()).isEqualTo(BodyException.Kind.IDLE);
                assertThat(held()).isZero();
            }
            world.transport.attempt(1).endBody();
        }

        @Test
        @DisplayName("A8 a reader who asks for nothing is idle too, and moving is asking again")
        void idleReader() {
            Response response =
                    streamed(CallOptions.none().withStreaming(Streaming.toHead().withIdleTimeout(ms(40))));
            Reader reader = new Reader();
            response.body().parts().subscribe(reader);

            world.runTo(ms(44));
            reader.subscription.request(1);
            world.runTo(ms(83));
            assertThat(reader.failure).isNull();
            world.runTo(ms(84));
            assertThat(reader.kind()).isEqualTo(BodyException.Kind.IDLE);
        }

        @Test
        @DisplayName("A8 the caller's cancellation, after the report")
        void cancelled() {
            world.transport.on(1).answerInParts(200).hang();
            Call call = world.call(GET, TO_END);
            Reader reader = Reader.of(response().body(), 9);

            call.cancel();
            world.time.runReady();

            assertThat(reader.kind()).isEqualTo(BodyException.Kind.CANCELLED);
            assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
            assertThat(held()).isZero();
        }

        @Test
        @DisplayName("S1 the client's close, once the grace is over")
        void closed() {
            Reader reader = Reader.of(streamed(TO_HEAD).body(), 9);

            CompletableFuture<Void> closed = world.client().close(ms(100));
            world.runTo(ms(104));
            assertThat(reader.failure).isNull();
            assertThat(closed).isNotDone();
            world.runTo(ms(105));
            assertThat(reader.kind()).isEqualTo(BodyException.Kind.SHUTTING_DOWN);
            assertThat(closed).isCompleted();
        }

        @Test
        @DisplayName("L4 E8 one that is not clean a reserve after the cut is let go by force")
        void reserve() {
            world.transport.on(1).answerInParts(200).hang().ignoreAbandonment();
            Call call = world.call(GET, TO_END);
            world.runTo(ms(10));

            call.cancel();
            world.runTo(ms(60).minusNanos(1));
            assertThat(held()).isEqualTo(1);
            world.runTo(ms(60));
            assertThat(held()).isZero();
            assertThat(world.client().figures().forcedCleanups()).isEqualTo(1);
            world.transport.attempt(1).clean();
        }

        @Test
        @DisplayName("A5 a transport that throws when told to cut is counted, and cut off by the reserve")
        void cutThrows() {
            world.transport.on(1).answerInParts(200).hang();
            Call call = world.call(GET, TO_END);
            world.time.callOuts().before(CallOut.CUT, 1).raise(new IllegalStateException("bug"));

            call.cancel();
            world.runTo(ms(50));

            assertThat(held()).isZero();
            assertThat(world.client().figures().failedCallOuts()).isEqualTo(1);
            world.transport.attempt(1).clean();
        }

        @Test
        @DisplayName("S1 a home that refuses work has bodies cut, since nobody could watch them")
        void homeless() {
            Reader reader = Reader.of(streamed(TO_HEAD).body(), 9);

            world.time.close();
            world.time.runReady();

            assertThat(reader.kind()).isEqualTo(BodyException.Kind.SHUTTING_DOWN);
            assertThat(held()).isZero();
        }
    }

    @Nested
    @DisplayName("A8 R9 heads and retries")
    class Retries {

        @Test
        @DisplayName("R9 the answer before a retry is dropped when the next attempt starts, not before")
        void droppedAtTheNextAttempt() {
            world.transport.on(1).answerInParts(503).hang();
            world.transport.on(2).answer(200);
            world.call(GET, TO_END);

            world.runTo(ms(9));
            assertThat(world.transport.attempt(1).cleanedAt()).isEmpty();
            world.runTo(ms(10));
            assertThat(world.transport.attempt(1).cleanedAt()).contains(ms(10));
            assertThat(response().status()).isEqualTo(200);
        }

        @Test
        @DisplayName("R9 a retry that is refused leaves the answer to be read in parts")
        void refusedRetry() {
            world.policy(ms(1_000), p -> p.maxRetries(0));
            world.transport.on(1).answerInParts(503).pause(ms(20)).part("sorry").endBody();
            world.call(GET, TO_END);

            assertThat(world.report().suppressed()).contains(Suppressed.ATTEMPTS_USED);
            Reader reader = Reader.of(response().body(), 9);
            world.time.runUntilIdle();
            assertThat(reader.parts).containsExactly("sorry");
            assertThat(reader.complete).isTrue();
        }

        @Test
        @DisplayName("R6 R9 so does one that cannot fit")
        void cannotFit() {
            world.policy(ms(105), p -> p);
            world.transport.on(1).answerInParts(503).pause(ms(20)).part("sorry").endBody();
            world.call(GET, TO_END);

            Outcome last = ((Outcome.OverallDeadline) world.report().outcome())
                    .lastReal()
                    .orElseThrow();
            Reader reader = Reader.of(((Outcome.Response) last).response().body(), 9);
            world.time.runUntilIdle();
            assertThat(reader.complete).isTrue();
        }

        @Test
        @DisplayName("A8 a call that is cancelled in its backoff leaves no body behind")
        void cancelledInBackoff() {
            world.transport.on(1).answerInParts(503).hang();
            Call call = world.call(GET, TO_END);
            world.runTo(ms(5));
            assertThat(held()).isEqualTo(1);

            call.cancel();
            world.time.runReady();

            assertThat(world.kind()).isEqualTo(Outcome.Kind.CANCELLED);
            assertThat(world.transport.attempt(1).cleanedAt()).contains(ms(5));
            assertThat(held()).isZero();
        }

        @Test
        @DisplayName("A8 no retry after the head, whatever becomes of the body")
        void committed() {
            Response response = streamed(TO_END);
            Reader.of(response.body(), 9);

            world.transport.attempt(1).failBody(BodyException.Kind.TRUNCATED);
            world.time.runUntilIdle();

            assertThat(world.transport.sends()).isEqualTo(1);
        }

        @Test
        @DisplayName("A5 A8 a head that is looked at too late is let go with its body")
        void lateHead() {
            world.policy(ms(1_000), p -> p.maxRetries(0).cleanupReserve(ms(50)));
            world.transport.on(1).hangAfterWrite();
            world.call(GET, TO_END);

            world.atOneLook(() -> {
                world.transport.attempt(1).answerInParts(200);
                world.stallTo(ms(100));
            });

            assertThat(world.kind()).isEqualTo(Outcome.Kind.ATTEMPT_TIMEOUT);
            assertThat(world.transport.attempt(1).cleanings()).isEqualTo(1);
            assertThat(held()).isZero();
        }

        @Test
        @DisplayName("T2 a body's end gives an older lane no other reserve than the outcome's")
        void olderLaneAfterTheBody() {
            world.policy(ms(1_000), p -> p.attemptTimeout(ms(100)).maxRetries(1).cleanupReserve(ms(50)));
            world.transport.on(1).hangAfterWrite().ignoreAbandonment();
            world.transport.on(2).answerInParts(200).hang();
            world.call(GET, TO_END);
            world.runTo(ms(110));
            assertThat(response().body().isStreamed()).isTrue();

            world.runTo(ms(150));
            world.transport.attempt(2).endBody();
            world.runTo(ms(160));

            assertThat(world.client().figures().forcedCleanups()).isEqualTo(1);
            assertThat(held()).isZero();
            world.transport.attempt(1).clean();
        }

        @Test
        @DisplayName(
                "T2 the body of a last real result that was let go of before is waited for no longer than the reserve")
        void lastRealResultWithoutItsBody() {
            world.policy(
                    ms(1_000),
                    p -> p.attemptTimeout(ms(100))
                            .maxRetries(2)
                            .initialBackoff(ms(300))
                            .maxBackoff(ms(300))
                            .jitter(Jitter.NONE)
                            .cleanupReserve(ms(50)));
            world.transport.on(1).answerInParts(503).hang().cleanAfterAbandonment(ms(5_000));
            world.transport.on(2).hangAfterWrite();
            world.call(GET, TO_HEAD);
            world.runTo(ms(500));
            world.time.stall(ms(600));
            world.time.runReady();
            assertThat(world.lastReport().outcome().kind()).isEqualTo(Outcome.Kind.OVERALL_DEADLINE);

            world.runTo(ms(1_150));

            assertThat(world.client().figures().forcedCleanups()).isEqualTo(1);
            assertThat(held()).isZero();
        }

        @Test
        @DisplayName("L4 a lane from before the head keeps its own reserve")
        void olderLane() {
            world.policy(ms(1_000), p -> p.cleanupReserve(ms(50)).permitScope(PermitScope.ATTEMPT));
            world.transport.on(1).failAfter(ms(1), TransportFailure.Kind.RESET).hang();
            world.transport.on(2).answerInParts(200).hang();
            world.call(GET, TO_HEAD);
            world.runTo(ms(11));
            assertThat(held()).isEqualTo(2);

            world.runTo(ms(61).minusNanos(1));
            assertThat(held()).isEqualTo(2);
            world.runTo(ms(61));
            assertThat(held()).isEqualTo(1);
            world.transport.attempt(1).clean();
            world.transport.attempt(2).endBody();
        }
    }

    @Nested
    @DisplayName("A8 interim answers")
    class Interim {

        private final List<Integer> heard = new ArrayList<>();

        private final CallOptions listening =
                CallOptions.none().withStreaming(Streaming.toEnd().withInterim((status, headers) -> heard.add(status)));

        private void interim(int status) {
            world.transport
                    .attempt(1)
                    .exchange()
                    .interim(status, dev.escapement.http.Headers.of("Link", "</style.css>"));
        }

        @Test
        @DisplayName("A8 are offered to a streaming caller, and commit nothing")
        void offered() {
            world.transport.on(1).writeAll().hang();
            world.transport.on(2).answer(200);
            world.call(GET, listening);

            interim(103);
            world.transport.attempt(1).failCleanly(TransportFailure.Kind.RESET);
            world.time.runUntilIdle();

            assertThat(heard).containsExactly(103);
            assertThat(response().status()).isEqualTo(200);
        }

        @Test
        @DisplayName("A8 those of an attempt that is over are nobody's")
        void late() {
            world.transport.on(1).hangAfterWrite().ignoreAbandonment();
            Call call = world.call(GET, listening);
            call.cancel();

            interim(103);

            assertThat(heard).isEmpty();
            world.transport.attempt(1).clean();
        }

        @Test
        @DisplayName("A5 a listener that throws is counted, and breaks nothing")
        void throwing() {
            world.transport.on(1).writeAll().hang();
            world.call(GET, CallOptions.none().withStreaming(Streaming.toEnd().withInterim((status, headers) -> {
                throw new IllegalStateException("user code");
            })));

            interim(102);
            world.transport.attempt(1).answerCleanly(200);
            world.time.runUntilIdle();

            assertThat(world.client().figures().failedCallbacks()).isEqualTo(1);
            assertThat(response().status()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("R8 E8 a request's body is released once, when the call is clean, and not before")
    void requestBody() {
        ReplayMemory memory = ReplayMemory.of(8, 8);
        List<String> heard = new ArrayList<>();
        Flow.Publisher<ByteBuffer> source = subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {
                heard.add("cancelled");
            }
        });
        world.transport
                .on(1)
                .act(attempt -> attempt.request().body().parts().subscribe(new Reader()))
                .answerInParts(200)
                .pause(ms(20))
                .endBody();
        world.call(
                Request.of(
                        Method.PUT,
                        GET.uri(),
                        dev.escapement.http.Headers.empty(),
                        memory.keep(source, dev.escapement.http.Body.UNKNOWN_LENGTH)),
                TO_END);

        world.runTo(ms(20).minusNanos(1));
        assertThat(heard).isEmpty();
        world.runTo(ms(20));
        assertThat(heard).containsExactly("cancelled");
    }

    @ParameterizedTest
    @DisplayName("P2 an idle timeout out of its range is refused, by name and value")
    @ValueSource(strings = {"PT0S", "PT0.000999999S", "PT24H0.000000001S", "PT-1S"})
    void idleTimeouts(Duration timeout) {
        assertThatThrownBy(() -> Streaming.toEnd().withIdleTimeout(timeout))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("idle timeout " + timeout);
    }
}
