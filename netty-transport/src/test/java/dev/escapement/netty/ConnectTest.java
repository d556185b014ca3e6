package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Request;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * From a name to a connection over real sockets of each kind: several addresses, some of them dead, and nothing left of any that
 * lost.
 */
@ParameterizedClass
@EnumSource(IoKind.class)
@ExtendWith(LeakWatch.class)
class ConnectTest {

    private static final String NAME = "many.test";

    @Parameter
    IoKind kind;

    private final FixedNames names = new FixedNames();
    private final Queue<SocketChannel> made = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void kindIsHere() {
        assumeThat(kind.isAvailable()).as("%s is available", kind).isTrue();
    }

    private World world(NettyTransportBuilder builder) {
        ChannelFactory<? extends SocketChannel> real = kind.channels();
        return World.of(builder.names(names).ioKind(kind).channels(() -> {
            SocketChannel channel = real.newChannel();
            made.add(channel);
            return channel;
        }));
    }

    private static NettyTransportBuilder patient() {
        return NettyTransport.builder().connectTimeout(Duration.ofSeconds(20));
    }

    private static Request get(int port) {
        return Request.get("http://" + NAME + ":" + port + "/");
    }

    /** Every channel but so many is closed. */
    private void awaitOpen(int left) throws InterruptedException {
        List<SocketChannel> open =
                made.stream().filter(channel -> channel.isActive()).toList();
        assertThat(open).hasSizeLessThanOrEqualTo(left);
        for (SocketChannel channel : made) {
            if (!open.contains(channel)) {
                assertThat(channel.closeFuture().await(20_000)).isTrue();
            }
        }
    }

    @Test
    @DisplayName(
            "addresses that refuse are passed over at once; the one that answers is used, and used first the next time")
    void refused() throws Exception {
        names.with(NAME, "127.0.0.9", "127.0.0.8", "127.0.0.1");
        try (ScriptedServer server = ScriptedServer.start();
                World world = world(patient().maxConnectionsPerEndpoint(2))) {
            server.on(1).readRequest().respond(200, "").close();
            server.on(2).serve(request -> response(200, ""));
            assertThat(world.send(get(server.port())).status()).isEqualTo(200);
            int dialed = made.size();
            world.awaitStats(stats -> stats.idle() == 0);
            assertThat(world.send(get(server.port())).status()).isEqualTo(200);

            assertThat(made).hasSize(dialed + 1);
            assertThat(world.transport.stats().opened()).isEqualTo(2);
            awaitOpen(1);
        }
    }

    @Test
    @DisplayName("a black hole does not keep the next address from being tried, and it is closed and counted nowhere")
    void blackHole() throws Exception {
        names.with(NAME, "127.0.0.3", "127.0.0.1");
        try (ScriptedServer server = ScriptedServer.start();
                BlackHole hole = new BlackHole("127.0.0.3", server.port());
                World world = world(patient().connectStagger(Duration.ofMillis(10)))) {
            assertThat(hole).isNotNull();
            server.on(1).readRequest().respond(200, "").close();
            server.on(2).serve(request -> response(200, ""));
            assertThat(world.send(get(server.port())).status()).isEqualTo(200);
            assertThat(made).as("the hole, and who overtook it").hasSize(2);
            world.awaitStats(stats -> stats.idle() == 0);
            assertThat(world.send(get(server.port())).status()).isEqualTo(200);

            assertThat(made).as("the hole goes last now").hasSize(3);
            PoolStats stats = world.awaitStats(now -> now.idle() == 1);
            assertThat(stats.opened()).isEqualTo(2);
            assertThat(stats.connecting()).isZero();
            assertThat(stats.poisoned()).isEmpty();
            awaitOpen(1);
        }
    }

    @Test
    @DisplayName("families come in turn: with IPv6 first and dead, IPv4 is next, before the rest of IPv6")
    void families() throws Exception {
        try (ServerSocket six = new ServerSocket(0, 1, Lookup.literal("::1"))) {
            assertThat(six.isBound()).isTrue();
        } catch (java.io.IOException e) {
            assumeThat(e).as("this machine has no IPv6 loopback").isNull();
        }
        names.with(NAME, "::1", "::2", "::3", "127.0.0.1");
        try (ScriptedServer server = ScriptedServer.start();
                World world = world(patient())) {
            server.on(1).serve(request -> response(200, ""));
            assertThat(world.send(get(server.port())).status()).isEqualTo(200);

            assertThat(made.size()).isLessThanOrEqualTo(2);
            assertThat(made)
                    .last()
                    .satisfies(channel -> assertThat(channel.remoteAddress())
                            .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port())));
        }
    }

    @Test
    @DisplayName("::1 is as good as any")
    void six() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 5, Lookup.literal("::1"));
                World world = world(patient())) {
            names.with(NAME, "::1");
            World.Sent sent = world.send(get(listener.getLocalPort()));
            try (Socket accepted = listener.accept()) {
                accepted.getOutputStream()
                        .write(response(204, "").getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                assertThat(sent.status()).isEqualTo(204);
            }
        }
    }

    @Test
    @DisplayName("E9 where no address takes a connection it is REFUSED, with their number, and nothing was sent")
    void allRefuse() throws Exception {
        names.with(NAME, "127.0.0.7", "127.0.0.8", "127.0.0.9");
        try (World world = world(patient())) {
            World.Sent sent = world.send(get(ScriptedServer.refusingPort()));
            assertThat(sent.failure().kind()).isEqualTo(Kind.REFUSED);
            assertThat(sent.failure().message()).contains(NAME, "3 addresses");
            assertThat(sent.exchange().progress()).isEqualTo(Progress.NOT_STARTED);
            assertThat(made).hasSize(3);
            awaitOpen(0);
        }
    }

    @Test
    @DisplayName("E9 a name without address is NAME_RESOLUTION, with the name and the reason; no socket is opened")
    void noSuchName() throws Exception {
        try (DnsServer dns = new DnsServer();
                DnsResolver resolver = dns.resolver().build();
                World world = World.of(patient().names(resolver))) {
            dns.fails("broken.test", io.netty.handler.codec.dns.DnsResponseCode.SERVFAIL);
            for (String name : List.of("nowhere.test", "broken.test")) {
                World.Sent sent = world.send(Request.get("http://" + name + "/"));
                assertThat(sent.failure().kind()).isEqualTo(Kind.NAME_RESOLUTION);
                assertThat(sent.failure().message()).contains(name);
                assertThat(sent.failure().cause()).isPresent();
                assertThat(sent.exchange().progress()).isEqualTo(Progress.NOT_STARTED);
            }
        }
    }

    @Test
    @DisplayName(
            "T2 name and addresses share the connect timeout: a resolver that never answers, and black holes alone")
    void timeouts() throws Exception {
        try (ScriptedServer unused = ScriptedServer.start();
                BlackHole one = new BlackHole("127.0.0.3", unused.port());
                BlackHole two = new BlackHole("127.0.0.4", unused.port());
                World world = world(NettyTransport.builder()
                        .connectTimeout(Duration.ofMillis(50))
                        .connectStagger(Duration.ofMillis(10)))) {
            assertThat(List.of(one, two)).hasSize(2);
            World.Sent unanswered = world.send(get(unused.port()));
            assertThat(unanswered.failure().kind()).isEqualTo(Kind.CONNECT_TIMEOUT);
            assertThat(made).isEmpty();

            names.with("holes.test", "127.0.0.3", "127.0.0.4");
            World.Sent swallowed = world.send(Request.get("http://holes.test:" + unused.port() + "/"));
            assertThat(swallowed.failure().kind()).isEqualTo(Kind.CONNECT_TIMEOUT);
            assertThat(made).isNotEmpty();
            awaitOpen(0);
        }
    }

    @Test
    @DisplayName(
            "E7 S1 abandoned, then closed, while the name is looked up or the race is on: clean at once, no channel left")
    void closedAtEachStep() throws Exception {
        try (ScriptedServer unused = ScriptedServer.start();
                BlackHole hole = new BlackHole("127.0.0.3", unused.port())) {
            assertThat(hole).isNotNull();
            for (boolean racing : new boolean[] {false, true}) {
                made.clear();
                if (racing) {
                    names.with(NAME, "127.0.0.3", "127.0.0.3");
                }
                try (World world = world(patient().connectStagger(Duration.ofMillis(10)))) {
                    World.Sent gone = world.send(get(unused.port()));
                    World.Sent refused = world.send(get(unused.port()));
                    assertThat(world.abandon(gone)).isTrue();
                    assertThat(gone.exchange().facts()).containsExactly(Fact.CLEAN);
                    world.awaitStats(stats -> stats.connecting() == 2 && made.size() == (racing ? 4 : 0));

                    world.transport.close();

                    assertThat(refused.failure().kind()).isEqualTo(Kind.CLOSED_LOCALLY);
                    assertThat(made).noneMatch(Channel::isOpen);
                }
            }
        }
    }

    @Test
    @DisplayName(
            "TLS is spoken with the winner alone, and its failure is the connection's: no other address is tried then")
    void tlsAfterTheRace(@TempDir Path directory) throws Exception {
        Certificates certificates = Certificates.of(directory, "dns:" + NAME);
        names.with(NAME, "127.0.0.3", "127.0.0.1").with("other.test", "127.0.0.1", "127.0.0.2");
        TlsSettings trusting = TlsSettings.ofDefaults().withTrustCertificates(certificates.pem(directory));
        try (ScriptedServer server = ScriptedServer.start(certificates.server());
                BlackHole hole = new BlackHole("127.0.0.3", server.port());
                World world = world(patient()
                        .connectStagger(Duration.ofMillis(10))
                        .tlsHandshakeTimeout(Duration.ofSeconds(20))
                        .tls(trusting))) {
            assertThat(hole).isNotNull();
            server.on(1).serve(request -> response(200, ""));
            server.on(2).readToEnd();
            assertThat(world.send(Request.get("https://" + NAME + ":" + server.port() + "/"))
                            .status())
                    .isEqualTo(200);

            World.Sent wrong = world.send(Request.get("https://other.test:" + server.port() + "/"));
            assertThat(wrong.failure().kind()).isEqualTo(Kind.TLS);
            assertThat(server.connectionCount()).isEqualTo(2);
            awaitOpen(1);
        }
    }
}
