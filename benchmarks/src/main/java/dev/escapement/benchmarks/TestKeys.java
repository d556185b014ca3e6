package dev.escapement.benchmarks;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;

/** A self-signed certificate for 127.0.0.1, made by the JDK's keytool for one run. */
final class TestKeys {

    static final String PASSWORD = "password";

    private TestKeys() {}

    /** Makes a key store in that directory. */
    static Path make(Path directory) throws IOException, InterruptedException {
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=benchmark",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD,
                        "-ext",
                        "san=ip:127.0.0.1")
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool: " + said);
        }
        return store;
    }

    /** The certificate in a PEM file beside the store. */
    static Path pem(Path store) throws IOException, GeneralSecurityException {
        byte[] certificate = load(store).getCertificate("server").getEncoded();
        return Files.writeString(
                store.resolveSibling("trust.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate)
                        + "\n-----END CERTIFICATE-----\n");
    }

    /** What the server of a benchmark speaks TLS by: the JDK's, for every client alike. */
    static SslContext server(Path store) throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(load(store), PASSWORD.toCharArray());
        return SslContextBuilder.forServer(keys).sslProvider(SslProvider.JDK).build();
    }

    /** What the bare client speaks TLS by: the JDK's as well, trusting that certificate. */
    static SslContext client(Path pem) throws IOException {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(pem.toFile())
                .endpointIdentificationAlgorithm("HTTPS")
                .build();
    }

    private static KeyStore load(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }
}
