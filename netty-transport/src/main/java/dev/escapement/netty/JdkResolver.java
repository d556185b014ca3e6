package dev.escapement.netty;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The JDK's resolver, which blocks, on a few threads of its own, which end when they have nothing to do.
 *
 * <p>Both the threads and their queue are bounded (G5). Any thread may ask.
 */
final class JdkResolver implements NameResolver {

    private static final int THREADS = 4;
    private static final int QUEUE = 1024;
    private static final long KEEP_THREAD_SECONDS = 10;

    /** The JDK does not say how long its answers hold. Asking it again is cheap: it has a cache. */
    private static final Duration VALID_FOR = Duration.ofSeconds(10);

    private final ThreadPoolExecutor threads;

    JdkResolver() {
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, KEEP_THREAD_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE), task -> {
                    Thread thread = new Thread(task, "escapement-lookup");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public CompletableFuture<Answer> resolve(String name) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    answer.complete(new Answer(List.of(InetAddress.getAllByName(name)), VALID_FOR));
                } catch (Exception e) {
                    answer.completeExceptionally(e);
                }
            });
        } catch (java.util.concurrent.RejectedExecutionException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    /** Lookups under way end by themselves, and nobody waits for them; those in the queue are given up with it. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
