package dev.escapement.proof;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * A world in which patched classes stand in place of the built ones.
 *
 * <p>Every class of {@code dev.escapement} is defined anew in here, from the patched code where there is some and from the parent's
 * class files otherwise, so that all of them share one run-time package and package-private access works. Everything else, the JDK's
 * types, Netty, JUnit, is the parent's: those are what the two worlds can talk by.
 *
 * <p>Any thread.
 */
public final class PatchedLoader extends ClassLoader {

    private static final String OURS = "dev.escapement.";

    private final PatchedClasses patched;

    /** A world beside the parent's. */
    public PatchedLoader(PatchedClasses patched, ClassLoader parent) {
        super(parent);
        this.patched = patched;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] code = patched.code().get(name);
        if (code == null) {
            code = built(name);
        }
        return defineClass(name, code, 0, code.length);
    }

    private byte[] built(String name) throws ClassNotFoundException {
        try (InputStream classFile = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (classFile == null) {
                throw new ClassNotFoundException(name);
            }
            return classFile.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
