package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A class path without anything that is optional: the transport stands all the same, on what is left. */
class WithoutOptionalsTest {

    private static final List<String> OPTIONAL = List.of(
            "io.netty.resolver.dns.",
            "io.netty.handler.codec.dns.",
            "io.netty.channel.epoll.",
            "io.netty.channel.uring.",
            "io.netty.internal.tcnative.");

    /** Loads everything of ours and of Netty's anew, as if the optional jars were not there. */
    private static final class Lacking extends ClassLoader {

        Lacking() {
            super(WithoutOptionalsTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (OPTIONAL.stream().anyMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.netty.") && !name.startsWith("dev.escapement.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** What is done there. */
    public static final class Inside implements Callable<String> {

        /** For the other loader. */
        public Inside() {}

        @Override
        public String call() {
            String hosts = System.clearProperty("jdk.net.hosts.file");
            try (NameResolver names = NameResolver.ofSystem();
                    NettyTransport transport = NettyTransport.ofDefaults()) {
                return IoKind.preferred() + " " + IoKind.IO_URING.isAvailable() + " " + TlsProvider.preferred() + " "
                        + names.getClass().getSimpleName() + " "
                        + transport.stats().opened();
            } finally {
                System.setProperty("jdk.net.hosts.file", hosts);
            }
        }
    }

    @Test
    @DisplayName("without DNS, epoll, io_uring and tcnative: NIO, the JDK's engine, the JDK's resolver")
    void theJdksOwn() throws Exception {
        Class<?> inside = new Lacking().loadClass(Inside.class.getName());
        Object told = ((Callable<?>) inside.getConstructor().newInstance()).call();
        assertThat(told).isEqualTo("NIO false JDK JdkResolver 0");
    }
}
