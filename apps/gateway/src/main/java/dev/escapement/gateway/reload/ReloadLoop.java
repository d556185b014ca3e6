package dev.escapement.gateway.reload;

import dev.escapement.gateway.config.Fault;
import dev.escapement.time.MonotonicClock;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The thread that goes over to other configurations: when a signal or an operator asks, and when a look at the source, each second, sees
 * another text. Looking beats being told of changes: mounted files are swapped as whole directories, and editors rename over a file.
 *
 * <p>Any thread may ask, and may end it; what it knows of the source is its own thread's ({@link ReloadWatch}).
 */
public final class ReloadLoop implements AutoCloseable {

    private final MonotonicClock clock;
    private final ConfigStore<?> store;
    private final ReloadWatch watch;
    private final Thread thread;

    /** Who asked and has no answer yet. */
    private final BlockingQueue<CompletableFuture<ReloadResult>> asked = new LinkedBlockingQueue<>();

    /** Set once, by any thread. */
    private volatile boolean closed;

    /** Does not run yet. */
    public ReloadLoop(ConfigStore<?> store, ConfigSource source, MonotonicClock clock) {
        this.clock = clock;
        this.store = store;
        this.watch = new ReloadWatch(store, source, clock.nanos());
        this.thread = new Thread(this::run, "escapement-reload");
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Asks, and does not wait: for signals. */
    public void request() {
        ask(new CompletableFuture<>());
    }

    /** Asks, and waits until it is decided: for operators. */
    public ReloadResult reload() {
        CompletableFuture<ReloadResult> answer = new CompletableFuture<>();
        ask(answer);
        return answer.join();
    }

    private void ask(CompletableFuture<ReloadResult> answer) {
        asked.add(answer);
        if (closed) {
            turnAway();
        }
    }

    /** Nothing comes into force any more once this has returned, and everybody who asks is turned away: a stop is under way. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        turnAway();
    }

    /** Each asker meets at least one of the closer and itself here, since both look after they have written. */
    private void turnAway() {
        for (CompletableFuture<ReloadResult> waiting = asked.poll(); waiting != null; waiting = asked.poll()) {
            waiting.complete(turnedAway());
        }
    }

    private ReloadResult turnedAway() {
        String version = store.config().version();
        return new ReloadResult(
                ReloadResult.Kind.REFUSED,
                version,
                List.of(Fault.ofFile(store.name(), "a stop is under way: nothing is reloaded")));
    }

    private void run() {
        try {
            while (!closed) {
                long waitNanos = watch.turn(clock.nanos());
                CompletableFuture<ReloadResult> first = asked.poll(waitNanos, TimeUnit.NANOSECONDS);
                if (first != null) {
                    watch.ask(first, clock.nanos());
                }
            }
        } catch (InterruptedException e) {
            // Closed.
        } finally {
            watch.end(turnedAway());
            turnAway();
        }
    }
}
