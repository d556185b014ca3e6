package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.http.Request;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure.Kind;
import java.net.Socket;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who the two sides of TLS are, whether they know each other again, and how they part; by either engine. */
@ParameterizedClass
@EnumSource(TlsProvider.class)
@ExtendWith(LeakWatch.class)
class TlsPeersTest {

    @TempDir
    static Path directory;

    private static Authority authority;
    private static Authority stranger;
    private static Certificates itself;

    @Parameter
    TlsProvider provider;

    @BeforeAll
    static void makeAuthorities() throws Exception {
        authority = new Authority("authority");
        stranger = new Authority("stranger");
        itself = Certificates.of(directory, "ip:127.0.0.1");
    }

    @BeforeEach
    void providerIsHere() {
        assumeThat(provider.isAvailable()).as("%s is available", provider).isTrue();
    }

    private TlsSettings trusting() throws Exception {
        return TlsSettings.ofDefaults().withProvider(provider).withTrustCertificates(authority.pem(directory));
    }

    private static NettyTransportBuilder patient(TlsSettings settings) {
        return NettyTransport.builder()
                .tlsHandshakeTimeout(Duration.ofSeconds(20))
                .tls(settings);
    }

    private static SSLContext server(KeyManager... keys) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, authority.trust(), null);
        return context;
    }

    private static SSLContext server() throws Exception {
        return server(authority.issue("server", "127.0.0.1").keyManagers());
    }

    private static Request get(TlsServer server) {
        return Request.get("https://127.0.0.1:" + server.port() + "/");
    }

    private static String answer(SSLSocket socket) throws java.io.IOException {
        TlsServer.readRequest(socket);
        TlsServer.respond(socket, response(204, "", "Connection", "close"));
        return socket.getSession().getProtocol();
    }

    // Who the server is.

    @Test
    @DisplayName("E9 expired, of tomorrow, for another name, by a stranger, or by itself: TLS, and nothing was sent")
    void serversThatAreNotTrusted() throws Exception {
        Instant now = Instant.now();
        Duration day = Duration.ofDays(1);
        for (Authority.Issued bad : new Authority.Issued[] {
            authority.issue("expired", now.minus(day.multipliedBy(3)), now.minus(day), "127.0.0.1"),
            authority.issue("early", now.plus(day), now.plus(day.multipliedBy(3)), "127.0.0.1"),
            authority.issue("elsewhere", "elsewhere.test", "127.0.0.2"),
            authority.issue("127.0.0.1", "elsewhere.test"),
            stranger.issue("stranger", "127.0.0.1")
        }) {
            try (TlsServer server = new TlsServer(server(bad.keyManagers()), settings -> {}, TlsPeersTest::answer);
                    World world = World.of(patient(trusting()))) {
                World.Sent sent = world.send(get(server));

                assertThat(sent.failure().kind())
                        .as(bad.certificate().getSubjectX500Principal().toString())
                        .isEqualTo(Kind.TLS);
                assertThat(sent.exchange().progress()).isEqualTo(Progress.NOT_STARTED);
                assertThat(sent.exchange().saw(Fact.CONNECTED)).isFalse();
            }
        }
        try (TlsServer server = new TlsServer(itself.server(), settings -> {}, TlsPeersTest::answer);
                World world = World.of(patient(trusting()))) {
            assertThat(world.send(get(server)).failure().kind()).isEqualTo(Kind.TLS);
        }
    }

    @ParameterizedTest
    @DisplayName("TLS 1.3 and 1.2 are spoken, older ones are not")
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void versions(String version) throws Exception {
        try (TlsServer server = new TlsServer(
                        server(),
                        listener -> listener.setEnabledProtocols(new String[] {version}),
                        TlsPeersTest::answer);
                World world = World.of(patient(trusting()))) {
            assertThat(world.send(get(server)).status()).isEqualTo(204);
            assertThat(server.next()).isEqualTo(version);
        }
    }

    // Who we are.

    private TlsServer asking(String version) throws Exception {
        return new TlsServer(
                server(),
                listener -> {
                    listener.setNeedClientAuth(true);
                    listener.setEnabledProtocols(new String[] {version});
                },
                socket -> {
                    answer(socket);
                    return socket.getSession().getPeerPrincipal().getName();
                });
    }

    @ParameterizedTest
    @DisplayName("a server that asks for it sees our certificate (mutual TLS)")
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void mutual(String version) throws Exception {
        Authority.Issued client = authority.issue("client", "client.test");
        try (TlsServer server = asking(version);
                World world = World.of(
                        patient(trusting().withIdentity(client.chainPem(directory), client.keyPem(directory))))) {
            assertThat(world.send(get(server)).status()).isEqualTo(204);
            assertThat(server.next()).isEqualTo("CN=client");
        }
    }

    @Test
    @DisplayName("our key may be encrypted; files that cannot be read are named when the transport is built")
    void identities() throws Exception {
        Authority.Issued client = authority.issue("client", "client.test");
        Path chain = client.chainPem(directory);
        Path key = client.keyPem(directory, "secret");
        try (TlsServer server = asking("TLSv1.2");
                World world = World.of(patient(trusting().withIdentity(chain, key, "secret")))) {
            assertThat(world.send(get(server)).status()).isEqualTo(204);
            assertThat(server.next()).isEqualTo("CN=client");
        }
        for (TlsSettings bad : new TlsSettings[] {
            trusting().withIdentity(chain, key),
            trusting().withIdentity(chain, key, "wrong"),
            trusting().withIdentity(directory.resolve("missing.pem"), key, "secret"),
            trusting().withIdentity(chain, chain)
        }) {
            assertThatThrownBy(() -> patient(bad).connectTimeout(Duration.ZERO).build())
                    .isInstanceOfSatisfying(
                            SettingsException.class,
                            exception -> assertThat(exception.faults())
                                    .extracting(SettingsException.Fault::setting)
                                    .containsExactly("connectTimeout", "identity"));
        }
    }

    @ParameterizedTest
    @DisplayName(
            "E9 without one, or with a stranger's, it is TLS; in TLS 1.3, where the server says so after the handshake,"
                    + " RESET by its alert")
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void notMutual(String version) throws Exception {
        Authority.Issued unknown = stranger.issue("client", "client.test");
        for (TlsSettings settings : new TlsSettings[] {
            trusting(), trusting().withIdentity(unknown.chainPem(directory), unknown.keyPem(directory))
        }) {
            try (TlsServer server = asking(version);
                    World world = World.of(patient(settings))) {
                World.Sent sent = world.send(get(server));

                assertThat(sent.failure().kind()).isEqualTo(version.equals("TLSv1.3") ? Kind.RESET : Kind.TLS);
                assertThat(sent.failure().cause()).containsInstanceOf(SSLException.class);
                assertThat(server.next()).contains("SSLHandshakeException");
            }
        }
    }

    // Knowing each other again.

    @ParameterizedTest
    @DisplayName("a second connection resumes the session of the first: the server shows its certificate once")
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void resumed(String version) throws Exception {
        Showing keys = new Showing(
                (X509ExtendedKeyManager) authority.issue("server", "127.0.0.1").keyManagers()[0]);
        try (TlsServer server = new TlsServer(
                        server(keys),
                        listener -> listener.setEnabledProtocols(new String[] {version}),
                        TlsPeersTest::answer);
                World world = World.of(patient(trusting()))) {
            for (int i = 0; i < 3; i++) {
                assertThat(world.send(get(server)).status()).isEqualTo(204);
                assertThat(server.next()).isEqualTo(version);
            }
            assertThat(world.transport.stats().opened()).isEqualTo(3);
            assertThat(keys.shown).hasValue(1);

            // Nothing is resumed from one transport to another.
            try (World other = World.of(patient(trusting()))) {
                assertThat(other.send(get(server)).status()).isEqualTo(204);
                assertThat(server.next()).isEqualTo(version);
            }
            assertThat(keys.shown).hasValue(2);
        }
    }

    /** Counts how often a certificate was chosen to be shown. */
    private static final class Showing extends X509ExtendedKeyManager {

        private final X509ExtendedKeyManager inner;
        private final AtomicInteger shown = new AtomicInteger();

        Showing(X509ExtendedKeyManager inner) {
            this.inner = inner;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return inner.getClientAliases(type, issuers);
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return inner.chooseClientAlias(types, issuers, socket);
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return inner.getServerAliases(type, issuers);
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return inner.chooseServerAlias(type, issuers, socket);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            shown.incrementAndGet();
            return inner.getCertificateChain(alias);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return inner.getPrivateKey(alias);
        }
    }

    // Parting.

    @Test
    @DisplayName("an idle connection that we close says close_notify first")
    void weSayGoodbye() throws Exception {
        try (TlsServer server = new TlsServer(server(), listener -> {}, socket -> {
                    TlsServer.readRequest(socket);
                    TlsServer.respond(socket, response(204, ""));
                    return TlsServer.readEnd(socket);
                });
                World world = World.of(patient(trusting()).idleLimit(Duration.ofMillis(20)))) {
            assertThat(world.send(get(server)).status()).isEqualTo(204);
            assertThat(server.next()).isEqualTo("close_notify");
        }
    }

    @Test
    @DisplayName("an idle connection that its peer closes in order is answered in kind")
    void theySayGoodbye() throws Exception {
        try (TlsServer server = new TlsServer(server(), listener -> {}, socket -> {
                    TlsServer.readRequest(socket);
                    TlsServer.respond(socket, response(204, ""));
                    socket.shutdownOutput();
                    return TlsServer.readEnd(socket);
                });
                World world = World.of(patient(trusting()))) {
            assertThat(world.send(get(server)).status()).isEqualTo(204);
            assertThat(server.next()).isEqualTo("close_notify");
            world.awaitStats(stats -> stats.idle() == 0);
            assertThat(world.transport.stats().poisoned()).isEmpty();
        }
    }
}
