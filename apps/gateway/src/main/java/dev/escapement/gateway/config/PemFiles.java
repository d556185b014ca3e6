package dev.escapement.gateway.config;

import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** The files of certificates and keys that a configuration names: looked for beside it, and what they must be. Any thread. */
final class PemFiles {

    private static final ValueText<String> ANY = ValueText.text("a file", text -> !text.isEmpty());

    private final Path directory;

    /** @param configuration the file that names them */
    PemFiles(String configuration) {
        this.directory = Optional.ofNullable(
                        Path.of(configuration).toAbsolutePath().getParent())
                .orElseThrow();
    }

    private ValueText<Path> readable() {
        return new ValueText<>("a readable file", this::readable, Path::toString);
    }

    private Optional<Path> readable(String text) {
        try {
            return Optional.of(directory.resolve(text))
                    .filter(file -> Files.isRegularFile(file) && Files.isReadable(file));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** A certificate and its key, both wanted; empty if they are none, which the faults are told. */
    Optional<InboundTls> identity(Section section) {
        Optional<Path> certificate = section.required("certificate", readable());
        Optional<Path> key = section.required("key", readable());
        if (certificate.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        return proven(
                        section,
                        "certificate",
                        "a chain in PEM, and a key in PEM that is PKCS #8",
                        () -> SslContextBuilder.forServer(
                                certificate.get().toFile(), key.get().toFile()))
                ? Optional.of(new InboundTls(certificate.get(), key.get()))
                : Optional.empty();
    }

    /** Certificates to trust, if any are named. */
    Optional<Path> trust(Section section) {
        Optional<Path> file = section.optional("trust", readable());
        return file.filter(named -> proven(
                section,
                "trust",
                "certificates in PEM",
                () -> SslContextBuilder.forClient().trustManager(named.toFile())));
    }

    private interface Builds {
        SslContextBuilder builder();
    }

    /** Whether TLS can be spoken with it: whatever is wrong shows when it is tried. */
    private static boolean proven(Section section, String key, String expected, Builds builds) {
        try {
            builds.builder().sslProvider(SslProvider.JDK).build();
            return true;
        } catch (IOException | IllegalArgumentException e) {
            section.fault(key, Shown.quoted(section.value(key, ANY, "")) + ": expected " + expected);
            return false;
        }
    }
}
