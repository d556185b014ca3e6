package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.http.Body;
import dev.escapement.http.BodyException;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.BooleanSupplier;

/** Reads a body in parts, and keeps what it hears. One monitor guards the notes; a test acts inside a signal by overriding. */
class BodyReader implements Flow.Subscriber<Object> {

    private static final long PATIENCE_NANOS = 20_000_000_000L;

    // Guarded by this.
    private final List<String> parts = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private Flow.Subscription subscription;
    private Throwable failure;
    private boolean complete;
    private Thread thread;

    private final long firstDemand;

    BodyReader(long firstDemand) {
        this.firstDemand = firstDemand;
    }

    /** A reader of that body as bytes on the heap, who asks for so many parts at first. */
    static BodyReader of(Body body, long firstDemand) {
        BodyReader reader = new BodyReader(firstDemand);
        body.parts().subscribe(reader);
        return reader;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        synchronized (this) {
            subscription = given;
            notifyAll();
        }
        if (firstDemand > 0) {
            given.request(firstDemand);
        }
    }

    @Override
    public void onNext(Object part) {
        take(part);
    }

    private synchronized void take(Object part) {
        String content;
        if (part instanceof ByteBuf buffer) {
            content = buffer.toString(ISO_8859_1);
            buffer.release();
        } else {
            content = ISO_8859_1.decode((ByteBuffer) part).toString();
        }
        if (content.isEmpty() || complete || failure != null) {
            throw new AssertionError("a part that must not be: '" + content + "' for " + this);
        }
        parts.add(content);
        text.append(content);
        thread = Thread.currentThread();
        notifyAll();
    }

    @Override
    public void onError(Throwable why) {
        failed(why);
    }

    private synchronized void failed(Throwable why) {
        end();
        failure = why;
    }

    @Override
    public void onComplete() {
        completed();
    }

    private synchronized void completed() {
        end();
        complete = true;
    }

    private void end() {
        if (complete || failure != null) {
            throw new AssertionError("a second end of " + this);
        }
        notifyAll();
    }

    synchronized Flow.Subscription subscription() throws InterruptedException {
        await(() -> subscription != null);
        return subscription;
    }

    /** All parts so far, together. */
    synchronized String text() {
        return text.toString();
    }

    synchronized int count() {
        return parts.size();
    }

    synchronized String awaitText(int length) throws InterruptedException {
        await(() -> text.length() >= length);
        return text.toString();
    }

    /** The whole body; fails if it does not become whole. */
    synchronized String whole() throws InterruptedException {
        await(() -> complete || failure != null);
        if (failure != null) {
            throw new AssertionError("not whole: " + this, failure);
        }
        return text.toString();
    }

    synchronized Throwable failure() throws InterruptedException {
        await(() -> complete || failure != null);
        if (failure == null) {
            throw new AssertionError("whole: " + this);
        }
        return failure;
    }

    BodyException.Kind failureKind() throws InterruptedException {
        return ((BodyException) failure()).kind();
    }

    synchronized boolean hasEnded() {
        return complete || failure != null;
    }

    /** The thread of the last part. */
    synchronized Thread thread() {
        return thread;
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            long leftMillis = (endNanos - System.nanoTime()) / 1_000_000;
            if (leftMillis <= 0) {
                throw new AssertionError("never so: " + this);
            }
            wait(leftMillis);
        }
    }

    @Override
    public synchronized String toString() {
        return parts.size() + " parts, " + text.length() + " bytes, "
                + (complete ? "complete" : failure == null ? "open" : failure.toString());
    }
}
