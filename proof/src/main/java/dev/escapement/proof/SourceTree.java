package dev.escapement.proof;

import dev.escapement.call.Client;
import dev.escapement.netty.NettyTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The sources of one module, found beside what was built from them.
 *
 * @param root the directory in which packages begin
 */
public record SourceTree(Path root) {

    /** The modules whose sources may be patched, each by one of its classes. */
    private static final List<Class<?>> MODULES = List.of(Client.class, NettyTransport.class);

    /** The tree that holds a file, named from the root of its packages. */
    static SourceTree ofFile(String file) {
        return MODULES.stream()
                .map(SourceTree::ofModule)
                .filter(tree -> Files.exists(tree.root.resolve(file)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no module has a source file " + file));
    }

    /** The sources of the module that a class was built in. */
    static SourceTree ofModule(Class<?> member) {
        return new SourceTree(moduleOf(member).resolve("src/main/java"));
    }

    /** The directory of the module that a class was built in: classes and jars lie in its {@code target}. */
    public static Path moduleOf(Class<?> member) {
        Path built = locationOf(member);
        return Stream.iterate(built, path -> path != null, Path::getParent)
                .filter(path -> path.endsWith("target"))
                .map(Path::getParent)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(member + " comes from " + built + ": expected a build directory"));
    }

    private static Path locationOf(Class<?> member) {
        try {
            return Path.of(
                    member.getProtectionDomain().getCodeSource().getLocation().toURI());
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
