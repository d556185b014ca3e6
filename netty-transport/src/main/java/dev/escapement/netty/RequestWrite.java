package dev.escapement.netty;

import dev.escapement.http.Body;
import dev.escapement.http.Request;
import dev.escapement.transport.Exchange;
import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultChannelProgressivePromise;
import io.netty.util.concurrent.Future;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way out over one connection: hands its buffers to the socket and counts what the socket accepts (E1).
 *
 * <p><b>Counting.</b> Only a progressive promise hears of partial writes, and only the one that reaches the socket: over plain TCP it
 * is this class's own, and the count is exact. Under TLS {@link CiphertextCounter} tells of records instead; they are
 * longer than what they carry, so that count is an upper bound, held below what was handed over until TLS says that all of it is
 * out. In both cases 0 is proof that nothing has left.
 *
 * <p><b>Order.</b> The head goes first, with as much of a body in memory as fits. One buffer follows when the one before was accepted: of the
 * body in memory, or of the parts of a streamed one, whose publisher is not subscribed to before the socket accepted the
 * head (R8, R10). A body that waits for leave ({@code Expect: 100-continue}) is not touched before {@link #leave}.
 *
 * <p>What the socket tells inside a write is only noted there, and judged after it: nothing recurses, however large the
 * body. Facts go to the exchange; the end goes to the turn. Confined to the event loop.
 */
final class RequestWrite {

    private final Turn turn;
    private final Exchange exchange;
    private final Connection to;
    private final LoopPools pools;
    private final boolean exact;

    /** What is left of a body in memory to hand over. */
    private ByteBuffer rest;

    /** The body that comes in parts, or null. */
    private final @Nullable Upload upload;

    /** Whether the body waits for the server's leave, and until when at most. */
    private boolean held;

    private @Nullable Future<?> leaveTimer;
    private @Nullable Handed current;
    private @Nullable Throwable failure;
    private long handedBytes;
    private long acceptedBytes;
    private boolean sent;
    private boolean pumping;

    /** Nothing more is handed over. */
    private boolean closed;

    /** The exchange is told nothing more. */
    private boolean untold;

    private boolean stopped;

    /**
     * For one request.
     *
     * @param body what was taken of a body in memory; empty for one that comes in parts, or waits for leave
     */
    RequestWrite(Turn turn, Exchange exchange, Connection to, LoopPools pools, Request request, ByteBuffer body) {
        Body content = request.body();
        this.turn = turn;
        this.exchange = exchange;
        this.to = to;
        this.pools = pools;
        this.exact = to.countsExactly();
        this.rest = body;
        this.held = request.expectsContinue();
        this.upload = content.isStreamed() && content.length() != 0
                ? new Upload(
                        content,
                        pools.loop(),
                        new OutgoingFraming(pools.encoder().allocator(), content.length()),
                        this::bodyMoved)
                : null;
    }

    /** Starts. The buffer with the head, and all that follow, are the socket's from here on. */
    void start(ByteBuf first) {
        pumping = true;
        hand(first);
        pumping = false;
        goOn();
        if (!exact && acceptedBytes == 0 && !stopped) {
            // What this kind of socket has in hand may leave although it then reports a failure.
            exchange.writtenUnknown();
        }
    }

    /** Whether it is proven that no byte has left. */
    boolean isUntouched() {
        return exact && acceptedBytes == 0;
    }

    /** Whether the socket has accepted all of it. */
    boolean isSent() {
        return sent;
    }

    /** Whether the body still waits for the server's leave. */
    boolean isHeld() {
        return held;
    }

    /** The server gives leave to send the body, or has been silent about it for long enough. */
    void leave() {
        if (held && !closed) {
            held = false;
            cancelLeaveTimer();
            turn.guarded(() -> {
                if (upload == null) {
                    rest = turn.body();
                }
                goOn();
            });
        }
    }

    /** Hands nothing more over; what is handed over already goes on, and is counted. */
    void handNothingMore() {
        closed = true;
        cancelLeaveTimer();
        if (upload != null) {
            upload.stop();
        }
    }

    /** The attempt has its result, so that progress is of no interest any more. */
    void tellNothingMore() {
        untold = true;
    }

    /** Nobody listens any more. */
    void stop() {
        stopped = true;
        handNothingMore();
    }

    /** Why a write failed. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    @Override
    public String toString() {
        long known = handedBytes + rest.remaining();
        return acceptedBytes + (upload == null ? " of " + known : "") + " bytes written";
    }

    /** Looks at what was noted: hands the next buffer over, or tells of the end. */
    private void goOn() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (!closed && failure == null && isAccepted()) {
                ByteBuf next = next();
                if (next == null) {
                    break;
                }
                hand(next);
            }
        } finally {
            pumping = false;
        }
        judge();
    }

    private void bodyMoved() {
        turn.guarded(this::goOn);
    }

    private boolean isAccepted() {
        return current != null && current.isSuccess();
    }

    private @Nullable ByteBuf next() {
        if (held) {
            waitForLeave();
            return null;
        }
        if (rest.hasRemaining()) {
            return pools.encoder().next(rest);
        }
        Upload body = upload;
        if (body == null || sent) {
            return null;
        }
        if (!body.isStarted()) {
            body.start();
        }
        return body.next();
    }

    private void waitForLeave() {
        if (leaveTimer == null) {
            leaveTimer = pools.schedule(this::leave, pools.settings().continueWaitNanos());
        }
    }

    private void cancelLeaveTimer() {
        Future<?> timer = leaveTimer;
        if (timer != null) {
            timer.cancel(false);
            leaveTimer = null;
        }
    }

    private void hand(ByteBuf buffer) {
        Handed promise = new Handed(handedBytes);
        handedBytes += buffer.readableBytes();
        current = promise;
        to.write(buffer, promise);
    }

    private void judge() {
        if (stopped) {
            return;
        }
        Throwable ofBody = upload == null || closed ? null : upload.failure();
        if (failure != null) {
            turn.writeFailed();
        } else if (ofBody != null) {
            turn.bodyFailed(ofBody);
        } else if (!sent && !held && isAccepted() && isAllHanded()) {
            sent = true;
            if (!untold) {
                exchange.requestSent();
            }
        }
    }

    private boolean isAllHanded() {
        return upload == null ? !rest.hasRemaining() : upload.isWhole();
    }

    /** So many bytes of ciphertext were accepted since this write began. */
    void ciphertextAccepted(long bytes) {
        accepted(Math.min(bytes, handedBytes - 1));
    }

    private void accepted(long bytes) {
        if (bytes > acceptedBytes && !stopped) {
            acceptedBytes = bytes;
            if (!untold) {
                exchange.written(bytes);
            }
        }
    }

    private void accepted(Handed buffer) {
        if (!stopped && buffer == current) {
            accepted(handedBytes);
            if (!pumping) {
                turn.guarded(this::goOn);
            }
        }
    }

    private void failed(Throwable cause) {
        if (failure == null) {
            failure = cause;
            if (!pumping) {
                judge();
            }
        }
    }

    /** The promise of one buffer. It tells by overriding, so that no listener is allocated. */
    private final class Handed extends DefaultChannelProgressivePromise {

        /** How many bytes of the request come before this buffer. */
        private final long before;

        Handed(long before) {
            super(to.channel());
            this.before = before;
        }

        @Override
        public boolean tryProgress(long progress, long total) {
            if (!to.isTls()) {
                RequestWrite.this.accepted(before + progress);
            }
            return true;
        }

        @Override
        public boolean trySuccess(Void result) {
            boolean first = super.trySuccess(null);
            if (first) {
                RequestWrite.this.accepted(this);
            }
            return first;
        }

        @Override
        public boolean tryFailure(Throwable cause) {
            boolean first = super.tryFailure(cause);
            if (first) {
                failed(cause);
            }
            return first;
        }
    }
}
