package dev.escapement.gateway.reload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Where the text of a configuration comes from. Any thread. */
public interface ConfigSource {

    /** What messages call it. */
    String name();

    /**
     * The whole text, read once; empty while there is none, as between the two steps of a file's replacement.
     *
     * @throws IOException if there is one and it cannot be read
     */
    Optional<byte[]> read() throws IOException;

    /** A file; one without a byte counts as none. */
    static ConfigSource ofFile(Path file) {
        return new ConfigSource() {
            @Override
            public String name() {
                return file.toString();
            }

            @Override
            public Optional<byte[]> read() throws IOException {
                try {
                    return Optional.of(Files.readAllBytes(file)).filter(bytes -> bytes.length > 0);
                } catch (NoSuchFileException e) {
                    return Optional.empty();
                }
            }
        };
    }

    /** A text that never changes. */
    static ConfigSource ofText(String name, byte[] text) {
        byte[] copy = text.clone();
        return new ConfigSource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Optional<byte[]> read() {
                return Optional.of(copy.clone());
            }
        };
    }
}
