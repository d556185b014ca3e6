package dev.escapement.proof;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The classes that one patched source file compiles to, by binary name. Compiled in memory against the class path of this
 * process, on which the module stands as it was built; needs a JDK. Immutable.
 */
public final class PatchedClasses {

    private static final List<String> OPTIONS = List.of(
            "--release",
            "17",
            "-g",
            "-proc:none",
            "-implicit:none",
            "-nowarn",
            "-classpath",
            System.getProperty("java.class.path"));

    private final Map<String, byte[]> code;

    private PatchedClasses(Map<String, byte[]> code) {
        this.code = Collections.unmodifiableMap(code);
    }

    /** No classes: with these, everything is as it was built. */
    public static PatchedClasses none() {
        return new PatchedClasses(Map.of());
    }

    static PatchedClasses compile(String file, String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("this Java runtime has no compiler: expected a JDK");
        }
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            Memory memory = new Memory(files);
            List<Source> units = List.of(new Source(file, source));
            if (!compiler.getTask(complaints, memory, null, OPTIONS, null, units)
                    .call()) {
                throw new IllegalArgumentException("the patched " + file + " does not compile: " + complaints);
            }
            return new PatchedClasses(memory.code());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The code of each class by its binary name, such as {@code dev.escapement.call.Lane}; not to be written to. */
    public Map<String, byte[]> code() {
        return code;
    }

    /** Writes them as class files into a directory, to be put in front on a class path. */
    public void writeTo(Path directory) {
        code.forEach((name, bytes) -> {
            Path classFile = directory.resolve(name.replace('.', '/') + ".class");
            try {
                Files.createDirectories(classFile.getParent());
                Files.write(classFile, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** The one source file. */
    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String file, String text) {
            super(URI.create("patched:///" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Keeps what the compiler writes. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {

        private final Map<String, ByteArrayOutputStream> written = new TreeMap<>();

        Memory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("patched:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    written.put(className, bytes);
                    return bytes;
                }
            };
        }

        Map<String, byte[]> code() {
            Map<String, byte[]> code = new TreeMap<>();
            written.forEach((name, bytes) -> code.put(name, bytes.toByteArray()));
            return code;
        }
    }
}
