package dev.escapement.netty;

import dev.escapement.http.Body;
import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads a streamed request body for one {@link RequestWrite}: asks its publisher for a few parts at a time, and for the next when the
 * socket has accepted one. So what is in memory is bounded by the parts, whatever the length, and a slow socket slows the
 * publisher.
 *
 * <p>Nobody subscribes before {@link #start}: until then the body can still be sent by another connection (R8, R10). What the
 * publisher throws, says, or does against the rules of Reactive Streams ends the request, typed, and nothing else.
 *
 * <p><b>Threads.</b> Signals may come from any: they leave their part in a queue and see to it that the loop looks. Everything else is
 * the event loop's. Parts that come after {@link #stop} are released by whoever brings them.
 */
final class Upload implements Flow.Subscriber<Object>, Runnable {

    /** So many parts are asked for and not accepted by the socket at most, the one being written apart. */
    static final int PARTS_AHEAD = 4;

    private final Runnable look;
    private final Body body;
    private final EventExecutor loop;
    private final OutgoingFraming framing;

    // Left by the publisher's signals, on any thread.
    private final ConcurrentLinkedQueue<Object> parts = new ConcurrentLinkedQueue<>();
    private final AtomicInteger outstanding = new AtomicInteger();
    private final AtomicBoolean lookComes = new AtomicBoolean();

    /** Set after the last part was left; read before the queue is looked at. */
    private volatile boolean completed;

    private volatile @Nullable Throwable failure;

    /** Whether the publisher has said its last word: then its subscription is not touched any more (§2.3). */
    private volatile boolean over;

    /** Set by the loop; read by signals that come later. */
    private volatile boolean stopped;

    /** Set by the publisher's first signal. */
    private volatile Flow.@Nullable Subscription subscription;

    // The loop's.
    private boolean started;
    private boolean asked;
    private @Nullable ByteBuffer rest;

    /**
     * For that body.
     *
     * @param look run on the loop whenever there may be something new: a part, the end, a failure
     */
    Upload(Body body, EventExecutor loop, OutgoingFraming framing, Runnable look) {
        this.look = look;
        this.body = body;
        this.loop = loop;
        this.framing = framing;
    }

    // The loop's end.

    boolean isStarted() {
        return started;
    }

    /** Subscribes, once. */
    void start() {
        started = true;
        try {
            if (body instanceof ByteBufBody buffers) {
                buffers.buffers().subscribe(this);
            } else {
                body.parts().subscribe(this);
            }
        } catch (Throwable thrown) {
            fail(thrown);
        }
    }

    /** Whether all that the head has promised was given out. */
    boolean isWhole() {
        return framing.isWhole();
    }

    /** Why there will be no whole body, or null. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** The next buffer for the socket, or null if there is none now. */
    @Nullable
    ByteBuf next() {
        if (stopped || failure != null) {
            return null;
        }
        askFirst();
        ByteBuffer left = rest;
        if (left != null && left.hasRemaining()) {
            return framing.frame(left);
        }
        // Read first: a part left before the end is seen then.
        boolean last = completed;
        for (Object part = parts.poll(); part != null; part = parts.poll()) {
            ask(1);
            ByteBuf framed = part instanceof ByteBuf buffer ? frame(buffer) : frame((ByteBuffer) part);
            if (framed != null || failure != null) {
                return framed;
            }
        }
        return last && !framing.isWhole() ? end() : null;
    }

    private @Nullable ByteBuf frame(ByteBuf part) {
        if (!part.isReadable() || !admits(part.readableBytes())) {
            part.release();
            return null;
        }
        return framing.frame(part);
    }

    private @Nullable ByteBuf frame(ByteBuffer part) {
        if (!part.hasRemaining() || !admits(part.remaining())) {
            return null;
        }
        rest = part;
        return framing.frame(part);
    }

    private boolean admits(int bytes) {
        boolean admits = framing.admits(bytes);
        if (!admits) {
            failure = new IOException("the request's body is longer than declared: " + framing.framedBytes()
                    + " bytes and then " + bytes);
        }
        return admits;
    }

    private @Nullable ByteBuf end() {
        if (!framing.isChunked()) {
            failure =
                    new IOException("the request's body is shorter than declared: " + framing.framedBytes() + " bytes");
            return null;
        }
        try {
            return framing.end(body.trailers());
        } catch (Throwable thrown) {
            failure = thrown;
            return null;
        }
    }

    private void askFirst() {
        if (!asked && subscription != null) {
            asked = true;
            ask(PARTS_AHEAD);
        }
    }

    private void ask(int count) {
        Flow.Subscription from = subscription;
        if (from != null && !stopped && !over) {
            outstanding.addAndGet(count);
            try {
                from.request(count);
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }
    }

    /** Takes no more. Harmless when repeated. */
    void stop() {
        if (!stopped) {
            stopped = true;
            if (!over) {
                cancel(subscription);
            }
            releaseParts();
        }
    }

    private static void cancel(Flow.@Nullable Subscription from) {
        if (from != null) {
            try {
                from.cancel();
            } catch (Throwable thrown) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
            }
        }
    }

    private void releaseParts() {
        for (Object part = parts.poll(); part != null; part = parts.poll()) {
            ReferenceCountUtil.release(part);
        }
    }

    // The publisher's end.

    @Override
    public void onSubscribe(Flow.Subscription given) {
        Objects.requireNonNull(given, "subscription");
        if (subscription != null || stopped) {
            cancel(given);
            return;
        }
        subscription = given;
        if (stopped) {
            cancel(given);
        }
        lookOnLoop();
    }

    @Override
    public void onNext(Object part) {
        Objects.requireNonNull(part, "part");
        if (outstanding.decrementAndGet() < 0) {
            ReferenceCountUtil.release(part);
            fail(new IllegalStateException("more parts than were asked for (Reactive Streams §1.1)"));
            return;
        }
        parts.add(part);
        if (stopped) {
            releaseParts();
        } else {
            lookOnLoop();
        }
    }

    @Override
    public void onError(Throwable thrown) {
        Objects.requireNonNull(thrown, "failure");
        over = true;
        fail(thrown);
    }

    @Override
    public void onComplete() {
        over = true;
        completed = true;
        lookOnLoop();
    }

    private void fail(Throwable thrown) {
        failure = thrown;
        lookOnLoop();
    }

    private void lookOnLoop() {
        if (loop.inEventLoop()) {
            look.run();
        } else if (lookComes.compareAndSet(false, true)) {
            try {
                loop.execute(this);
            } catch (RejectedExecutionException ended) {
                // The loop has ended, and the connection with it.
                stopped = true;
                releaseParts();
            }
        }
    }

    @Override
    public void run() {
        lookComes.set(false);
        look.run();
    }
}
