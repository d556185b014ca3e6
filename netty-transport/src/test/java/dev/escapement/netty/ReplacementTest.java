package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections that die before they accept a byte (R10): replaced once where they had served before, told where not. */
@ExtendWith(LeakWatch.class)
class ReplacementTest {

    private final StallingChannel.Made channels = new StallingChannel.Made();
    private final Gate die = new Gate();
    private ScriptedServer server;
    private World world;

    @BeforeEach
    void start() {
        server = ScriptedServer.start();
        world = World.of(NettyTransport.builder().channels(channels::next));
    }

    @AfterEach
    void end() throws Exception {
        world.close();
        server.close();
    }

    private Request post() {
        return Request.of(Method.POST, server.uri("/"), Headers.empty(), Body.of("once"));
    }

    /** A connection that has served, and that the server resets unseen by the loop, which sends in the same moment. */
    private World.Sent sendIntoTheReset(Request request) throws InterruptedException {
        server.on(1).readRequest().respond(200, "").await(die).reset();
        assertThat(world.send(Request.get(server.uri("/first").toString())).status())
                .isEqualTo(200);
        RecordingExchange exchange = world.exchange(world.loop(), server);
        Attempt[] attempt = new Attempt[1];
        world.onLoop(() -> {
            die.open();
            try {
                server.connection(1).awaitDone();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            attempt[0] = world.transport.send(request, exchange);
        });
        return new World.Sent(exchange, attempt[0]);
    }

    @Test
    @DisplayName("R10 a stale connection is replaced inside the attempt, for any method, and tryWrite is asked again")
    void staleIsReplaced() throws Exception {
        server.on(2).serve(request -> response(201, request.bodyText()));
        World.Sent sent = sendIntoTheReset(post());

        assertThat(sent.status()).isEqualTo(201);
        assertThat(sent.text()).isEqualTo("once");
        assertThat(sent.exchange().connections()).containsExactly(true, false);
        assertThat(sent.exchange().count(Fact.MAY_WRITE)).isEqualTo(2);
        assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
        assertThat(server.requests()).hasSize(2);
        assertThat(world.transport.stats().replaced()).isEqualTo(1);
        assertThat(world.transport.stats().poisoned())
                .containsEntry(Poison.STALE, 1L)
                .hasSize(1);
    }

    @Test
    @DisplayName(
            "R8 R10 the replacement sends a body that can be read once, of which the stale connection took no byte")
    void staleIsReplacedForABodyReadOnce() throws Exception {
        server.on(2).serve(request -> response(201, request.bodyText()));
        Body body = Body.once(ByteBuffer.wrap("read once".getBytes(StandardCharsets.US_ASCII)));

        World.Sent sent = sendIntoTheReset(Request.of(Method.POST, server.uri("/"), Headers.empty(), body));

        assertThat(sent.status()).isEqualTo(201);
        assertThat(sent.text()).isEqualTo("read once");
        assertThat(sent.exchange().connections()).containsExactly(true, false);
    }

    @Test
    @DisplayName("R8 R10 nobody subscribes to parts on a stale connection: the replacement sends them all")
    void staleIsReplacedForParts() throws Exception {
        server.on(2).serve(request -> response(201, request.bodyText()));
        PartsPublisher<ByteBuffer> parts =
                new PartsPublisher<>(3, i -> ByteBuffer.wrap(("part" + i).getBytes(StandardCharsets.US_ASCII)));

        World.Sent sent =
                sendIntoTheReset(Request.of(Method.POST, server.uri("/"), Headers.empty(), Body.once(parts, 15)));

        assertThat(sent.status()).isEqualTo(201);
        assertThat(sent.text()).isEqualTo("part0part1part2");
        assertThat(sent.exchange().connections()).containsExactly(true, false);
        assertThat(parts.given()).isEqualTo(3);
    }

    @Test
    @DisplayName("R10 a stale connection that cannot be replaced is STALE with nothing written")
    void replacementRefused() throws Exception {
        server.on(1).readRequest().respond(200, "").await(die).reset();
        assertThat(world.send(Request.get(server.uri("/first").toString())).status())
                .isEqualTo(200);
        server.stopAccepting();
        RecordingExchange exchange = world.exchange(world.loop(), server);
        world.onLoop(() -> {
            die.open();
            try {
                server.connection(1).awaitDone();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            world.transport.send(post(), exchange);
        });
        exchange.awaitResult();
        assertThat(exchange.failure().kind()).isEqualTo(Kind.STALE);
        assertThat(exchange.failure().message()).contains("could not be replaced");
        assertThat(exchange.progress()).isEqualTo(Progress.NOT_STARTED);
        assertThat(exchange.fate()).contains(ConnectionFate.NONE);
    }

    @Test
    @DisplayName(
            "R10 bytes before our first byte is accepted, a 408 say, are no answer but a sign of a stale connection")
    void earlyTimeoutAnswer() throws Exception {
        server.on(1).readRequest().respond(200, "").await(die).send(response(408, ""));
        server.on(2).serve(request -> response(201, ""));
        assertThat(world.send(post()).status()).isEqualTo(200);
        channels.get(1).stall();
        World.Sent sent = world.send(post());
        assertThat(sent.exchange().count(Fact.MAY_WRITE)).isEqualTo(1);
        die.open();
        assertThat(sent.status()).isEqualTo(201);
        assertThat(sent.exchange().connections()).containsExactly(true, false);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    @DisplayName("R10 a fresh connection is not replaced: RESET before the write, or UNSOLICITED, with nothing written")
    void freshIsTold() throws Exception {
        World stalling = World.of(NettyTransport.builder().channels(() -> {
            StallingChannel channel = channels.next();
            channel.stall();
            return channel;
        }));
        try (stalling) {
            server.on(1).await(die).reset();
            server.on(2).await(die).send("220 smtp.invalid ready\r\n");
            World.Sent reset = stalling.send(post());
            reset.exchange().await(Fact.MAY_WRITE);
            World.Sent greeted = stalling.send(post());
            greeted.exchange().await(Fact.MAY_WRITE);
            die.open();
            assertThat(reset.failure().kind()).isEqualTo(Kind.RESET);
            assertThat(reset.exchange().progress()).isEqualTo(Progress.NOT_STARTED);
            assertThat(greeted.failure().kind()).isEqualTo(Kind.UNSOLICITED);
            assertThat(greeted.exchange().progress()).isEqualTo(Progress.NOT_STARTED);
            assertThat(greeted.exchange().connections()).containsExactly(false);
        }
    }

    @Test
    @DisplayName("R10 it is replaced once: a replacement that dies untouched too is STALE")
    void replacedOnce() throws Exception {
        Gate second = new Gate();
        server.on(1).readRequest().respond(200, "").await(die).close();
        server.on(2).await(second).reset();
        World stallingLater = World.of(NettyTransport.builder().channels(() -> {
            StallingChannel channel = channels.next();
            if (channels.count() > 1) {
                channel.stall();
            }
            return channel;
        }));
        try (stallingLater) {
            assertThat(stallingLater.send(post()).status()).isEqualTo(200);
            channels.get(1).stall();
            World.Sent sent = stallingLater.send(post());
            die.open();
            sent.exchange()
                    .await(
                            "the second connection",
                            exchange -> exchange.connections().size() == 2);
            second.open();
            assertThat(sent.failure().kind()).isEqualTo(Kind.STALE);
            assertThat(sent.exchange().connections()).containsExactly(true, false);
            assertThat(sent.exchange().progress()).isEqualTo(Progress.NOT_STARTED);
            assertThat(stallingLater.transport.stats().poisoned()).containsEntry(Poison.STALE, 2L);
        }
    }

    @Test
    @DisplayName("R10 E7 an attempt abandoned while its replacement connects leaves that to others")
    void abandonedDuringReplacement() throws Exception {
        server.on(1).readRequest().respond(200, "").await(die).reset();
        server.on(2).serve(request -> response(202, ""));
        assertThat(world.send(post()).status()).isEqualTo(200);
        RecordingExchange exchange = world.exchange(world.loop(), server);
        world.onLoop(() -> {
            die.open();
            try {
                server.connection(1).awaitDone();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            Attempt attempt = world.transport.send(post(), exchange);
            assertThat(exchange.abandon(attempt)).isTrue();
        });
        assertThat(exchange.count(Fact.CLEAN)).isEqualTo(1);
        world.awaitStats(stats -> stats.idle() == 1);
        World.Sent next = world.send(post());
        assertThat(next.status()).isEqualTo(202);
        assertThat(server.connectionCount()).isEqualTo(2);
    }

    @Test
    @DisplayName("R10 a full pool with waiters is no obstacle: the replacement takes the place of what it replaces")
    void fullPool() throws Exception {
        World narrow = World.of(NettyTransport.builder().maxConnectionsPerEndpoint(1));
        try (narrow) {
            server.on(1).readRequest().respond(200, "").await(die).reset();
            server.on(2).serve(request -> response(201, request.bodyText()));
            assertThat(narrow.send(post()).status()).isEqualTo(200);
            RecordingExchange stale = narrow.exchange(narrow.loop(), server);
            RecordingExchange waiter = narrow.exchange(narrow.loop(), server);
            narrow.onLoop(() -> {
                die.open();
                try {
                    server.connection(1).awaitDone();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                // The waiter is queued before the stale connection is found out.
                narrow.transport.send(
                        post(), new LastMomentExchange(stale, () -> narrow.transport.send(post(), waiter)));
            });
            stale.awaitResult();
            assertThat(stale.response().status()).isEqualTo(201);
            waiter.awaitResult();
            assertThat(waiter.response().status()).isEqualTo(201);
            assertThat(server.connectionCount()).isEqualTo(2);
        }
    }
}
