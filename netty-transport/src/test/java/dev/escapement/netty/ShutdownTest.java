package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Request;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Closing, in grace and at once: who may finish, who is told, and when it is done. */
@ExtendWith(LeakWatch.class)
class ShutdownTest {

    private static Request get(ScriptedServer server) {
        return Request.get(server.uri("/").toString());
    }

    @Test
    @DisplayName("S1 in grace, running attempts end, waiting and new ones are refused, idle connections close")
    void graceful() throws Exception {
        Gate answer = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.of(NettyTransport.builder().maxConnectionsPerEndpoint(1))) {
            server.on(1).readRequest().await(answer).respond(200, "done");
            World.Sent running = world.send(get(server));
            server.request(1);
            World.Sent waiting = world.send(get(server));

            CompletableFuture<Void> closed = world.transport.shutdown(Duration.ofHours(1));

            assertThat(waiting.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
            assertThat(world.send(get(server)).failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
            assertThat(closed).isNotDone();
            assertThat(running.exchange().hasResult()).isFalse();
            answer.open();
            assertThat(running.status()).isEqualTo(200);
            assertThat(running.exchange().fate()).contains(ConnectionFate.CLOSED);
            closed.get(20, TimeUnit.SECONDS);
            server.connection(1).awaitPeerEnd();
        }
    }

    @Test
    @DisplayName("S1 at the end of the grace, which a second call can bring forward, what runs is closed and told so")
    void graceEnds() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.of(NettyTransport.builder())) {
            server.on(1).readRequest().readToEnd();
            World.Sent running = world.send(get(server));
            server.request(1);
            CompletableFuture<Void> closed = world.transport.shutdown(Duration.ofHours(1));
            assertThat(closed).isNotDone();
            assertThat(world.transport.shutdown(Duration.ZERO)).isSameAs(closed);
            assertThat(running.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
            closed.get(20, TimeUnit.SECONDS);
            // Clean came before the future.
            assertThat(running.exchange().count(Fact.CLEAN)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("S1 an attempt that comes after the loops have ended is refused on the spot")
    void afterTheEnd() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            World world = World.ofDefaults();
            RecordingExchange late = world.exchange(world.loop(), server);
            world.transport.close();
            world.transport.send(get(server), late);
            assertThat(late.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
            assertThat(late.count(Fact.CLEAN)).isEqualTo(1);
            world.close();
        }
    }

    @Test
    @DisplayName("S1 a connect under way is given up when the transport closes at once")
    void whileConnecting() throws Exception {
        try (ScriptedServer server = ScriptedServer.start()) {
            server.otherwise().readToEnd();
            World world = World.ofDefaults();
            RecordingExchange exchange = world.exchange(world.loop(), server);
            AtomicReference<CompletableFuture<Void>> closed = new AtomicReference<>();
            world.onLoop(() -> {
                world.transport.send(get(server), exchange);
                closed.set(world.transport.shutdown(Duration.ZERO));
            });
            exchange.awaitResult();
            assertThat(exchange.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
            closed.get().get(20, TimeUnit.SECONDS);
            world.close();
        }
    }

    @Test
    @DisplayName("S1 borrowed loops go on; when their owner ends them first, every attempt is told and clean")
    void borrowedLoops() throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (ScriptedServer server = ScriptedServer.start()) {
            server.on(1).serve(request -> response(200, ""));
            server.on(2).readRequest().readToEnd();
            World first = new World(NettyTransport.builder().eventLoops(group).build());
            assertThat(first.send(get(server)).status()).isEqualTo(200);
            first.close();
            assertThat(group.isShuttingDown()).isFalse();

            World second = new World(NettyTransport.builder().eventLoops(group).build());
            World.Sent running = second.send(get(server));
            server.request(2);
            group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
            assertThat(running.failure().kind()).isEqualTo(Kind.RESET);
            second.close();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    @DisplayName("P2 a negative grace is refused")
    void negativeGrace() {
        World world = World.ofDefaults();
        assertThatThrownBy(() -> world.transport.shutdown(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.000000001S");
        world.close();
    }
}
