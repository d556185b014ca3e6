package dev.escapement.proof.soak;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * TLS for a server on the loopback address, with a self-signed certificate that the JDK's keytool makes in a directory which is gone
 * afterwards.
 *
 * @param server for the server's sockets
 * @param trust for clients: trusts this certificate alone
 */
record SelfSigned(SSLContext server, X509TrustManager trust) {

    private static final String ALIAS = "server";
    private static final String PASSWORD = "password";

    static SelfSigned make() throws IOException, InterruptedException, GeneralSecurityException {
        Path directory = Files.createTempDirectory("soak");
        Path store = directory.resolve("keys.p12");
        try {
            generate(store);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
            own.init(keys, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), null, null);
            // What grows with handshakes is not to be this side's.
            context.getServerSessionContext().setSessionCacheSize(1);
            return new SelfSigned(context, trusting(keys));
        } finally {
            Files.deleteIfExists(store);
            Files.delete(directory);
        }
    }

    private static X509TrustManager trusting(KeyStore keys) throws IOException, GeneralSecurityException {
        KeyStore anchors = KeyStore.getInstance("PKCS12");
        anchors.load(null, null);
        anchors.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(anchors);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    private static void generate(Path store) throws IOException, InterruptedException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(
                        keytool.toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=soak",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool: " + output);
        }
    }
}
