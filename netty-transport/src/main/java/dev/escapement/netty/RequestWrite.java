package dev.escapement.netty;

import dev.escapement.transport.Exchange;
import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultChannelProgressivePromise;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way out over one connection: hands its buffers to the socket and counts what the socket accepts (E1).
 *
 * <p><b>Counting.</b> Only a progressive promise hears of partial writes, and only the one that reaches the socket: over plain TCP it
 * is this class's own, and the count is exact. Under TLS {@link CiphertextCounter} tells of records instead; they are
 * longer than what they carry, so that count is an upper bound, held below the whole until TLS says that all of it is
 * out. In both cases 0 is proof that nothing has left.
 *
 * <p>What the socket tells inside a write is only noted there, and judged after it: nothing recurses, however large the
 * body. Facts go to the exchange; the end goes to the lane. Confined to the event loop.
 */
final class RequestWrite {

    private final Lane lane;
    private final Exchange exchange;
    private final Connection to;
    private final RequestEncoder encoder;
    private final boolean exact;
    private final long totalBytes;

    /** What is left of the body to hand over. */
    private final ByteBuffer rest;

    private @Nullable Handed current;
    private @Nullable Throwable failure;
    private long handedBytes;
    private long acceptedBytes;
    private boolean sent;
    private boolean pumping;
    private boolean stopped;

    RequestWrite(
            Lane lane, Exchange exchange, Connection to, RequestEncoder encoder, long totalBytes, ByteBuffer rest) {
        this.lane = lane;
        this.exchange = exchange;
        this.to = to;
        this.encoder = encoder;
        this.exact = to.countsExactly();
        this.totalBytes = totalBytes;
        this.rest = rest;
    }

    /** Starts. The buffer with the head, and all that follow, are the socket's from here on. */
    void start(ByteBuf first) {
        pump(first);
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

    /** Hands nothing more over; what is handed over already goes on, and is counted. */
    void handNothingMore() {
        rest.position(rest.limit());
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
        return acceptedBytes + " of " + totalBytes + " bytes written";
    }

    private void pump(ByteBuf first) {
        pumping = true;
        for (ByteBuf next = first; next != null; ) {
            Handed promise = new Handed(handedBytes);
            handedBytes += next.readableBytes();
            current = promise;
            to.write(next, promise);
            next = promise.isSuccess() && rest.hasRemaining() ? encoder.next(rest) : null;
        }
        pumping = false;
        judge();
    }

    private void judge() {
        if (stopped || pumping) {
            return;
        }
        if (failure != null) {
            lane.writeFailed();
        } else if (handedBytes == totalBytes && !sent && current != null && current.isSuccess()) {
            sent = true;
            exchange.requestSent();
            lane.requestSent();
        }
    }

    /** So many bytes of ciphertext were accepted since this write began. */
    void ciphertextAccepted(long bytes) {
        accepted(Math.min(bytes, totalBytes - 1));
    }

    private void accepted(long bytes) {
        if (bytes > acceptedBytes && !stopped) {
            acceptedBytes = bytes;
            exchange.written(bytes);
        }
    }

    private void accepted(Handed buffer) {
        if (stopped || buffer != current) {
            return;
        }
        accepted(handedBytes);
        if (pumping) {
            return;
        }
        if (rest.hasRemaining()) {
            lane.pumping(() -> pump(encoder.next(rest)));
        } else {
            judge();
        }
    }

    private void failed(Throwable cause) {
        if (failure == null) {
            failure = cause;
            judge();
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
