package dev.escapement.netty;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** A self-signed certificate for given names, made by the JDK's keytool when a test asks for it. */
public final class Certificates {

    private static final char[] PASSWORD = "password".toCharArray();

    private final KeyStore keys;

    private Certificates(KeyStore keys) {
        this.keys = keys;
    }

    /** For these subject alternative names, as keytool writes them: {@code dns:localhost,ip:127.0.0.1}. */
    public static Certificates of(Path directory, String names) throws Exception {
        Path store = directory.resolve("keys-" + names.hashCode() + ".p12");
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
                        "CN=test",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD),
                        "-ext",
                        "san=" + names)
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new AssertionError("keytool: " + output);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        return new Certificates(keys);
    }

    public X509Certificate certificate() throws Exception {
        return (X509Certificate) keys.getCertificate("server");
    }

    public SSLContext server() throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
        own.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), null, null);
        return context;
    }

    /** The certificate in a file, as a user would hand it over. */
    public Path pem(Path directory) throws Exception {
        return pem(
                directory.resolve("trust-" + certificate().getSerialNumber() + ".pem"),
                "CERTIFICATE",
                certificate().getEncoded());
    }

    /** Its private key in a file, for a server of somebody else's. */
    public Path keyPem(Path directory) throws Exception {
        return pem(
                directory.resolve("key-" + certificate().getSerialNumber() + ".pem"),
                "PRIVATE KEY",
                keys.getKey("server", PASSWORD).getEncoded());
    }

    private static Path pem(Path file, String what, byte[] content) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + what
                        + "-----\n");
    }

    /** Trusts the certificate, by a manager that cannot see the engine: the plain kind. */
    X509TrustManager plainTrust() throws Exception {
        KeyStore anchors = KeyStore.getInstance("PKCS12");
        anchors.load(null, null);
        anchors.setCertificateEntry("server", certificate());
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(anchors);
        TrustManager[] managers = factory.getTrustManagers();
        X509TrustManager inner = (X509TrustManager) managers[0];
        return new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type)
                    throws java.security.cert.CertificateException {
                inner.checkClientTrusted(chain, type);
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type)
                    throws java.security.cert.CertificateException {
                inner.checkServerTrusted(chain, type);
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return inner.getAcceptedIssuers();
            }
        };
    }
}
