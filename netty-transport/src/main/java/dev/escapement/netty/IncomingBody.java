package dev.escapement.netty;

import dev.escapement.http.BodyException;
import dev.escapement.http.BodyException.Kind;
import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.EventExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The body of a streamed response on its way to one reader (A8): a queue of parts that was read ahead, demand, and an end.
 *
 * <pre>
 *   socket ── offer ──▶ [ queue, one window ] ── demand ──▶ reader
 *                          │ full: the source stops reading; half empty: it goes on
 *   finish, breakOff ────▶ end: complete, or a BodyException
 *                          ◀───────────────── release, cancel: the source drops the rest
 * </pre>
 *
 * <p><b>Ownership.</b> A buffer in the queue is this body's; it becomes the subscriber's in {@code onNext}, or is released when
 * the reader wants nothing more. When the connection goes back, what is left in the queue moves to the heap
 * ({@link #detach}), so that a reader who never comes costs no more than memory.
 *
 * <p><b>Threads.</b> The source's methods are the event loop's, and so are all signals. The reader's (subscribe, request, cancel,
 * release) may come from any thread: they leave a wish and see to it that the loop looks. {@code looks} counts those who want
 * a look: whoever finds none looks, and goes on while others have come. So nothing recurses, however deep a reader asks
 * from inside {@code onNext}. A loop that has ended takes no more tasks; then the asking thread looks itself.
 */
final class IncomingBody implements ByteBufBody, Flow.Subscription, Runnable {

    /** What is read ahead of demand before reading stops. */
    static final int WINDOW_BYTES = 64 * 1024;

    /** Reading goes on below this. */
    private static final int LOW_BYTES = WINDOW_BYTES / 2;

    /** What a part weighs besides its bytes, so that a flood of tiny chunks fills the window too (G5). */
    private static final int PART_OVERHEAD_BYTES = 128;

    /** Where the parts come from, while there is a connection. Called on the event loop. */
    interface Source {

        /** The window was full and has room again. */
        void bodyWantsMore();

        /** Nobody wants the rest. */
        void bodyDropped();

        /** A part was handed over, or demand met none outstanding. */
        void bodyMoved();
    }

    private final EventExecutor loop;
    private final long length;

    // The reader's wishes; any thread.
    private final AtomicBoolean taken = new AtomicBoolean();
    private final AtomicLong demand = new AtomicLong();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile Flow.@Nullable Subscriber<? super ByteBuf> subscriber;
    private volatile boolean released;
    private volatile boolean cancelled;
    private volatile boolean askedNonsense;
    private volatile boolean askedAnew;

    /** Written before the end is told, read by whoever was told. */
    private volatile Headers trailers = Headers.empty();

    // Whoever looks, which is the loop while it lives.
    private final ArrayDeque<ByteBuf> queue = new ArrayDeque<>();
    private @Nullable Source source;
    private long weight;
    private long droppedBytes;
    private boolean full;
    private boolean greeted;
    private boolean ended;
    private @Nullable BodyException failure;

    /** Nobody is told anything any more. */
    private boolean over;

    IncomingBody(EventExecutor loop, long length) {
        this.loop = loop;
        this.length = length;
    }

    // The source's end.

    /** From here on it has a reader, who may bring this about. */
    void comesFrom(Source here) {
        source = here;
    }

    /** Takes over a part. It is handed on in the next {@link #look}. */
    void offer(ByteBuf part) {
        if (over || ended) {
            droppedBytes += part.readableBytes();
            part.release();
            return;
        }
        queue.add(part);
        weight += part.readableBytes() + PART_OVERHEAD_BYTES;
    }

    /** Whether reading should stop; if so, the source is told when it may go on. */
    boolean isFull() {
        full |= weight > WINDOW_BYTES;
        return full;
    }

    /** The bytes that were read and that nobody wanted. */
    long droppedBytes() {
        return droppedBytes;
    }

    /** The connection goes: the source is told nothing more, and what is left of the parts keeps no memory of the socket's. */
    void detach() {
        source = null;
        for (int left = queue.size(); left > 0; left--) {
            ByteBuf part = queue.remove();
            byte[] bytes = new byte[part.readableBytes()];
            part.readBytes(bytes);
            part.release();
            queue.add(Unpooled.wrappedBuffer(bytes));
        }
    }

    /** The body is whole. The reader is told once it has all parts. */
    void finish(Headers fields) {
        trailers = fields;
        end(null);
    }

    /** There is no more of the body. The reader is told once it has the parts that came. */
    void breakOff(BodyException why) {
        end(why);
    }

    private void end(@Nullable BodyException why) {
        if (!ended) {
            ended = true;
            failure = why;
        }
        look();
    }

    /** Everything that was read, as one array: of a body that turned out whole before anybody was given it. */
    byte[] takeAll() {
        int total = 0;
        for (ByteBuf part : queue) {
            total += part.readableBytes();
        }
        byte[] all = new byte[total];
        int next = 0;
        for (ByteBuf part = queue.poll(); part != null; part = queue.poll()) {
            int count = part.readableBytes();
            part.readBytes(all, next, count);
            part.release();
            next += count;
        }
        return all;
    }

    /** Gives back what was read of a body that nobody was given. */
    void discard() {
        source = null;
        over = true;
        drop();
    }

    // The reader's end.

    @Override
    public Flow.Publisher<ByteBuf> buffers() {
        return this::subscribe;
    }

    @Override
    public Flow.Publisher<ByteBuffer> parts() {
        return reader -> subscribe(new HeapParts(reader));
    }

    private void subscribe(Flow.Subscriber<? super ByteBuf> reader) {
        Objects.requireNonNull(reader, "subscriber");
        if (taken.compareAndSet(false, true)) {
            subscriber = reader;
            lookOnLoop();
        } else {
            Refusal.tell(reader, "the body of a response has one reader");
        }
    }

    @Override
    public void request(long count) {
        if (count <= 0) {
            askedNonsense = true;
        } else {
            addDemand(count);
        }
        lookOnLoop();
    }

    /** Saturates: that much is without end (§3.17). */
    private void addDemand(long count) {
        long had;
        do {
            had = demand.get();
        } while (had != Long.MAX_VALUE && !demand.compareAndSet(had, had + count < 0 ? Long.MAX_VALUE : had + count));
        if (had == 0) {
            askedAnew = true;
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        lookOnLoop();
    }

    @Override
    public void release() {
        if (!released) {
            released = true;
            lookOnLoop();
        }
    }

    @Override
    public boolean isStreamed() {
        return true;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public ByteBuffer content() {
        throw new IllegalStateException("a streamed body is not in memory: read its parts");
    }

    @Override
    public Headers trailers() {
        return trailers;
    }

    @Override
    public boolean isConsumed() {
        return taken.get();
    }

    // The look.

    private void lookOnLoop() {
        if (loop.inEventLoop()) {
            look();
            return;
        }
        try {
            loop.execute(this);
        } catch (RejectedExecutionException ended) {
            look();
        }
    }

    @Override
    public void run() {
        look();
    }

    /** Tells the reader what there is to tell. */
    void look() {
        if (looks.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            lookOnce();
            seen = looks.addAndGet(-seen);
        } while (seen != 0);
    }

    private void lookOnce() {
        Flow.Subscriber<? super ByteBuf> reader = subscriber;
        if (reader != null && !greeted) {
            greeted = true;
            greet(reader);
        }
        if (askedAnew) {
            askedAnew = false;
            moved();
        }
        boolean handed = false;
        while (!over && reader != null && wantsParts() && !queue.isEmpty() && takeDemand()) {
            ByteBuf part = queue.remove();
            weight -= part.readableBytes() + PART_OVERHEAD_BYTES;
            if (!handed) {
                handed = true;
                moved();
            }
            handOver(part, reader);
        }
        if (over) {
            drop();
        } else if (!wantsParts()) {
            leave(reader);
        } else if (ended && queue.isEmpty() && reader != null) {
            over = true;
            subscriber = null;
            tellEnd(reader, failure);
        } else if (full && weight < LOW_BYTES) {
            full = false;
            Source from = source;
            if (from != null) {
                from.bodyWantsMore();
            }
        }
    }

    private boolean wantsParts() {
        return !cancelled && !released && !askedNonsense;
    }

    private boolean takeDemand() {
        long had = demand.get();
        while (had > 0 && had != Long.MAX_VALUE && !demand.compareAndSet(had, had - 1)) {
            had = demand.get();
        }
        return had > 0;
    }

    /** The reader wants no more: by cancelling, by releasing, by breaking a rule. */
    private void leave(Flow.@Nullable Subscriber<? super ByteBuf> reader) {
        Source from = ended ? null : source;
        drop();
        ended = true;
        failure = new BodyException(Kind.RELEASED, "the body was released");
        if (reader != null || cancelled) {
            over = true;
            subscriber = null;
        } else {
            // Whoever subscribes now is told so.
            released = false;
        }
        if (from != null) {
            from.bodyDropped();
        }
        if (reader != null && !cancelled) {
            tellEnd(
                    reader,
                    askedNonsense ? new IllegalArgumentException("demand below 1 (Reactive Streams §3.9)") : failure);
        }
    }

    // Signals. What a reader throws counts as having cancelled (§2.13), and is reported where it came up.

    private void greet(Flow.Subscriber<? super ByteBuf> reader) {
        try {
            reader.onSubscribe(this);
        } catch (Throwable thrown) {
            threw(thrown);
        }
    }

    private void handOver(ByteBuf part, Flow.Subscriber<? super ByteBuf> reader) {
        try {
            reader.onNext(part);
        } catch (Throwable thrown) {
            threw(thrown);
        }
    }

    private void tellEnd(Flow.Subscriber<? super ByteBuf> reader, @Nullable Throwable why) {
        try {
            if (why == null) {
                reader.onComplete();
            } else {
                reader.onError(why);
            }
        } catch (Throwable thrown) {
            threw(thrown);
        }
    }

    private void threw(Throwable thrown) {
        cancelled = true;
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }

    private void moved() {
        Source from = source;
        if (from != null) {
            from.bodyMoved();
        }
    }

    /** Gives back what was read ahead. */
    void drop() {
        for (ByteBuf part = queue.poll(); part != null; part = queue.poll()) {
            droppedBytes += part.readableBytes();
            part.release();
        }
        weight = 0;
    }

    @Override
    public String toString() {
        return (length == UNKNOWN_LENGTH ? "parts of unknown length" : length + " bytes in parts");
    }
}
