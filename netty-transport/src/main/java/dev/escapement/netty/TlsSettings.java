package dev.escapement.netty;

import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How TLS is spoken: by whose engine, whom to trust, and who we are. TLS 1.3 and 1.2; the host's name is checked against the
 * certificate unless {@link #insecure} says otherwise; sessions are resumed, and 1,024 of them kept at most (G5).
 *
 * <p>Immutable: each {@code with} returns another value. Files are read, and whatever is wrong is told, when a transport is
 * built with it.
 */
public final class TlsSettings {

    /** Our certificate and its key, in PEM files. */
    record Identity(Path chain, Path key, @Nullable String password) {}

    private static final TlsSettings DEFAULTS = new TlsSettings(null, null, null, false, null);

    private final @Nullable TlsProvider provider;
    private final @Nullable X509TrustManager trustManager;
    private final @Nullable Path trustCertificates;
    private final boolean insecure;
    private final @Nullable Identity identity;

    private TlsSettings(
            @Nullable TlsProvider provider,
            @Nullable X509TrustManager trustManager,
            @Nullable Path trustCertificates,
            boolean insecure,
            @Nullable Identity identity) {
        this.provider = provider;
        this.trustManager = trustManager;
        this.trustCertificates = trustCertificates;
        this.insecure = insecure;
        this.identity = identity;
    }

    /** OpenSSL where it is available, else the JDK's engine; trusts what the JDK trusts; shows no certificate. */
    public static TlsSettings ofDefaults() {
        return DEFAULTS;
    }

    /** Trusts any certificate for any name: whoever can reach the connection can read and forge it. For tests. */
    public static TlsSettings insecure() {
        return new TlsSettings(null, null, null, true, null);
    }

    /** Whose engine to use; a transport cannot be built where it is not {@linkplain TlsProvider#isAvailable available}. */
    public TlsSettings withProvider(TlsProvider value) {
        return new TlsSettings(value, trustManager, trustCertificates, insecure, identity);
    }

    /** Whom to trust instead of the JDK's authorities. The host's name is checked all the same. */
    public TlsSettings withTrustManager(X509TrustManager value) {
        return new TlsSettings(provider, value, trustCertificates, insecure, identity);
    }

    /** A PEM file of certificates to trust instead of the JDK's authorities. The host's name is checked all the same. */
    public TlsSettings withTrustCertificates(Path file) {
        return new TlsSettings(provider, trustManager, file, insecure, identity);
    }

    /**
     * Who we are, for servers that ask for a client's certificate (mutual TLS). One that does not like it says so in TLS 1.2 within
     * the handshake, a failure of kind TLS; in TLS 1.3 only after it, so that the attempt is RESET with the alert as its cause.
     *
     * @param chain a PEM file of our certificate, and after it those between it and the authority that the server trusts
     * @param key a PEM file of its private key, in PKCS#8, not encrypted
     */
    public TlsSettings withIdentity(Path chain, Path key) {
        return new TlsSettings(provider, trustManager, trustCertificates, insecure, new Identity(chain, key, null));
    }

    /** The same with a key that this password decrypts. */
    public TlsSettings withIdentity(Path chain, Path key, String password) {
        return new TlsSettings(provider, trustManager, trustCertificates, insecure, new Identity(chain, key, password));
    }

    TlsProvider provider() {
        return provider != null ? provider : TlsProvider.preferred();
    }

    Optional<X509TrustManager> trustManager() {
        return Optional.ofNullable(trustManager);
    }

    Optional<Path> trustCertificates() {
        return Optional.ofNullable(trustCertificates);
    }

    boolean isInsecure() {
        return insecure;
    }

    Optional<Identity> identity() {
        return Optional.ofNullable(identity);
    }
}
