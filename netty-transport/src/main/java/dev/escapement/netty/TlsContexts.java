package dev.escapement.netty;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.File;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Builds the TLS context that {@link TlsSettings} describe: for clients, TLS 1.3 and 1.2, the host's name checked against the
 * certificate whoever does the cryptography, no protocol offered beside HTTP/1.1's silence.
 *
 * <p>The name check is set here, explicitly, although it is the default, since a system property of Netty's can turn the
 * default off. What is built may have to be released.
 */
final class TlsContexts {

    private static final String VERIFY_HOST = "HTTPS";

    /**
     * G5: sessions kept for resumption. Each handshake leaves one, 1 to 2 KB of it; the JDK would keep 20,480 for a day, softly, when all
     * that can be resumed is one for each host and port.
     */
    private static final int MOST_SESSIONS = 1_024;

    private TlsContexts() {}

    /** The context, or null where some setting was at fault. */
    static @Nullable SslContext of(TlsSettings settings, Faults faults) {
        TlsProvider provider = settings.provider();
        if (!provider.isAvailable()) {
            faults.add("tls.provider", provider.toString(), "one that is available here");
            return null;
        }
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(provider.provider())
                .protocols("TLSv1.3", "TLSv1.2")
                .sessionCacheSize(MOST_SESSIONS);
        boolean trusts = trust(builder, settings, faults);
        boolean identifies = identify(builder, settings, faults);
        if (!trusts || !identifies) {
            return null;
        }
        try {
            return builder.build();
        } catch (SSLException | RuntimeException e) {
            // The files can be read, each for itself; what is left is that they do not belong together.
            faults.add(
                    "tls", describe(settings), "certificates and a key that belong together (" + e.getMessage() + ")");
            return null;
        }
    }

    private static boolean trust(SslContextBuilder builder, TlsSettings settings, Faults faults) {
        Optional<X509TrustManager> manager = settings.trustManager();
        Optional<Path> certificates = settings.trustCertificates();
        int choices =
                (manager.isPresent() ? 1 : 0) + (certificates.isPresent() ? 1 : 0) + (settings.isInsecure() ? 1 : 0);
        if (choices > 1) {
            faults.add("trustManager, trustCertificates, insecure", choices + " of them", "one at most");
            return false;
        }
        if (settings.isInsecure()) {
            builder.endpointIdentificationAlgorithm(null).trustManager(InsecureTrustManagerFactory.INSTANCE);
            return true;
        }
        builder.endpointIdentificationAlgorithm(VERIFY_HOST);
        manager.ifPresent(builder::trustManager);
        return certificates.isEmpty() || trust(builder, certificates.get().toFile(), faults);
    }

    private static boolean trust(SslContextBuilder builder, File certificates, Faults faults) {
        try {
            builder.trustManager(certificates);
            return true;
        } catch (IllegalArgumentException e) {
            faults.add(
                    "trustCertificates",
                    certificates.toString(),
                    "a readable PEM file of certificates (" + e.getMessage() + ")");
            return false;
        }
    }

    private static boolean identify(SslContextBuilder builder, TlsSettings settings, Faults faults) {
        TlsSettings.Identity identity = settings.identity().orElse(null);
        if (identity == null) {
            return true;
        }
        try {
            builder.keyManager(identity.chain().toFile(), identity.key().toFile(), identity.password());
            return true;
        } catch (IllegalArgumentException e) {
            faults.add(
                    "identity",
                    identity.chain() + ", " + identity.key(),
                    "readable PEM files of certificates and of a private key in PKCS#8 (" + e.getMessage() + ")");
            return false;
        }
    }

    private static String describe(TlsSettings settings) {
        return settings.identity()
                .map(identity -> identity.chain() + ", " + identity.key())
                .orElse("the default");
    }
}
