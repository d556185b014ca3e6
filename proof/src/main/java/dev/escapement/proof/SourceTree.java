package dev.escapement.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The sources of one module, found from where this module was built: the repository is the directory above that holds the engine.
 *
 * @param root the directory in which packages begin
 */
public record SourceTree(Path root) {

    private static final String SOURCES = "src/main/java";

    /** The modules whose sources may be patched. */
    private static final List<String> MODULES = List.of("core", "netty-transport");

    /**
     * The tree that holds a file, named from the root of its packages.
     *
     * @throws IllegalArgumentException if no module has such a file
     */
    static SourceTree ofFile(String file) {
        Path repository = repository();
        return MODULES.stream()
                .map(module -> new SourceTree(repository.resolve(module).resolve(SOURCES)))
                .filter(tree -> Files.exists(tree.root.resolve(file)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no module has a source file " + file));
    }

    /** The directory of the whole project. */
    public static Path repository() {
        Path built = built();
        return Stream.iterate(built, path -> path != null, Path::getParent)
                .filter(path -> Files.isDirectory(path.resolve("core").resolve(SOURCES)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "no sources above " + built + ": expected a build inside the repository"));
    }

    private static Path built() {
        try {
            return Path.of(SourceTree.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    String read(String file) {
        try {
            return Files.readString(root.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
