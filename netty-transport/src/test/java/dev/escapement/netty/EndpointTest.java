package dev.escapement.netty;

import static dev.escapement.fixtures.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Request;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure.Kind;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attempts that go to another endpoint than their URI's origin: where they connect, whom TLS verifies, what is shared. */
@ExtendWith(LeakWatch.class)
class EndpointTest {

    @TempDir
    static Path directory;

    /** For two names and no address, so that what is verified cannot be where the socket went. */
    private static Certificates certificates;

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificates = Certificates.of(directory, "dns:one.test,dns:two.test");
    }

    private static World trusting() throws Exception {
        return World.of(NettyTransport.builder()
                .tlsHandshakeTimeout(Duration.ofSeconds(20))
                .tls(TlsSettings.ofDefaults().withTrustCertificates(certificates.pem(directory))));
    }

    private static Endpoint endpoint(ScriptedServer server) {
        return Endpoint.of(server.uri("/"));
    }

    @ParameterizedTest
    @DisplayName(
            "Host is the URI's own, whatever the endpoint: in lower case, its port only where it is not the scheme's")
    @CsvSource({
        "http://Example.COM/, example.com",
        "http://example.com:80/, example.com",
        "http://example.com:443/, example.com:443",
        "HTTPS://example.com:443/, example.com",
        "https://example.com:80/, example.com:80",
        "https://example.com:65535/, example.com:65535",
        "http://[2001:DB8::1]:8080/, [2001:db8::1]:8080"
    })
    void hostIsTheUris(String uri, String host) throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.ofDefaults()) {
            server.on(1).serve(request -> response(200, ""));

            assertThat(world.send(Request.get(uri), endpoint(server)).status()).isEqualTo(200);

            assertThat(server.request(1).headers().all("Host")).containsExactly(host);
        }
    }

    @Test
    @DisplayName(
            "RFC 9110 §7.2 §10.1.4 another Host is sent as it was given; who takes trailers says so, and names it in Connection")
    void anotherHostAndTrailers() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.ofDefaults()) {
            server.on(1).serve(request -> response(200, ""));
            Request request = Request.get("http://upstream.test/a").withHost("Under_Score.example:8443");

            assertThat(world.send(request, endpoint(server)).status()).isEqualTo(200);
            assertThat(world.send(request.takingTrailers(), endpoint(server)).status())
                    .isEqualTo(200);

            assertThat(server.request(1).headers().all("Host")).containsExactly("Under_Score.example:8443");
            assertThat(server.request(1).headers().contains("TE")).isFalse();
            assertThat(server.request(2).headers().all("TE")).containsExactly("trailers");
            assertThat(server.request(2).headers().all("Connection")).containsExactly("TE");
        }
    }

    @Test
    @DisplayName("E6 in the clear, two names at one endpoint share its connections")
    void namesShareInTheClear() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.ofDefaults()) {
            server.on(1).serve(request -> response(200, ""));

            for (String name : new String[] {"one.test", "two.test", "one.test"}) {
                assertThat(world.send(Request.get("http://" + name + "/"), endpoint(server))
                                .status())
                        .isEqualTo(200);
            }

            assertThat(server.connectionCount()).isEqualTo(1);
            assertThat(server.request(2).header("Host")).contains("two.test");
        }
    }

    @Test
    @DisplayName("E6 one name at two endpoints does not share")
    void endpointsDoNotShare() throws Exception {
        try (ScriptedServer first = ScriptedServer.start();
                ScriptedServer second = ScriptedServer.start();
                World world = World.ofDefaults()) {
            first.on(1).serve(request -> response(200, "first"));
            second.on(1).serve(request -> response(200, "second"));
            Request request = Request.get("http://one.test/");

            for (int i = 0; i < 2; i++) {
                World.Sent toFirst = world.send(request, endpoint(first));
                assertThat(toFirst.status()).isEqualTo(200);
                assertThat(toFirst.text()).isEqualTo("first");
                World.Sent toSecond = world.send(request, endpoint(second));
                assertThat(toSecond.status()).isEqualTo(200);
                assertThat(toSecond.text()).isEqualTo("second");
            }

            assertThat(first.connectionCount()).isEqualTo(1);
            assertThat(second.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("E6 under TLS two names at one address have connections of their own, each reused for its name")
    void namesDoNotShareUnderTls() throws Exception {
        try (ScriptedServer server = ScriptedServer.start(certificates.server());
                World world = trusting()) {
            server.on(1).serve(request -> response(200, "first"));
            server.on(2).serve(request -> response(200, "second"));

            for (int i = 0; i < 2; i++) {
                World.Sent one = world.send(Request.get("https://one.test/"), endpoint(server));
                assertThat(one.status()).isEqualTo(200);
                assertThat(one.text()).isEqualTo("first");
                World.Sent two = world.send(Request.get("https://two.test/"), endpoint(server));
                assertThat(two.status()).isEqualTo(200);
                assertThat(two.text()).isEqualTo("second");
            }

            assertThat(server.connectionCount()).isEqualTo(2);
            assertThat(server.request(2).header("Host")).contains("two.test");
        }
    }

    @Test
    @DisplayName("E6 under TLS two ports of one name at one address have connections of their own")
    void portsDoNotShareUnderTls() throws Exception {
        try (ScriptedServer server = ScriptedServer.start(certificates.server());
                World world = trusting()) {
            server.otherwise().serve(request -> response(200, ""));

            for (String uri : new String[] {"https://one.test/", "https://one.test:8443/", "https://one.test/"}) {
                assertThat(world.send(Request.get(uri), endpoint(server)).status())
                        .isEqualTo(200);
            }

            assertThat(server.connectionCount()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("E9 a name the certificate does not vouch for is TLS, though a verified connection lies idle there")
    void wrongNameIsRefused() throws Exception {
        try (ScriptedServer server = ScriptedServer.start(certificates.server());
                World world = trusting()) {
            server.on(1).serve(request -> response(200, ""));
            server.otherwise().readToEnd();
            assertThat(world.send(Request.get("https://one.test/"), endpoint(server))
                            .status())
                    .isEqualTo(200);

            World.Sent other = world.send(Request.get("https://three.test/"), endpoint(server));
            World.Sent address = world.send(Request.get(server.uri("/").toString()), endpoint(server));

            for (World.Sent sent : new World.Sent[] {other, address}) {
                assertThat(sent.failure().kind()).isEqualTo(Kind.TLS);
                assertThat(sent.exchange().progress()).isEqualTo(Progress.NOT_STARTED);
                assertThat(sent.exchange().saw(Fact.CONNECTED)).isFalse();
            }
            assertThat(other.failure().message()).contains("127.0.0.1:" + server.port(), "as https://three.test:443");
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    @DisplayName("the endpoint's scheme says whether TLS is spoken, and the URI's name is what it verifies")
    void endpointsSchemeDecides() throws Exception {
        try (ScriptedServer clear = ScriptedServer.start();
                ScriptedServer secure = ScriptedServer.start(certificates.server());
                World world = trusting()) {
            clear.on(1).serve(request -> response(200, ""));
            secure.on(1).serve(request -> response(200, ""));
            secure.otherwise().readToEnd();

            assertThat(world.send(Request.get("https://one.test/"), endpoint(clear))
                            .status())
                    .isEqualTo(200);
            assertThat(world.send(Request.get("http://one.test/"), endpoint(secure))
                            .status())
                    .isEqualTo(200);
            assertThat(world.send(Request.get("http://three.test/"), endpoint(secure))
                            .failure()
                            .kind())
                    .isEqualTo(Kind.TLS);
        }
    }
}
