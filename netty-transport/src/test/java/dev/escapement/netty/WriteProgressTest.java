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
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How far a request got (E1), told by sockets of each kind that this machine has, in the clear and under TLS by either engine. */
@ParameterizedClass
@EnumSource(IoKind.class)
@ExtendWith(LeakWatch.class)
class WriteProgressTest {

    private static final int HUGE = 24 * 1024 * 1024;

    private enum Over {
        TCP,
        TLS_BY_JDK,
        TLS_BY_OPENSSL
    }

    @TempDir
    static Path directory;

    private static Certificates certificates;

    @Parameter
    IoKind kind;

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificates = Certificates.of(directory, "ip:127.0.0.1");
    }

    @BeforeEach
    void kindIsHere() {
        assumeThat(kind.isAvailable()).as("%s is available", kind).isTrue();
    }

    private static ScriptedServer server(Over over) throws Exception {
        return over == Over.TCP ? ScriptedServer.start() : ScriptedServer.start(certificates.server());
    }

    private World world(Over over) throws Exception {
        TlsProvider provider = over == Over.TLS_BY_OPENSSL ? TlsProvider.OPENSSL : TlsProvider.JDK;
        assumeThat(provider.isAvailable()).as("%s is available", provider).isTrue();
        return World.of(NettyTransport.builder()
                .ioKind(kind)
                .tlsHandshakeTimeout(Duration.ofSeconds(20))
                .tls(TlsSettings.ofDefaults()
                        .withProvider(provider)
                        .withTrustCertificates(certificates.pem(directory))));
    }

    private boolean exact() {
        return kind != IoKind.IO_URING;
    }

    private static Request huge(ScriptedServer server) {
        return Request.of(Method.POST, server.uri("/"), Headers.empty(), Body.of(new byte[HUGE]));
    }

    @ParameterizedTest
    @DisplayName("E1 a whole request: counted to the byte where the socket tells, possibly written where it does not")
    @EnumSource(Over.class)
    void whole(Over over) throws Exception {
        try (ScriptedServer server = server(over);
                World world = world(over)) {
            server.on(1).serve(request -> response(200, ""));
            for (int i = 1; i <= 2; i++) {
                World.Sent sent = world.send(Request.get(server.uri("/").toString()));
                assertThat(sent.status()).isEqualTo(200);
                if (exact()) {
                    assertThat(sent.exchange().progress()).isEqualTo(Progress.COMPLETE);
                    assertThat(sent.exchange().writtenBytes())
                            .isEqualTo(server.request(i).head().length());
                } else {
                    assertThat(sent.exchange().saw(Fact.WRITTEN_UNKNOWN)).isTrue();
                }
                assertThat(sent.exchange().fate()).contains(ConnectionFate.REUSED);
            }
        }
    }

    @ParameterizedTest
    @DisplayName(
            "E1 a server that stops reading, then resets: a prefix, never less than the server has, never the whole")
    @EnumSource(Over.class)
    void prefix(Over over) throws Exception {
        Gate reset = new Gate();
        try (ScriptedServer server = server(over);
                World world = world(over)) {
            server.on(1).readHead().await(reset).reset();
            World.Sent sent = world.send(huge(server));
            server.request(1);
            if (exact()) {
                sent.exchange().await("bytes of the body", exchange -> exchange.writtenBytes() > 1_000);
            }
            reset.open();

            assertThat(sent.failure().kind()).isEqualTo(Kind.RESET);
            if (exact()) {
                assertThat(sent.exchange().progress()).isEqualTo(Progress.PREFIX_WRITTEN);
                assertThat(sent.exchange().writtenBytes())
                        .isGreaterThanOrEqualTo(server.connection(1).received().length())
                        .isLessThan(HUGE);
            } else {
                assertThat(sent.exchange().progress()).isEqualTo(Progress.UNKNOWN);
            }
            assertThat(sent.exchange().fate()).contains(ConnectionFate.POISONED);
        }
    }

    @ParameterizedTest
    @DisplayName(
            "E1 R10 a reused connection that dies unseen before the socket took a byte: nothing was written where that can"
                    + " be proven, and it is replaced; else it was possibly written, and is not")
    @EnumSource(Over.class)
    void nothing(Over over) throws Exception {
        Gate reset = new Gate();
        try (ScriptedServer server = server(over);
                World world = world(over)) {
            server.on(1).readRequest().respond(200, "").await(reset).reset();
            server.on(2).serve(request -> response(200, "second"));
            assertThat(world.send(Request.get(server.uri("/").toString())).status())
                    .isEqualTo(200);

            World.Sent[] sent = new World.Sent[1];
            world.onLoop(() -> {
                try {
                    // The loop is held here, so that it cannot see the end of the connection before it writes.
                    reset.open();
                    server.connection(1).awaitDone();
                    sent[0] = world.sendHere(huge(server));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });

            if (exact()) {
                assertThat(sent[0].status()).isEqualTo(200);
                assertThat(sent[0].exchange().connections()).containsExactly(true, false);
                assertThat(world.transport.stats().replaced()).isEqualTo(1);
                assertThat(sent[0].exchange().progress()).isEqualTo(Progress.COMPLETE);
            } else {
                assertThat(sent[0].failure().kind()).isIn(Kind.RESET, Kind.STALE);
                assertThat(sent[0].exchange().connections()).containsExactly(true);
                assertThat(sent[0].exchange().progress()).isEqualTo(Progress.UNKNOWN);
            }
        }
    }
}
