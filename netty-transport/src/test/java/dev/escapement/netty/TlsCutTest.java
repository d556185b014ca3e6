package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.http.Request;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A handshake that the server's side ends at each edge of each of its records: one outcome each time, and nothing left. */
@ExtendWith(LeakWatch.class)
class TlsCutTest {

    private static final int RECORD_HEADER = 5;

    /** Where records begin in what a server said; the last is where it ended. */
    private static Set<Integer> edges(byte[] said) {
        Set<Integer> edges = new TreeSet<>();
        for (int at = 0; at + RECORD_HEADER <= said.length; ) {
            edges.add(at);
            int length = ((said[at + 3] & 0xff) << 8) | (said[at + 4] & 0xff);
            at += RECORD_HEADER + length;
        }
        edges.add(said.length);
        return edges;
    }

    @ParameterizedTest
    @DisplayName("E9 cut before, at and after each edge: RESET, with nothing written, until the handshake is done")
    @CsvSource({"JDK, TLSv1.3", "JDK, TLSv1.2", "OPENSSL, TLSv1.3", "OPENSSL, TLSv1.2"})
    void cut(TlsProvider provider, String version, @TempDir Path directory) throws Exception {
        assumeThat(provider.isAvailable()).as("%s is available", provider).isTrue();
        Authority authority = new Authority("authority");
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(authority.issue("server", "127.0.0.1").keyManagers(), null, null);
        NettyTransportBuilder builder = NettyTransport.builder()
                .tlsHandshakeTimeout(Duration.ofSeconds(20))
                .tls(TlsSettings.ofDefaults().withProvider(provider).withTrustCertificates(authority.pem(directory)));
        int connected = 0;
        try (TlsServer server =
                new TlsServer(context, listener -> listener.setEnabledProtocols(new String[] {version}), socket -> {
                    TlsServer.readRequest(socket);
                    TlsServer.respond(socket, response(204, "", "Connection", "close"));
                    return "";
                })) {
            byte[] said;
            try (MeteredProxy proxy = new MeteredProxy(server.port(), Integer.MAX_VALUE);
                    World world = World.of(builder)) {
                assertThat(world.send(get(proxy)).status()).isEqualTo(204);
                said = proxy.passed();
            }
            Set<Integer> cuts = new TreeSet<>();
            for (int edge : edges(said)) {
                for (int cut = edge - 1; cut <= edge + 1; cut++) {
                    if (cut >= 0 && cut < said.length) {
                        cuts.add(cut);
                    }
                }
            }
            for (int cut : cuts) {
                try (MeteredProxy proxy = new MeteredProxy(server.port(), cut);
                        World world = World.of(builder)) {
                    World.Sent sent = world.send(get(proxy));
                    sent.exchange().awaitResult();
                    if (sent.exchange().saw(Fact.CONNECTED)) {
                        connected++;
                        continue;
                    }
                    assertThat(sent.failure().kind())
                            .as("cut at %s of %s", cut, said.length)
                            .isEqualTo(Kind.RESET);
                    assertThat(sent.exchange().progress()).isEqualTo(Progress.NOT_STARTED);
                }
            }
            assertThat(connected).isBetween(1, cuts.size() - 4);
        }
    }

    private static Request get(MeteredProxy proxy) {
        return Request.get("https://127.0.0.1:" + proxy.port() + "/");
    }
}
