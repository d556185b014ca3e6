package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Request;
import dev.escapement.netty.FaultServer.Behaviour;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Endpoint;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a destination keeps, and for how long: addresses, loops that rest or end, many connections, many destinations. */
@ExtendWith(LeakWatch.class)
class OriginTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private static InetAddress elsewhere() throws Exception {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 9});
    }

    private static void sweep(Loops loops, int loop) throws Exception {
        loops.on(loop, () -> {
            loops.world.transport.pools().forEach(pools -> {
                if (pools.inLoop()) {
                    pools.sweep();
                }
            });
            return null;
        });
    }

    @Test
    @DisplayName(
            "E6 where the name no longer leads: a connection in use is closed when given back, an idle one by the sweep")
    void staleAddress() throws Exception {
        Gate answer = new Gate();
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(1, NettyTransport.builder())) {
            server.on(1).readRequest().await(answer).respond(200, "").readToEnd();
            server.on(2).serve(request -> response(200, ""));
            World.Sent using = loops.send(0, server);
            server.request(1);
            assertThat(loops.send(0, server).status()).isEqualTo(200);
            Origin origin = loops.world.transport.origins().all().get(0);

            origin.addressesAre(Set.of(elsewhere()));

            // Nothing is cut: the attempt goes on, and what lies idle is lent until the sweep comes by.
            answer.open();
            assertThat(using.status()).isEqualTo(200);
            assertThat(using.exchange().fate()).contains(ConnectionFate.CLOSED);
            assertThat(loops.stats().idle()).isEqualTo(1);
            sweep(loops, 0);
            assertThat(loops.stats().idle()).isZero();
            server.connection(1).awaitPeerEnd();
            server.connection(2).awaitPeerEnd();
            assertThat(loops.stats().poisoned()).isEmpty();
        }
    }

    @Test
    @DisplayName("E6 where the name still leads, and where nothing is known of it, connections are kept")
    void currentAddress() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(1, NettyTransport.builder())) {
            server.otherwise().serve(request -> response(200, ""));
            assertThat(loops.send(0, server).status()).isEqualTo(200);
            Origin origin = loops.world.transport.origins().all().get(0);
            for (Set<InetAddress> current : List.of(Set.of(elsewhere(), HERE), Set.<InetAddress>of())) {
                origin.addressesAre(Set.of(elsewhere()));
                origin.addressesAre(current);
                assertThat(loops.send(0, server).exchange()).satisfies(exchange -> exchange.awaitResult());
                sweep(loops, 0);
                assertThat(loops.stats().idle()).isEqualTo(1);
            }
            assertThat(loops.stats().opened()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("G5 a loop that is put to rest keeps nothing, and does rest")
    void suspendedLoop() throws Exception {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.borrowed(
                        NettyTransport.builder().eventLoops(group).maxConnectionsPerEndpoint(1))) {
            server.otherwise().serve(request -> response(200, ""));
            assertThat(loops.send(0, server).status()).isEqualTo(200);
            Thread thread = loops.on(0, Thread::currentThread);
            SingleThreadEventExecutor loop =
                    (SingleThreadEventExecutor) loops.home(0).loop();

            assertThat(loop.trySuspend()).isTrue();

            // Given back on its way to rest, a connection is closed; the place goes to a loop that runs.
            World.Sent last = loops.send(0, server);
            assertThat(last.status()).isEqualTo(200);
            assertThat(last.exchange().fate()).contains(ConnectionFate.CLOSED);
            loops.awaitStats(stats -> stats.idle() == 0);
            assertThat(loops.world.transport.schedulers().forCall()).isSameAs(loops.home(1));
            assertThat(loops.send(1, server).status()).isEqualTo(200);
            assertThat(loops.stats().opened()).isEqualTo(2);
            thread.join(TimeUnit.SECONDS.toMillis(20));
            assertThat(thread.isAlive()).isFalse();
            assertThat(loop.isSuspended()).isTrue();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    @DisplayName("S1 a loop that ends alone leaves its places to the others")
    void endedLoop() throws Exception {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.borrowed(
                        NettyTransport.builder().eventLoops(group).maxConnectionsPerEndpoint(2))) {
            server.on(1).readRequest().readToEnd();
            server.on(2).readRequest().readToEnd();
            server.otherwise().serve(request -> response(200, ""));
            World.Sent first = loops.send(0, server);
            World.Sent second = loops.send(0, server);
            server.request(2);
            World.Sent waiter = loops.send(1, server);
            EventLoop ending = loops.home(0).loop();

            ending.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();

            assertThat(first.failure().kind().toString()).isEqualTo("RESET");
            assertThat(second.failure().kind().toString()).isEqualTo("RESET");
            assertThat(waiter.status()).isEqualTo(200);
            loops.world
                    .transport
                    .origins()
                    .all()
                    .forEach(origin -> assertThat(origin.limit().open()).isEqualTo(1));
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    /** Counts how often anybody asks whether it is up, which is what looking for a connection to lend does. */
    private static final class WatchedChannel extends NioSocketChannel {

        private final AtomicInteger looks = new AtomicInteger();

        @Override
        public boolean isActive() {
            // Asked for the first time inside the constructor.
            AtomicInteger counted = looks;
            if (counted != null) {
                counted.incrementAndGet();
            }
            return super.isActive();
        }
    }

    @Test
    @DisplayName("G5 lending with a thousand connections idle looks at one of them")
    void thousand() throws Exception {
        int connections = 1_000;
        List<WatchedChannel> channels = new CopyOnWriteArrayList<>();
        try (FaultServer server = new FaultServer();
                World world = World.of(NettyTransport.builder()
                        .connectTimeout(Duration.ofMinutes(1))
                        .idleLimit(Duration.ofHours(1))
                        .maxConnectionsPerEndpoint(connections)
                        .channels(() -> {
                            WatchedChannel channel = new WatchedChannel();
                            channels.add(channel);
                            return channel;
                        }))) {
            URI uri = URI.create(server.uri(Behaviour.OK));
            Request request = Request.get(uri.toString());
            List<World.Sent> sent = new ArrayList<>();
            world.onLoop(() -> IntStream.range(0, connections).forEach(i -> {
                RecordingExchange exchange = world.exchange(world.loop(), Endpoint.of(uri));
                sent.add(new World.Sent(exchange, world.transport.send(request, exchange)));
            }));
            for (World.Sent one : sent) {
                assertThat(one.status()).isEqualTo(200);
            }
            world.awaitStats(stats -> stats.idle() == connections);
            channels.forEach(channel -> channel.looks.set(0));

            int sends = 100;
            for (int i = 0; i < sends; i++) {
                assertThat(world.send(request).status()).isEqualTo(200);
            }

            assertThat(channels).hasSize(connections);
            // All are looked at by the sweep, which comes a few times at most while this runs.
            assertThat(channels.stream().filter(channel -> channel.looks.get() >= sends))
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("G5 the destination where most wait is told first, then the one with most connections")
    void busiestFirst() throws Exception {
        Gate answer = new Gate();
        try (ScriptedServer quiet = ScriptedServer.start();
                ScriptedServer busy = ScriptedServer.start();
                Loops loops = Loops.of(2, NettyTransport.builder().maxConnectionsPerEndpoint(2))) {
            quiet.otherwise().serve(request -> response(200, ""));
            busy.otherwise().readRequest().await(answer).respond(200, "").serve(request -> response(200, ""));
            assertThat(loops.send(0, quiet).status()).isEqualTo(200);
            assertThat(loops.send(1, quiet).status()).isEqualTo(200);
            List<World.Sent> sent = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                sent.add(loops.send(i % 2, busy));
            }

            assertThat(loops.stats().destinations())
                    .extracting(DestinationStats::destination)
                    .containsExactly("http://127.0.0.1:" + busy.port(), "http://127.0.0.1:" + quiet.port());

            answer.open();
            for (World.Sent one : sent) {
                assertThat(one.status()).isEqualTo(200);
            }
        }
    }

    @Test
    @DisplayName("G5 a destination is forgotten with its last connection; at most 64 are told one by one")
    void destinations() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                Loops loops = Loops.of(2, NettyTransport.builder().maxConnectionsPerEndpoint(1))) {
            server.on(1).readRequest().send(response(200, "", "Connection", "close"));
            assertThat(loops.send(0, server).status()).isEqualTo(200);
            loops.awaitStats(stats -> stats.destinationCount() == 0);
        }

        List<Origin> many = IntStream.rangeClosed(1, 100)
                .mapToObj(port -> new Origin(
                        Destination.of(Endpoint.of("http://127.0.0.1:" + port), URI.create("http://127.0.0.1:" + port)),
                        1,
                        1))
                .toList();
        PoolStats stats = PoolStats.of(List.of(), many, 5);
        assertThat(stats.destinationCount()).isEqualTo(100);
        assertThat(stats.destinations()).hasSize(PoolStats.MOST_DESTINATIONS);
    }
}
