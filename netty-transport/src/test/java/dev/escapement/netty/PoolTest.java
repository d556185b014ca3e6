package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Request;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.TransportFailure.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who gets which connection, who waits, and what leaving at any moment leaves behind. */
@ExtendWith(LeakWatch.class)
class PoolTest {

    private static Request get(ScriptedServer server, String path) {
        return Request.get(server.uri(path).toString());
    }

    @Test
    @DisplayName("G5 waiters are bounded, served first in first out, and the one too many is told the figures")
    void waiters() throws Exception {
        Gate answer = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.of(
                        NettyTransport.builder().maxConnectionsPerEndpoint(1).maxWaitersPerEndpoint(3))) {
            server.on(1).readRequest().await(answer).respond(200, "").serve(request -> response(200, ""));
            List<World.Sent> sent = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sent.add(world.send(get(server, "/" + i)));
                sent.get(0).exchange().await(Fact.REQUEST_SENT);
            }
            World.Sent tooMany = world.send(get(server, "/no"));

            assertThat(tooMany.failure().kind()).isEqualTo(Kind.POOL_EXHAUSTED);
            assertThat(tooMany.failure().message()).contains("limit 1, active 1, idle 0, connecting 0, waiting 3 of 3");
            assertThat(tooMany.exchange().fate()).contains(ConnectionFate.NONE);
            assertThat(world.transport.stats().waiting()).isEqualTo(3);

            // A waiter in the middle leaves: its place is free at once, and it is never served.
            assertThat(world.abandon(sent.get(2))).isTrue();
            assertThat(sent.get(2).exchange().facts()).containsExactly(Fact.CLEAN);
            sent.add(world.send(get(server, "/4")));

            answer.open();
            for (int i : new int[] {0, 1, 3, 4}) {
                assertThat(sent.get(i).status()).isEqualTo(200);
            }
            assertThat(server.requests())
                    .extracting(request -> request.target())
                    .containsExactly("/0", "/1", "/3", "/4");
            assertThat(server.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("E7 an attempt abandoned while it connects leaves the connection to the next")
    void abandonedWhileConnecting() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.ofDefaults()) {
            server.on(1).serve(request -> response(200, ""));
            RecordingExchange exchange = world.exchange(world.loop(), server);
            world.onLoop(() -> {
                Attempt attempt = world.transport.send(get(server, "/abandoned"), exchange);
                assertThat(exchange.abandon(attempt)).isTrue();
            });
            assertThat(exchange.facts()).containsExactly(Fact.CLEAN);
            assertThat(exchange.fate()).contains(ConnectionFate.NONE);
            world.awaitStats(stats -> stats.idle() == 1);

            World.Sent next = world.send(get(server, "/next"));

            assertThat(next.status()).isEqualTo(200);
            assertThat(server.connectionCount()).isEqualTo(1);
            // It has served nobody before: a failure of it would not be a stale one.
            assertThat(next.exchange().connections()).containsExactly(false);
        }
    }

    @Test
    @DisplayName("E1 an attempt that loses tryWrite lets nothing leave and gives the connection back whole")
    void abandonedBeforeTheWrite() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.ofDefaults()) {
            server.on(1).serve(request -> response(200, ""));
            assertThat(world.send(get(server, "/warm")).status()).isEqualTo(200);
            RecordingExchange exchange = world.exchange(world.loop(), server);
            world.onLoop(() -> {
                // Gives up on the word in the middle of send: the transport learns of it at tryWrite.
                world.transport.send(get(server, "/lost"), new LastMomentExchange(exchange, exchange::giveUp));
            });

            assertThat(exchange.facts()).containsExactly(Fact.CONNECTED, Fact.MUST_NOT_WRITE, Fact.CLEAN);
            assertThat(exchange.fate()).contains(ConnectionFate.REUSED);
            assertThat(world.send(get(server, "/after")).status()).isEqualTo(200);
            assertThat(server.requests())
                    .extracting(request -> request.target())
                    .containsExactly("/warm", "/after");
            assertThat(server.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("E7 abandoning while sent or reading closes the connection and reports what was read")
    void abandonedWhileReading() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.ofDefaults()) {
            server.on(1).readRequest().readToEnd();
            server.on(2)
                    .readRequest()
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
                    .readToEnd();

            World.Sent waiting = world.send(get(server, "/"));
            server.request(1);
            assertThat(world.abandon(waiting)).isTrue();
            assertThat(waiting.exchange().fate()).contains(ConnectionFate.POISONED);
            server.connection(1).awaitPeerEnd();

            World.Sent reading = world.send(get(server, "/"));
            reading.exchange().await(Fact.REPLY_STARTED);
            assertThat(world.abandon(reading)).isTrue();
            assertThat(reading.exchange().discardedBytes()).isPositive();
            server.connection(2).awaitPeerEnd();
            assertThat(world.transport.stats().poisoned()).containsEntry(Poison.ABANDONED, 2L);
        }
    }

    @Test
    @DisplayName("E6 the connection is given back before the result is told, so that a call inside the result finds it")
    void callInsideTheResult() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.ofDefaults()) {
            server.on(1).serve(request -> response(200, request.target()));
            RecordingExchange first = world.exchange(world.loop(), server);
            RecordingExchange second = world.exchange(world.loop(), server);
            first.whenResult(() -> world.transport.send(get(server, "/second"), second));
            world.onLoop(() -> world.transport.send(get(server, "/first"), first));
            second.await(Fact.SUCCEEDED);

            assertThat(second.connections()).containsExactly(true);
            assertThat(server.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("G5 connections are lent last in first out, and those idle beyond the limit never")
    void idleLimit() throws Exception {
        AtomicLong nowNanos = new AtomicLong(1_000_000_000_000L);
        Gate both = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.of(NettyTransport.builder()
                        .idleLimit(Duration.ofSeconds(10))
                        .clock(nowNanos::get))) {
            server.on(1).readRequest().await(both).respond(200, "1").serve(request -> response(200, "1"));
            server.on(2).readRequest().respond(200, "2").serve(request -> response(200, "2"));
            server.on(3).serve(request -> response(200, "3"));
            World.Sent one = world.send(get(server, "/"));
            server.request(1);
            World.Sent two = world.send(get(server, "/"));
            assertThat(two.status()).isEqualTo(200);
            nowNanos.addAndGet(4_000_000_000L);
            both.open();
            assertThat(one.status()).isEqualTo(200);

            World.Sent newest = world.send(get(server, "/"));
            assertThat(newest.status()).isEqualTo(200);
            assertThat(newest.text()).isEqualTo("1");

            // Connection 2 has been idle for 10 s less a nanosecond, then for 10 s; connection 1 for 6 s.
            nowNanos.addAndGet(5_999_999_999L);
            sweep(world);
            assertThat(world.transport.stats().idle()).isEqualTo(2);
            nowNanos.addAndGet(1);
            sweep(world);
            assertThat(world.transport.stats().idle()).isEqualTo(1);
            server.connection(2).awaitPeerEnd();

            // Past the limit without any sweep: found out when it would be lent.
            nowNanos.addAndGet(4_000_000_000L);
            World.Sent fresh = world.send(get(server, "/"));
            assertThat(fresh.status()).isEqualTo(200);
            assertThat(fresh.text()).isEqualTo("3");
            assertThat(world.transport.stats().poisoned()).isEmpty();
        }
    }

    private static void sweep(World world) throws InterruptedException {
        world.onLoop(() -> world.transport.pools().forEach(LoopPools::sweep));
    }

    @Test
    @DisplayName("E6 a server's Keep-Alive timeout lowers the limit to a second less; one of a second keeps nothing")
    void keepAliveHint() throws Exception {
        AtomicLong nowNanos = new AtomicLong(1_000_000_000_000L);
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.of(NettyTransport.builder().clock(nowNanos::get))) {
            server.on(1).serve(request -> response(200, "", "Keep-Alive", "timeout=5"));
            server.on(2).serve(request -> response(200, "", "Keep-Alive", "timeout=1"));
            assertThat(world.send(get(server, "/")).status()).isEqualTo(200);
            nowNanos.addAndGet(3_999_999_999L);
            sweep(world);
            assertThat(world.transport.stats().idle()).isEqualTo(1);
            nowNanos.addAndGet(1);
            sweep(world);
            assertThat(world.transport.stats().idle()).isZero();

            World.Sent sent = world.send(get(server, "/"));
            assertThat(sent.status()).isEqualTo(200);
            assertThat(sent.exchange().fate()).contains(ConnectionFate.CLOSED);
        }
    }

    @Test
    @DisplayName("G5 a connection past its lifetime is not given back")
    void lifetime() throws Exception {
        AtomicLong nowNanos = new AtomicLong(1_000_000_000_000L);
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.of(NettyTransport.builder()
                        .idleLimit(Duration.ofHours(1))
                        .lifetimeLimit(Duration.ofSeconds(100))
                        .clock(nowNanos::get))) {
            server.on(1)
                    .readRequest()
                    .respond(200, "")
                    .step(connection -> nowNanos.addAndGet(21_000_000_000L))
                    .serve(request -> {
                        // 90 s is the shortest lifetime, 110 s the longest.
                        nowNanos.addAndGet(90_000_000_000L);
                        return response(200, "");
                    });
            assertThat(world.send(get(server, "/")).exchange()).satisfies(exchange -> exchange.await(Fact.SUCCEEDED));
            World.Sent old = world.send(get(server, "/"));
            assertThat(old.status()).isEqualTo(200);
            assertThat(old.exchange().fate()).contains(ConnectionFate.CLOSED);
        }
    }

    @Test
    @DisplayName("E9 T2 a connect that gets no answer ends after the connect timeout, for each that waits")
    void connectTimeout() throws Exception {
        // A full backlog: the kernel drops further SYNs, so that connecting hangs.
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket first = new Socket();
                Socket second = new Socket();
                World world = World.of(NettyTransport.builder().connectTimeout(Duration.ofMillis(50)))) {
            InetSocketAddress address = new InetSocketAddress(full.getInetAddress(), full.getLocalPort());
            first.connect(address);
            second.connect(address);
            Request request = Request.get("http://127.0.0.1:" + full.getLocalPort() + "/");
            World.Sent one = world.send(request);
            World.Sent two = world.send(request);
            World.Sent gone = world.send(request);
            assertThat(world.abandon(gone)).isTrue();
            assertThat(one.failure().kind()).isEqualTo(Kind.CONNECT_TIMEOUT);
            assertThat(two.failure().kind()).isEqualTo(Kind.CONNECT_TIMEOUT);
            assertThat(gone.exchange().facts()).containsExactly(Fact.CLEAN);
            world.awaitStats(stats -> stats.connecting() == 0);
        }
    }

    @Test
    @DisplayName(
            "A4 an attempt at home on a loop stays there; one from elsewhere is carried to a loop and back out safely")
    void loopAffinity() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world =
                        new World(NettyTransport.builder().eventLoopThreads(2).build())) {
            server.otherwise()
                    .serve(request -> response(200, Thread.currentThread().getName()));
            for (LoopScheduler home : world.transport.schedulers().all()) {
                RecordingExchange exchange = world.exchange(home, server);
                CompletableFuture<Boolean> toldAtHome = new CompletableFuture<>();
                exchange.whenResult(() -> toldAtHome.complete(home.inContext()));
                home.execute(() -> world.transport.send(get(server, "/"), exchange));
                assertThat(toldAtHome.get(20, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(server.connectionCount()).isEqualTo(2);

            Scheduler elsewhere = new AnywhereScheduler();
            RecordingExchange foreign = world.exchange(elsewhere, server);
            Attempt attempt = world.transport.send(get(server, "/"), foreign);
            foreign.await(Fact.SUCCEEDED);
            attempt.abandon();
            RecordingExchange given = world.exchange(elsewhere, server);
            given.abandon(world.transport.send(get(server, "/"), given));
            given.await(Fact.CLEAN);
        }
    }
}
