package dev.escapement.gateway.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** The files that a configuration names: looked for beside it, and readable. */
final class ReadableFiles {

    private final Path directory;

    /** @param configuration the file that names them */
    ReadableFiles(String configuration) {
        this.directory = Optional.ofNullable(
                        Path.of(configuration).toAbsolutePath().getParent())
                .orElseThrow();
    }

    ValueText<Path> notation() {
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
}
