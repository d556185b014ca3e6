package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS by either engine against the JDK's own server: whom to trust, which name, and what is counted and closed how. */
@ParameterizedClass
@EnumSource(TlsProvider.class)
@ExtendWith(LeakWatch.class)
class TlsTest {

    @TempDir
    static Path directory;

    private static Certificates right;
    private static Certificates wrong;

    @Parameter
    TlsProvider provider;

    @BeforeAll
    static void makeCertificates() throws Exception {
        right = Certificates.of(directory, "dns:upstream.test,ip:127.0.0.1");
        wrong = Certificates.of(directory, "dns:elsewhere.invalid");
    }

    @BeforeEach
    void providerIsHere() {
        assumeThat(provider.isAvailable()).as("%s is available", provider).isTrue();
    }

    private TlsSettings tls() {
        return TlsSettings.ofDefaults().withProvider(provider);
    }

    private NettyTransportBuilder trusting(Certificates certificates) throws Exception {
        return patient(tls().withTrustCertificates(certificates.pem(directory)));
    }

    private static NettyTransportBuilder patient(TlsSettings settings) {
        return NettyTransport.builder()
                .tlsHandshakeTimeout(Duration.ofSeconds(20))
                .tls(settings);
    }

    private static Request get(ScriptedServer server) {
        return Request.get(server.uri("/").toString());
    }

    @Test
    @DisplayName("E6 E1 with the right name and trust, connections are reused and requests counted")
    void rightName() throws Exception {
        try (ScriptedServer server = ScriptedServer.start(right.server());
                World world = World.of(trusting(right))) {
            server.on(1).serve(request -> response(200, "secret"));
            World.Sent first = world.send(get(server));
            assertThat(first.status()).isEqualTo(200);
            World.Sent second = world.send(get(server));
            assertThat(second.status()).isEqualTo(200);
            assertThat(second.text()).isEqualTo("secret");
            assertThat(second.exchange().connections()).containsExactly(true);
            assertThat(second.exchange().progress()).isEqualTo(Progress.COMPLETE);
            assertThat(second.exchange().writtenBytes())
                    .isEqualTo(server.request(2).head().length());
        }
    }

    @Test
    @DisplayName("E9 a certificate for another name is TLS, permanent, and nothing was sent")
    void wrongName() throws Exception {
        for (NettyTransportBuilder builder :
                List.of(trusting(wrong), patient(tls().withTrustManager(wrong.plainTrust())))) {
            try (ScriptedServer server = ScriptedServer.start(wrong.server());
                    World world = World.of(builder)) {
                server.otherwise().readToEnd();
                World.Sent sent = world.send(get(server));
                assertThat(sent.failure().kind()).isEqualTo(Kind.TLS);
                assertThat(sent.failure().cause()).isPresent();
                assertThat(sent.exchange().progress()).isEqualTo(Progress.NOT_STARTED);
                assertThat(sent.exchange().saw(Fact.CONNECTED)).isFalse();
                assertThat(sent.exchange().fate()).contains(ConnectionFate.NONE);
            }
        }
    }

    @Test
    @DisplayName("E9 a certificate that nobody vouches for is TLS")
    void untrusted() throws Exception {
        try (ScriptedServer server = ScriptedServer.start(right.server());
                World world = World.of(patient(tls()))) {
            server.otherwise().readToEnd();
            assertThat(world.send(get(server)).failure().kind()).isEqualTo(Kind.TLS);
        }
    }

    @Test
    @DisplayName("E9 a server that does not speak TLS is TLS; one that goes away in the handshake is RESET")
    void brokenHandshakes() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.of(patient(tls()))) {
            server.on(1).readBytes(1).send("HTTP/1.1 400 Bad Request\r\n\r\n");
            server.on(2).readBytes(1).close();
            Request request = Request.get("https://127.0.0.1:" + server.port() + "/");
            assertThat(world.send(request).failure().kind()).isEqualTo(Kind.TLS);
            assertThat(world.send(request).failure().kind()).isEqualTo(Kind.RESET);
        }
    }

    @Test
    @DisplayName("T2 a handshake that hangs ends after its own timeout")
    void handshakeTimeout() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.of(patient(tls()).tlsHandshakeTimeout(Duration.ofMillis(20)))) {
            server.on(1).readToEnd();
            World.Sent sent = world.send(Request.get("https://127.0.0.1:" + server.port() + "/"));
            assertThat(sent.failure().kind()).isEqualTo(Kind.CONNECT_TIMEOUT);
            server.connection(1).awaitPeerEnd();
        }
    }

    @Test
    @DisplayName("T2 the handshake has its own time: the connect timeout is over by then, and harms nothing")
    void handshakeOutlastsTheConnectTimeout() throws Exception {
        Duration connectTimeout = Duration.ofSeconds(1);
        Gate later = new Gate();
        try (ScriptedServer server = ScriptedServer.start(right.server());
                World world = World.of(trusting(right).connectTimeout(connectTimeout))) {
            server.on(1).await(later).serve(request -> response(204, ""));
            World.Sent sent = world.send(get(server));
            // The loop runs its timers in order: this one comes after the connect's, if that still stands.
            long afterNanos = connectTimeout.toNanos() + 1_000_000;
            world.onLoop(() -> assertThat(world.transport.pools())
                    .allSatisfy(loop ->
                            assertThat(loop.schedule(later::open, afterNanos)).isNotNull()));

            assertThat(sent.status()).isEqualTo(204);
        }
    }

    @Test
    @DisplayName("E9 who asks for no checks by name gets none; a plain trust manager with the right name is enough")
    void insecureAndPlain() throws Exception {
        try (ScriptedServer server = ScriptedServer.start(wrong.server());
                World world = World.of(patient(TlsSettings.insecure().withProvider(provider)))) {
            server.on(1).serve(request -> response(204, ""));
            assertThat(world.send(get(server)).status()).isEqualTo(204);
        }
        try (ScriptedServer server = ScriptedServer.start(right.server());
                World world = World.of(patient(tls().withTrustManager(right.plainTrust())))) {
            server.on(1).serve(request -> response(204, ""));
            assertThat(world.send(get(server)).status()).isEqualTo(204);
        }
    }

    @Test
    @DisplayName("G5 whomever is trusted, no more than 1,024 sessions are kept for resumption")
    void sessionsAreBounded() throws Exception {
        Path pem = right.pem(directory);
        for (TlsSettings settings : List.of(
                TlsSettings.ofDefaults(),
                TlsSettings.insecure(),
                TlsSettings.ofDefaults().withTrustManager(right.plainTrust()),
                TlsSettings.ofDefaults().withTrustCertificates(pem))) {
            SslContext context = TlsContexts.of(settings.withProvider(provider), new Faults());
            assertThat(context.sessionContext().getSessionCacheSize()).isEqualTo(1_024);
            ReferenceCountUtil.release(context);
        }
    }

    @Test
    @DisplayName("E9 the name asked for is sent to the server (SNI)")
    void serverName() throws Exception {
        CompletableFuture<String> asked = new CompletableFuture<>();
        try (SSLServerSocket listener = (SSLServerSocket) right.server()
                        .getServerSocketFactory()
                        .createServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
                World world = World.of(trusting(right))) {
            SSLParameters parameters = listener.getSSLParameters();
            parameters.setSNIMatchers(List.of(new SNIMatcher(0) {
                @Override
                public boolean matches(SNIServerName name) {
                    asked.complete(((SNIHostName) name).getAsciiName());
                    return true;
                }
            }));
            listener.setSSLParameters(parameters);
            Thread server = new Thread(() -> {
                try (SSLSocket socket = (SSLSocket) listener.accept()) {
                    socket.startHandshake();
                } catch (java.io.IOException e) {
                    asked.completeExceptionally(e);
                }
            });
            server.start();
            World.Sent sent =
                    world.send(Request.get(URI.create("https://UpStream.test:" + listener.getLocalPort() + "/")
                            .toString()));
            sent.failure();
            assertThat(asked.get(20, TimeUnit.SECONDS)).isEqualTo("upstream.test");
            server.join();
        }
    }

    @Test
    @DisplayName("E9 a body until close is whole only after close_notify")
    void bodyUntilClose() throws Exception {
        try (ScriptedServer server = ScriptedServer.start(right.server());
                World world = World.of(trusting(right))) {
            server.on(1).readRequest().send("HTTP/1.1 200 OK\r\n\r\nhello").close();
            server.on(2).readRequest().send("HTTP/1.1 200 OK\r\n\r\nhello").readToEnd();
            World.Sent whole = world.send(get(server));
            assertThat(whole.status()).isEqualTo(200);
            assertThat(whole.text()).isEqualTo("hello");
            assertThat(whole.exchange().fate()).contains(ConnectionFate.CLOSED);

            try (CuttingProxy proxy = new CuttingProxy(server.port())) {
                World.Sent cut = world.send(Request.get("https://127.0.0.1:" + proxy.port() + "/"));
                cut.exchange().await(Fact.REPLY_STARTED);
                proxy.cut();
                assertThat(cut.failure().kind()).isEqualTo(Kind.TRUNCATED);
            }
        }
    }

    @Test
    @DisplayName("E1 under TLS the count is an upper bound that stays below the whole while any of it is not out")
    void halfWritten() throws Exception {
        Gate reading = new Gate();
        int huge = 24 * 1024 * 1024;
        try (ScriptedServer server = ScriptedServer.start(right.server());
                World world = World.of(trusting(right))) {
            server.on(1).readHead().await(reading);
            World.Sent sent =
                    world.send(Request.of(Method.POST, server.uri("/"), Headers.empty(), Body.of(new byte[huge])));
            server.request(1);
            sent.exchange().await("bytes of the body", exchange -> exchange.writtenBytes() > 1000);
            assertThat(world.abandon(sent)).isTrue();
            assertThat(sent.exchange().progress()).isEqualTo(Progress.PREFIX_WRITTEN);
            assertThat(sent.exchange().writtenBytes()).isLessThan(huge);
            reading.open();
            server.connection(1).awaitDone();
            assertThat((long) server.connection(1).received().length())
                    .isLessThanOrEqualTo(sent.exchange().writtenBytes());
        }
    }

    @Test
    @DisplayName("E6 surplus, unsolicited bytes and a server's close_notify end a connection as in the clear")
    void surplusAndClose() throws Exception {
        Gate idle = new Gate();
        try (ScriptedServer server = ScriptedServer.start(right.server());
                World world = World.of(trusting(right))) {
            server.on(1).readRequest().send(response(200, "") + "surplus");
            server.on(2).readRequest().respond(200, "").await(idle).close();
            World.Sent sent = world.send(get(server));
            assertThat(sent.status()).isEqualTo(200);
            assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
            assertThat(world.send(get(server)).status()).isEqualTo(200);
            idle.open();
            world.awaitStats(stats -> stats.idle() == 0);
            assertThat(world.transport.stats().poisoned()).containsOnlyKeys(Poison.SURPLUS);
        }
    }
}
