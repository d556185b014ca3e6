package dev.escapement.netty;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;

/** Who does the cryptography of TLS. Immutable, for any thread. */
public enum TlsProvider {
    /** The JDK's own engine: everywhere. */
    JDK(SslProvider.JDK),

    /** OpenSSL or BoringSSL by Netty's tcnative, which costs a fraction of the processor: where that artifact is on the class path. */
    OPENSSL(SslProvider.OPENSSL_REFCNT);

    private final SslProvider provider;

    TlsProvider(SslProvider provider) {
        this.provider = provider;
    }

    /** Whether this machine and class path have it. The first question may load a native library. */
    public boolean isAvailable() {
        return this == JDK || (OpenSsl.isAvailable() && SslProvider.isTlsv13Supported(provider));
    }

    /** What is used by default: OpenSSL where it is available. */
    static TlsProvider preferred() {
        return OPENSSL.isAvailable() ? OPENSSL : JDK;
    }

    SslProvider provider() {
        return provider;
    }
}
