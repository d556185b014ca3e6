package dev.escapement.netty;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Turns host names into addresses without ever blocking an event loop: literals at once, names by the JDK's resolver on a
 * few threads of its own, which end when they have nothing to do.
 *
 * <p>The JDK caches answers for its own time. Both the threads and their queue are bounded (G5). Any thread may ask.
 */
final class Lookup {

    private static final int THREADS = 4;
    private static final int QUEUE = 1024;
    private static final long KEEP_THREAD_SECONDS = 10;

    /** Who is told the result, on a thread of this class or, on refusal, on the asking one. */
    interface Answer {

        void found(InetAddress[] addresses);

        void failed(Exception cause);
    }

    private final ThreadPoolExecutor threads;

    Lookup() {
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, KEEP_THREAD_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE), task -> {
                    Thread thread = new Thread(task, "escapement-lookup");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** The address that a numeric host stands for, or null for a name. Pure; asks nobody. */
    static @Nullable InetAddress literal(String host) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        if (bytes == null) {
            return null;
        }
        try {
            return InetAddress.getByAddress(host, bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }

    void resolve(String host, Answer answer) {
        try {
            threads.execute(() -> {
                InetAddress[] addresses;
                try {
                    addresses = InetAddress.getAllByName(host);
                } catch (UnknownHostException | SecurityException e) {
                    answer.failed(e);
                    return;
                }
                answer.found(addresses);
            });
        } catch (RejectedExecutionException e) {
            answer.failed(e);
        }
    }

    /** Refuses from now on; lookups under way end by themselves, and nobody waits for them. */
    void close() {
        threads.shutdownNow();
    }
}
