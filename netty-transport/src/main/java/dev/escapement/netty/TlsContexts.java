package dev.escapement.netty;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.File;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;

/**
 * Builds TLS contexts for clients: the JDK's engine, TLS 1.3 and 1.2, the host's name checked against the certificate.
 *
 * <p>The name check is set here, explicitly, although it is the default, since a system property of Netty's can turn the
 * default off.
 */
final class TlsContexts {

    private static final String VERIFY_HOST = "HTTPS";

    /**
     * G5: sessions kept for resumption. Each handshake leaves one, 1 to 2 KB of it; the JDK would keep 20,480 for a day, softly, when all
     * that can be resumed is one for each host and port.
     */
    private static final int MOST_SESSIONS = 1_024;

    private TlsContexts() {}

    /** Trusts what the JDK trusts. */
    static SslContext ofSystem() throws SSLException {
        return verifying().build();
    }

    static SslContext of(TrustManager trust) throws SSLException {
        return verifying().trustManager(trust).build();
    }

    /** Trusts the certificates of a PEM file, and nothing else. */
    static SslContext of(File certificates) throws SSLException {
        return verifying().trustManager(certificates).build();
    }

    /** Trusts anybody, whatever their name. */
    static SslContext insecure() throws SSLException {
        return client().endpointIdentificationAlgorithm(null)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .build();
    }

    private static SslContextBuilder verifying() {
        return client().endpointIdentificationAlgorithm(VERIFY_HOST);
    }

    private static SslContextBuilder client() {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .sessionCacheSize(MOST_SESSIONS);
    }
}
