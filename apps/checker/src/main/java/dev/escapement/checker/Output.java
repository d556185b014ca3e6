package dev.escapement.checker;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries lines from the engine's threads to standard output, which may be slow, stuck or closed, without any of them
 * ever waiting for it.
 *
 * <p>{@link #add}, {@link #end} and {@link #isFull} are for any thread, everything else for the one that drains. The queue has no bound of its
 * own: whoever feeds it looks at {@link #isFull} and stops asking for more. Lines are flushed whenever none is waiting.
 * After the first write that fails, lines are dropped.
 */
final class Output {

    /** With so many lines waiting the feeder should hold back. */
    static final int FULL = 4 * 1024;

    private static final long REDRAW_MILLIS = 200;

    /** An absent line stands behind the last. */
    private final BlockingQueue<Optional<String>> waiting = new LinkedBlockingQueue<>();

    private final OutputStream out;
    private final Progress progress;

    private long drained;
    private @Nullable IOException failure;
    private Runnable whenBroken = () -> {};

    /** @param out written to by the draining thread alone */
    Output(OutputStream out, Progress progress) {
        this.out = out;
        this.progress = progress;
    }

    /** What to do, once, when a write has failed. Said before anything is drained. */
    void whenBroken(Runnable action) {
        whenBroken = action;
    }

    /** Hands a line over, without its end. */
    void add(String line) {
        waiting.add(Optional.of(line));
    }

    /** Lets {@link #drain} return once it has written what was added before. */
    void end() {
        waiting.add(Optional.empty());
    }

    boolean isFull() {
        return waiting.size() >= FULL;
    }

    /** Writes lines as they come, until {@link #end}. */
    void drain() throws InterruptedException {
        while (true) {
            Optional<String> next = waiting.poll();
            if (next == null) {
                flush();
                progress.show(drained);
                next = waiting.poll(REDRAW_MILLIS, TimeUnit.MILLISECONDS);
            }
            if (next != null) {
                if (next.isEmpty()) {
                    progress.erase();
                    flush();
                    return;
                }
                write(next.get());
            }
        }
    }

    private void write(String line) {
        drained++;
        if (failure == null) {
            try {
                progress.makeWay();
                out.write(line.getBytes(StandardCharsets.UTF_8));
                out.write('\n');
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    private void flush() {
        if (failure == null) {
            try {
                out.flush();
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    private void failed(IOException e) {
        failure = e;
        whenBroken.run();
    }

    /** Lines handed over and drained so far, those dropped included. */
    long drained() {
        return drained;
    }

    /** Why lines were dropped, if any were. */
    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }
}
