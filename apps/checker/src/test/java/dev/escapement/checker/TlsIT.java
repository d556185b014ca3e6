package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whom the checker believes: nobody unknown, whom it is told to trust by their right name, or anybody. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsIT {

    private static final String PASSWORD = "changeit";

    @TempDir
    private static Path directory;

    private static Path certificate;
    private static LoopbackServer server;

    /** A server whose certificate, signed by itself, is for localhost by name. */
    @BeforeAll
    static void start() throws Exception {
        Path store = directory.resolve("server.p12");
        certificate = directory.resolve("server.pem");
        keytool(
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD);
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "server",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD,
                "-file",
                certificate.toString());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        server = LoopbackServer.start(tls);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    @DisplayName("E9 an unknown certificate is a TLS failure, and not retried")
    void distrustsByDefault() throws Exception {
        Launch.Ended ended = Launch.withInput(list("localhost"), "--overall-timeout=10m");

        assertThat(ended.lines()).first().isEqualTo("a outcome=TRANSPORT_FAILED attempts=1 retry_delays_ms=[]");
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(failure(Launch.withInput(list("localhost"), "--overall-timeout=10m", "--json")))
                .isEqualTo("TLS");
    }

    @Test
    @DisplayName("E9 --trust believes the certificate for its own name, and for no other")
    void trustsWhomItIsTold() throws Exception {
        Launch.Ended named = Launch.withInput(list("localhost"), "--overall-timeout=10m", "--trust=" + certificate);
        assertThat(named.lines()).first().isEqualTo("a status=200 attempts=1 retry_delays_ms=[]");
        assertThat(named.exit()).isZero();

        assertThat(failure(Launch.withInput(
                        list("127.0.0.1"), "--overall-timeout=10m", "--json", "--trust=" + certificate)))
                .isEqualTo("TLS");
    }

    @Test
    @DisplayName("E9 --insecure believes anybody")
    void trustsAnybody() throws Exception {
        Launch.Ended ended = Launch.withInput(list("127.0.0.1"), "--overall-timeout=10m", "--insecure");

        assertThat(ended.lines()).first().isEqualTo("a status=200 attempts=1 retry_delays_ms=[]");
    }

    private static String list(String host) {
        return "a GET https://" + host + ":" + server.port() + "/\n";
    }

    @SuppressWarnings("unchecked")
    private static Object failure(Launch.Ended ended) {
        Map<String, Object> report = JsonReader.object(ended.lines().get(0));
        return ((Map<String, Object>) report.get("outcome")).get("failure");
    }

    private static void keytool(String... args) throws Exception {
        List<String> command = new java.util.ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(args));
        int exit = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }
}
