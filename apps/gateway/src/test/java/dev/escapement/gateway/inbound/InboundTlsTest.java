package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.gateway.config.InboundTls;
import dev.escapement.http.Body;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakWatch.class)
class InboundTlsTest {

    private static final String PASSWORD = "password";
    private static final String GET = "GET /e HTTP/1.1\r\nHost: g\r\n\r\n";

    @TempDir
    static Path directory;

    private final Settings settings = new Settings();
    private final EchoHandler echo = new EchoHandler();
    private final HoldingHandler holding = new HoldingHandler();

    @BeforeAll
    static void makeIdentity() throws Exception {
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=g",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        pem("certificate.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
        pem(
                "key.pem",
                "PRIVATE KEY",
                keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
    }

    private static void pem(String file, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                directory.resolve(file), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private TestServer listen(RequestHandler handler) throws IOException {
        settings.tls = Optional.of(new InboundTls(directory.resolve("certificate.pem"), directory.resolve("key.pem")));
        return new TestServer(settings.build(), handler);
    }

    private static RawClient connect(TestServer server) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        return new RawClient(context.getSocketFactory()
                .createSocket(
                        server.server.address().getAddress(),
                        server.server.address().getPort()));
    }

    @Test
    @DisplayName("RFC 9110 §4.2.2 requests come over TLS, kept and pipelined, and the absolute form says https")
    void overTls() throws Exception {
        try (TestServer server = listen(echo);
                RawClient client = connect(server)) {
            client.send(GET + "GET https://b/x HTTP/1.1\r\nHost: g\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo("GET g /e|");
            assertThat(client.answer().body()).isEqualTo("GET b /x|");
            String large = "x".repeat(200_000);
            client.send("POST /e HTTP/1.1\r\nHost: g\r\nContent-Length: 200000\r\n\r\n" + large);
            assertThat(client.answer().body()).isEqualTo("POST g /e|" + large);

            client.send("GET http://b/x HTTP/1.1\r\nHost: g\r\n\r\n" + HostileRow.CANARY);

            RawClient.Answer refused = client.answer();
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.closes()).isTrue();
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    @DisplayName("RFC 8446 §4.2.1 a request tells by which version of TLS it came")
    void version() throws Exception {
        try (TestServer server = listen(holding);
                RawClient client = connect(server)) {
            client.send(GET);
            HoldingHandler.Held held = holding.next();

            assertThat(held.request.connection().tlsVersion()).contains("TLSv1.3");
            held.answers("yes");
            assertThat(client.answer().body()).isEqualTo("yes");
        }
    }

    @Test
    @DisplayName("RFC 8446 §6.1 an answer that was cut is not followed by the word that all was sent")
    void cut() throws Exception {
        try (TestServer server = listen(holding);
                RawClient client = connect(server)) {
            client.send("GET /e HTTP/1.0\r\n\r\n");
            HoldingHandler.Held held = holding.next();
            held.begins(Body.UNKNOWN_LENGTH);
            held.sends("abc");
            held.does(Responder::cut);

            assertThatThrownBy(client::rest).isInstanceOf(IOException.class);
        }
    }

    @Test
    @DisplayName(
            "RFC 9112 §9.5 a handshake that does not come to its end in time, and bytes that are none, end the connection")
    void handshakes() throws Exception {
        settings.headTimeout = Duration.ofMillis(200);
        settings.lingerTime = Duration.ofMillis(100);
        try (TestServer server = listen(echo);
                RawClient silent = server.connect();
                RawClient begun = server.connect();
                RawClient plain = server.connect()) {
            begun.send(new byte[] {22, 3, 1, 0, (byte) 200, 1});
            plain.send(GET);

            assertThat(silent.rest()).isEmpty();
            assertThat(begun.rest()).isEmpty();
            assertThatThrownBy(plain::answer).isInstanceOf(Exception.class);
            assertThat(echo.seen).isEmpty();
            assertThat(echo.refused).isEmpty();
        }
    }

    @Test
    @DisplayName("E7 a client that says goodbye over TLS while it waits has gone away")
    void goodbye() throws Exception {
        try (TestServer server = listen(holding)) {
            RawClient client = connect(server);
            client.send(GET);
            HoldingHandler.Held held = holding.next();

            client.close();

            assertThat(held.told()).isEqualTo("gone CLOSED");
            server.awaitNoConnections();
        }
    }

    @Test
    @DisplayName("a certificate that cannot be read is told at once")
    void unreadableCertificates() {
        settings.tls = Optional.of(new InboundTls(directory.resolve("none.pem"), directory.resolve("key.pem")));

        assertThatThrownBy(() -> new TestServer(settings.build(), echo))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none.pem");
    }
}
