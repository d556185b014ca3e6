package dev.escapement.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates and keys that a configuration names. */
class PemFilesTest {

    private static final String PASSWORD = "changeit";

    @TempDir
    private static Path directory;

    /** Two identities, of which each has the other's files beside it. */
    @BeforeAll
    static void makeIdentities() throws Exception {
        for (String name : List.of("a", "b")) {
            Path store = directory.resolve(name + ".p12");
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            name,
                            "-keyalg",
                            "EC",
                            "-dname",
                            "CN=" + name,
                            "-keystore",
                            store.toString(),
                            "-storetype",
                            "PKCS12",
                            "-storepass",
                            PASSWORD)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(keytool.waitFor()).as(said).isZero();
            writePem(name, store);
        }
        Files.writeString(directory.resolve("text.pem"), "no certificate\n");
    }

    private static void writePem(String name, Path store) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        pem(name + ".pem", "CERTIFICATE", keys.getCertificate(name).getEncoded());
        pem(
                name + ".key",
                "PRIVATE KEY",
                keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
    }

    private static void pem(String file, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                directory.resolve(file), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private static ConfigResult read(String more) {
        String text = """
                upstreams: {u: {endpoints: "https://h"%s}}
                routes: [{name: all, upstream: u}]
                """;
        byte[] bytes = (more.startsWith("inbound") ? text.formatted("") + more : text.formatted(more))
                .getBytes(StandardCharsets.UTF_8);
        return ConfigReader.read(directory.resolve("gateway.yaml").toString(), bytes);
    }

    private static List<String> faults(String more) {
        return ((ConfigResult.Bad) read(more))
                .faults().stream()
                        .map(fault -> fault.path() + ": " + fault.message())
                        .toList();
    }

    @Test
    @DisplayName("Files are looked for beside the configuration, and their names alone are kept and shown")
    void filesLieBesideTheConfiguration() throws IOException {
        GatewayConfig config = ((ConfigResult.Good) read("inbound: {tls: {certificate: a.pem, key: a.key}}")).config();

        assertThat(config.inbound().tls().orElseThrow().key()).isEqualTo(directory.resolve("a.key"));
        String shown = EffectiveConfig.text(config);
        assertThat(shown).contains("a.key");
        assertThat(Files.readAllLines(directory.resolve("a.key"))).noneMatch(shown::contains);
        assertThat(((ConfigResult.Good) read(", tls: {trust: b.pem, certificate: a.pem, key: a.key}"))
                        .config()
                        .upstreams()
                        .get("u")
                        .tls()
                        .orElseThrow()
                        .trustCertificates())
                .contains(directory.resolve("b.pem"));
    }

    @Test
    @DisplayName("What TLS cannot be spoken with is a fault before anything starts")
    void unusableFilesAreFaults() {
        String pair = "a chain in PEM, and a key in PEM that is PKCS #8";

        assertThat(faults("inbound: {tls: {certificate: none.pem, key: a.key}}"))
                .containsExactly("inbound.tls.certificate: \"none.pem\": expected a readable file");
        assertThat(faults("inbound: {tls: {certificate: a.pem}}"))
                .containsExactly("inbound.tls: no \"key\": expected a readable file");
        assertThat(faults("inbound: {tls: {certificate: text.pem, key: a.key}}"))
                .containsExactly("inbound.tls.certificate: \"text.pem\": expected " + pair);
        assertThat(faults("inbound: {tls: {certificate: a.pem, key: text.pem}}"))
                .containsExactly("inbound.tls.certificate: \"a.pem\": expected " + pair);
        assertThat(faults(", tls: {trust: text.pem}"))
                .containsExactly("upstreams.u.tls.trust: \"text.pem\": expected certificates in PEM");
    }

    @Test
    @DisplayName("Another identity towards clients needs a restart")
    void anotherIdentityNeedsARestart() {
        ConfigResult.Good running = (ConfigResult.Good) read("inbound: {tls: {certificate: a.pem, key: a.key}}");
        byte[] next = """
                upstreams: {u: {endpoints: "https://h"}}
                routes: [{name: all, upstream: u}]
                inbound: {tls: {certificate: b.pem, key: b.key}}
                """.getBytes(StandardCharsets.UTF_8);
        String file = directory.resolve("gateway.yaml").toString();

        ConfigResult reread = ConfigReader.reread(file, next, Addresses.OF_TEXT, running.config());

        assertThat(((ConfigResult.Bad) reread).faults())
                .extracting(fault -> fault.path() + ": " + fault.message())
                .containsExactly("inbound.tls: another identity, or none, needs a restart");
    }
}
