package dev.escapement.gateway.record;

import dev.escapement.gateway.config.AccessLogConfig;
import dev.escapement.time.MonotonicClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The access log: one line for each request at its end, and one a minute for those that run long.
 *
 * <p>Event loops put records into a bounded queue, without a lock and without formatting anything; where it is full, the record is dropped
 * and counted. One thread of ours makes lines of them and writes. It is woken only if it sleeps, and it sleeps only after a pause without
 * work, so that under load hardly a loop pays for waking it. What was gathered is written as soon as the queue is empty.
 *
 * <p>Thread-safety: any thread.
 */
public final class AccessLog implements RecordSink, AutoCloseable {

    /** So long lines are gathered: a hundred writes a second at most, and the queue holds many times what comes meanwhile. */
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final MonotonicClock clock;
    private final Consumer<String> complaints;
    private final Thread thread;

    /** Records that have ended, and lines of some that go on. */
    private final Queue<Object> waiting = new ConcurrentLinkedQueue<>();

    /** How many are in it, or about to be. */
    private final AtomicInteger length = new AtomicInteger();

    private final LongAdder dropped = new LongAdder();

    /** The path that the writer shall open next. */
    private final AtomicReference<@Nullable String> asked = new AtomicReference<>();

    /** Set by the writer before it looks for work a last time and parks; cleared by who wakes it. */
    private final AtomicBoolean asleep = new AtomicBoolean();

    /** Written under the lock of {@code this}. */
    private volatile Style style;

    private volatile boolean closing;

    /** What is told, and how. */
    private record Style(AccessLogConfig config, LineFormat format, boolean isOff) {

        static Style of(AccessLogConfig config) {
            LineFormat format = switch (config.format()) {
                case JSON -> new JsonLine(config);
                case COMBINED -> new CombinedLine(config);
            };
            return new Style(config, format, config.path().equals(AccessLogConfig.NOWHERE));
        }
    }

    private AccessLog(AccessLogConfig config, LogFile file, MonotonicClock clock, Consumer<String> complaints) {
        this.style = Style.of(config);
        this.clock = clock;
        this.complaints = complaints;
        LogWriter writer = new LogWriter(file, dropped, complaints);
        this.thread = new Thread(() -> run(writer), "access-log");
    }

    /**
     * Opens the log and starts its thread.
     *
     * @param clock that of the records
     * @param complaints told of trouble with the file, when it begins and when it is over
     * @throws IOException if the file cannot be opened
     */
    public static AccessLog open(AccessLogConfig config, MonotonicClock clock, Consumer<String> complaints)
            throws IOException {
        AccessLog log = new AccessLog(config, LogFile.open(config.path()), clock, complaints);
        log.thread.setDaemon(true);
        log.thread.start();
        return log;
    }

    @Override
    public void began(RequestRecord record) {}

    @Override
    public void ended(RequestRecord record) {
        offer(record);
    }

    /** Makes the line at once, since the record still changes. */
    @Override
    public void goesOn(RequestRecord record) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            style.format().to(line).write(record, clock.nanos());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        offer(line.toByteArray());
    }

    /** How many lines were lost: the queue was full, the log was closed, or the file took no more. */
    public long dropped() {
        return dropped.sum();
    }

    /** Opens the file anew, as after it was renamed; the old one is kept if that fails. */
    public void reopen() {
        asked.set(style.config().path());
        wake();
    }

    /** Goes over to another configuration. Lines that wait are written by the new one. */
    public void apply(AccessLogConfig config) {
        synchronized (this) {
            String path = style.config().path();
            style = Style.of(config);
            if (!config.path().equals(path)) {
                asked.set(config.path());
            }
        }
        wake();
    }

    /** As {@link #close(Duration)} with 5 seconds; says so if that was too short. */
    @Override
    public void close() {
        if (!close(PATIENCE)) {
            complaints.accept("access log: not all lines could be written in time");
        }
    }

    /**
     * Takes no more, writes what waits, and closes the file.
     *
     * @return whether that was done within so long
     */
    public boolean close(Duration atMost) {
        closing = true;
        wake();
        try {
            thread.join(Math.max(1, atMost.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private void offer(Object next) {
        Style now = style;
        if (now.isOff()) {
            return;
        }
        if (closing || length.get() >= now.config().queue()) {
            dropped.increment();
            return;
        }
        // Loops that look at the same moment may each go one beyond the bound; none ever waits for another.
        length.incrementAndGet();
        waiting.add(next);
        wake();
    }

    private void wake() {
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            LockSupport.unpark(thread);
        }
    }

    private void run(LogWriter writer) {
        while (true) {
            String path = asked.getAndSet(null);
            if (path != null) {
                writer.turnTo(path);
            }
            if (takeOne(writer)) {
                continue;
            }
            writer.flush();
            if (closing && waiting.isEmpty()) {
                break;
            }
            pause();
        }
        writer.close();
    }

    private boolean takeOne(LogWriter writer) {
        Object next = waiting.poll();
        if (next == null) {
            return false;
        }
        length.decrementAndGet();
        if (next instanceof RequestRecord record) {
            writer.add(record, style.format());
        } else {
            writer.add((byte[]) next);
        }
        return true;
    }

    /**
     * Rests in any case, so that lines are gathered, written together, and no loop wakes us for each; and then until there is work, which
     * wakes us once.
     */
    private void pause() {
        if (!isAskedFor()) {
            LockSupport.parkNanos(this, REST_NANOS);
        }
        asleep.set(true);
        if (!hasWork()) {
            LockSupport.park(this);
        }
        asleep.set(false);
    }

    private boolean isAskedFor() {
        return closing || asked.get() != null;
    }

    private boolean hasWork() {
        return isAskedFor() || !waiting.isEmpty();
    }
}
