package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Request;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.TransportFailure.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One limit over several loops: who is served by whom, and what abandoning leaves behind at each point of the move. */
@ExtendWith(LeakWatch.class)
class StealTest {

    private static NettyTransportBuilder limited(int connections) {
        return NettyTransport.builder().maxConnectionsPerEndpoint(connections);
    }

    /** The loop that tells the result, as far as it is this one. */
    private static CompletableFuture<Boolean> toldOn(LoopScheduler loop, RecordingExchange exchange) {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        exchange.whenResult(() -> told.complete(loop.inContext()));
        return told;
    }

    private static boolean now(CompletableFuture<Boolean> told) throws Exception {
        return told.get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName(
            "G5 the limit counts over all loops; at it, a loop without serves by another's idle connections, one each")
    void skew() throws Exception {
        Gate answer = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(3, limited(3))) {
            server.otherwise().readRequest().await(answer).respond(200, "").serve(request -> response(200, ""));
            List<World.Sent> before = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                before.add(loops.send(0, server));
            }
            answer.open();
            for (World.Sent sent : before) {
                assertThat(sent.status()).isEqualTo(200);
            }
            loops.awaitStats(stats -> stats.idle() == 3);

            for (int i = 0; i < 20; i++) {
                World.Sent sent = loops.send(1 + i % 2, server);
                assertThat(sent.status()).isEqualTo(200);
                assertThat(sent.exchange().connections()).containsExactly(true);
            }

            assertThat(loops.stats().stolen()).isEqualTo(20);
            assertThat(loops.stats().opened()).isEqualTo(3);
            assertThat(server.connectionCount()).isEqualTo(3);
            assertThat(loops.only().uses()).isEqualTo(23);
        }
    }

    @Test
    @DisplayName("L2 below the limit a loop makes connections of its own, and nothing moves")
    void ownConnections() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(2, limited(2))) {
            server.otherwise().serve(request -> response(200, ""));
            for (int loop : new int[] {0, 1, 0, 1}) {
                assertThat(loops.send(loop, server).status()).isEqualTo(200);
            }

            assertThat(loops.stats().stolen()).isZero();
            assertThat(loops.stats().opened()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("L2 a waiter is served by whichever loop's connection comes free first, on that loop")
    void comesFreeElsewhere() throws Exception {
        Gate answer = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(2, limited(1))) {
            server.on(1).readRequest().await(answer).respond(200, "").serve(request -> response(200, ""));
            World.Sent holder = loops.send(0, server);
            server.request(1);
            World.Sent waiter = loops.send(1, server);
            CompletableFuture<Boolean> toldOnZero = toldOn(loops.home(0), waiter.exchange());
            assertThat(loops.stats().waiting()).isEqualTo(1);

            answer.open();

            assertThat(holder.status()).isEqualTo(200);
            assertThat(waiter.status()).isEqualTo(200);
            assertThat(now(toldOnZero)).isTrue();
            assertThat(loops.stats().stolen()).isEqualTo(1);
            assertThat(server.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("L2 waiters of all loops are served in the order in which they came")
    void oneQueue() throws Exception {
        Gate answer = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(3, limited(1).maxWaitersPerEndpoint(6))) {
            server.on(1).readRequest().await(answer).respond(200, "").serve(request -> response(200, ""));
            List<Integer> served = new ArrayList<>();
            World.Sent holder = loops.send(0, server);
            server.request(1);
            List<World.Sent> waiters = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int place = i;
                World.Sent waiter = loops.send(i % 3, server);
                // Told on loop 0, each before the next is served.
                waiter.exchange().whenResult(() -> served.add(place));
                waiters.add(waiter);
            }

            answer.open();

            assertThat(holder.status()).isEqualTo(200);
            for (World.Sent waiter : waiters) {
                assertThat(waiter.status()).isEqualTo(200);
            }
            assertThat(loops.on(0, () -> List.copyOf(served))).containsExactly(0, 1, 2, 3, 4, 5);
        }
    }

    @Test
    @DisplayName(
            "L2 who is called and serves another calls the next: nobody waits for a connect beside an idle connection")
    void callsTheNext() throws Exception {
        Gate answer = new Gate();
        Gate hold = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(4, limited(3))) {
            server.otherwise()
                    .readRequest()
                    .await(answer)
                    .respond(200, "")
                    .readRequest()
                    .await(hold)
                    .respond(200, "")
                    .serve(request -> response(200, ""));
            World.Sent one = loops.send(0, server);
            World.Sent two = loops.send(1, server);
            server.request(2);
            answer.open();
            assertThat(one.status()).isEqualTo(200);
            assertThat(two.status()).isEqualTo(200);
            loops.awaitStats(stats -> stats.idle() == 2);
            // Two connects at once: each may have come up for the other's lane.
            long movedBefore = loops.stats().stolen();
            // The last place is taken by a connect that does not go on.
            RecordingExchange older = loops.world.exchange(loops.home(3), server);
            Gate stopped = loops.stop(3);
            Gate connecting = new Gate();
            loops.home(3).execute(() -> {
                loops.world.transport.send(Request.get(server.uri("/").toString()), older);
                pass(connecting);
            });
            stopped.open();
            connecting.awaitArrival();

            World.Sent newer = loops.send(2, server);

            // The first loop called serves the older one, the second the newer.
            server.request(4);
            assertThat(loops.stats().stolen() - movedBefore).isEqualTo(2);
            hold.open();
            older.await(Fact.SUCCEEDED);
            assertThat(newer.status()).isEqualTo(200);
            connecting.open();
            loops.awaitStats(stats -> stats.idle() == 3);
        }
    }

    private static void pass(Gate gate) {
        try {
            gate.pass();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @DisplayName("L2 a place that comes free is connected on the loop that waits for it")
    void placeFreedElsewhere() throws Exception {
        Gate answer = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(2, limited(1))) {
            server.on(1).readRequest().await(answer).send(response(200, "", "Connection", "close"));
            server.on(2).serve(request -> response(200, ""));
            World.Sent holder = loops.send(0, server);
            server.request(1);
            World.Sent waiter = loops.send(1, server);
            CompletableFuture<Boolean> toldOnOne = toldOn(loops.home(1), waiter.exchange());

            answer.open();

            assertThat(holder.status()).isEqualTo(200);
            assertThat(waiter.status()).isEqualTo(200);
            assertThat(now(toldOnOne)).isTrue();
            assertThat(waiter.exchange().connections()).containsExactly(false);
            assertThat(loops.stats().stolen()).isZero();
        }
    }

    @Test
    @DisplayName("L2 a connect that fails frees its place for who waits on another loop")
    void placeFreedByAFailure() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(2, limited(1).maxWaitersPerEndpoint(4))) {
            server.otherwise().serve(request -> response(200, ""));
            server.stopAccepting();
            Gate stopped = loops.stop(0);
            RecordingExchange first = loops.world.exchange(loops.home(0), server);
            RecordingExchange second = loops.world.exchange(loops.home(0), server);
            Request request = Request.get(server.uri("/").toString());
            loops.home(0).execute(() -> {
                loops.world.transport.send(request, first);
                loops.world.transport.send(request, second);
            });
            stopped.open();
            World.Sent third = loops.send(1, server);

            // Each failure is told to one, and leaves its place to the next.
            first.awaitResult();
            second.awaitResult();
            assertThat(first.failure().kind()).isEqualTo(Kind.REFUSED);
            assertThat(second.failure().kind()).isEqualTo(Kind.REFUSED);
            assertThat(third.failure().kind()).isEqualTo(Kind.REFUSED);
            loops.awaitStats(stats -> stats.connecting() == 0 && stats.waiting() == 0);
        }
    }

    @Test
    @DisplayName("G5 what lies idle elsewhere and is past its limit is closed when it is asked for, and its place used")
    void idleElsewhereIsTooOld() throws Exception {
        AtomicLong nowNanos = new AtomicLong(1_000_000_000_000L);
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(2, limited(1).clock(nowNanos::get).idleLimit(Duration.ofSeconds(10)))) {
            server.otherwise().serve(request -> response(200, ""));
            assertThat(loops.send(0, server).status()).isEqualTo(200);
            nowNanos.addAndGet(10_000_000_000L);

            World.Sent sent = loops.send(1, server);

            assertThat(sent.status()).isEqualTo(200);
            assertThat(sent.exchange().connections()).containsExactly(false);
            assertThat(loops.stats().opened()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("E7 abandoned before the called loop takes it: it leaves the queue at once, the connection stays idle")
    void abandonedBeforeItIsTaken() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(2, limited(1))) {
            server.otherwise().serve(request -> response(200, ""));
            assertThat(loops.send(0, server).status()).isEqualTo(200);
            Gate stopped = loops.stop(0);
            World.Sent gone = loops.send(1, server);

            assertThat(loops.abandon(1, gone)).isTrue();

            assertThat(gone.exchange().facts()).containsExactly(Fact.CLEAN);
            assertThat(gone.exchange().fate()).contains(ConnectionFate.NONE);
            assertThat(loops.stats().waiting()).isZero();
            stopped.open();
            assertThat(loops.send(1, server).status()).isEqualTo(200);
            assertThat(loops.stats().stolen()).isEqualTo(1);
            assertThat(loops.stats().opened()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName(
            "E1 E7 abandoned at home while the other loop is about to write: nothing leaves, the connection is given back")
    void abandonedWhileItIsServed() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(2, limited(1))) {
            server.otherwise().serve(request -> response(200, ""));
            assertThat(loops.send(0, server).status()).isEqualTo(200);
            Gate stopped = loops.stop(0);
            AtomicReference<World.Sent> sent = new AtomicReference<>();
            // Runs on loop 0, between the lease and the write.
            Runnable abandonAtHome = () -> {
                try {
                    assertThat(loops.abandon(1, sent.get())).isTrue();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            };
            sent.set(loops.send(1, server, exchange -> new LastMomentExchange(exchange, abandonAtHome)));
            stopped.open();

            RecordingExchange gone = sent.get().exchange();
            gone.await(Fact.CLEAN);
            assertThat(gone.facts()).containsExactly(Fact.CONNECTED, Fact.MUST_NOT_WRITE, Fact.CLEAN);
            assertThat(gone.fate()).contains(ConnectionFate.REUSED);
            assertThat(loops.send(0, server).status()).isEqualTo(200);
            assertThat(loops.stats().opened()).isEqualTo(1);
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    @DisplayName("E7 abandoned at home after the other loop has written: the connection goes, its place to who waits")
    void abandonedAfterItWasWritten() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(3, limited(1))) {
            server.on(1).readRequest().respond(200, "").readRequest().readToEnd();
            server.on(2).serve(request -> response(200, ""));
            assertThat(loops.send(0, server).status()).isEqualTo(200);
            World.Sent gone = loops.send(1, server);
            server.request(2);
            World.Sent waiter = loops.send(2, server);

            assertThat(loops.abandon(1, gone)).isTrue();

            gone.exchange().await(Fact.CLEAN);
            assertThat(gone.exchange().fate()).contains(ConnectionFate.POISONED);
            assertThat(waiter.status()).isEqualTo(200);
            assertThat(loops.stats().poisoned()).containsOnlyKeys(Poison.ABANDONED);
            assertThat(loops.stats().opened()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName(
            "R10 a lane that has moved and finds the connection dead has it replaced where it is, in the same place")
    void replacedWhereItMoved() throws Exception {
        Gate die = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(2, limited(1))) {
            server.on(1).readRequest().respond(200, "").await(die).reset();
            server.on(2).serve(request -> response(200, ""));
            assertThat(loops.send(0, server).status()).isEqualTo(200);
            Gate stopped = loops.stop(0);
            die.open();
            server.connection(1).awaitDone();
            World.Sent sent = loops.send(1, server);
            CompletableFuture<Boolean> toldOnZero = toldOn(loops.home(0), sent.exchange());

            // Serves the lane before it looks at its sockets.
            stopped.open();

            assertThat(sent.status()).isEqualTo(200);
            assertThat(now(toldOnZero)).isTrue();
            assertThat(sent.exchange().connections()).containsExactly(true, false);
            assertThat(loops.stats().replaced()).isEqualTo(1);
            assertThat(loops.only().open()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName(
            "G5 the one too many is told limit, active, idle, connecting, waiting and the longest wait over all loops")
    void exhausted() throws Exception {
        AtomicLong nowNanos = new AtomicLong(1_000_000_000_000L);
        Gate answer = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(3, limited(2).maxWaitersPerEndpoint(1).clock(nowNanos::get))) {
            server.otherwise().readRequest().await(answer).respond(200, "").serve(request -> response(200, ""));
            List<World.Sent> sent = new ArrayList<>();
            sent.add(loops.send(0, server));
            sent.add(loops.send(1, server));
            server.request(2);
            nowNanos.addAndGet(5_000_000L);
            sent.add(loops.send(2, server));
            nowNanos.addAndGet(7_000_000L);
            World.Sent tooMany = loops.send(0, server);

            assertThat(tooMany.failure().kind()).isEqualTo(Kind.POOL_EXHAUSTED);
            assertThat(tooMany.failure().message())
                    .contains("limit 2, active 2, idle 0, connecting 0, waiting 1 of 1, longest for 7 ms");
            DestinationStats only = loops.only();
            assertThat(only.destination()).isEqualTo("http://127.0.0.1:" + server.port());
            assertThat(only.oldestWait()).isEqualTo(Duration.ofMillis(7));
            assertThat(only.oldestConnection()).isEqualTo(Duration.ofMillis(12));
            assertThat(List.of(
                            only.limit(), only.open(), only.active(), only.idle(), only.connecting(), only.waiting()))
                    .containsExactly(2, 2, 2, 0, 0, 1);

            answer.open();
            for (World.Sent one : sent) {
                assertThat(one.status()).isEqualTo(200);
            }
        }
    }

    @Test
    @DisplayName("S1 closing refuses the waiters of every loop")
    void closing() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(3, limited(1))) {
            server.otherwise().readRequest().readToEnd();
            World.Sent running = loops.send(0, server);
            server.request(1);
            World.Sent one = loops.send(1, server);
            World.Sent two = loops.send(2, server);

            CompletableFuture<Void> closed = loops.world.transport.shutdown(Duration.ofHours(1));

            assertThat(one.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
            assertThat(two.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
            assertThat(closed).isNotDone();
            assertThat(loops.world.transport.shutdown(Duration.ZERO)).isSameAs(closed);
            assertThat(running.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
            closed.get(20, TimeUnit.SECONDS);
        }
    }
}
