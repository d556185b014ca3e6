package dev.escapement.http;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps what was read of streamed bodies, so that another attempt can send them again (R8): up to a bound for each, and another for all of them together.
 *
 * <p>A body that outgrows either bound goes on to the attempt that is reading it, and is consumed from there on. Held is what was read of bodies that
 * may still be wanted: a call {@linkplain Body#release releases} its request's body when it is clean. Thread-safe; taking memory is one
 * atomic addition a part.
 */
public final class ReplayMemory {

    private final int bytesPerBody;
    private final long bytesInAll;

    /** What is kept now. Any thread. */
    private final AtomicLong kept = new AtomicLong();

    private ReplayMemory(int bytesPerBody, long bytesInAll) {
        this.bytesPerBody = bytesPerBody;
        this.bytesInAll = bytesInAll;
    }

    /**
     * A memory of its own.
     *
     * @param bytesPerBody 1 or more
     * @param bytesInAll at least {@code bytesPerBody}
     */
    public static ReplayMemory of(int bytesPerBody, long bytesInAll) {
        if (bytesPerBody < 1) {
            throw new IllegalArgumentException("bytesPerBody = " + bytesPerBody + ": expected 1 or more");
        }
        if (bytesInAll < bytesPerBody) {
            throw new IllegalArgumentException(
                    "bytesInAll = " + bytesInAll + ": expected at least bytesPerBody, " + bytesPerBody);
        }
        return new ReplayMemory(bytesPerBody, bytesInAll);
    }

    /**
     * A body of a publisher that can be subscribed to once, which can be sent again for as long as all that was read of it is kept. One
     * attempt reads it at a time: a later subscriber takes over from the one before, who is told an {@link IllegalStateException}.
     *
     * @param parts takes one subscriber; its parts are neither copied nor to be changed
     * @param length in bytes, or {@link Body#UNKNOWN_LENGTH}
     */
    public Body keep(Flow.Publisher<ByteBuffer> parts, long length) {
        return new KeptBody(this, parts, length);
    }

    /** How many bytes are kept now. */
    public long keptBytes() {
        return kept.get();
    }

    /** Whether a body that keeps so many bytes may keep more as well; then they count. */
    boolean take(long have, int more) {
        if (have + more > bytesPerBody) {
            return false;
        }
        // Volatile, the only mode there is: a bound on the sum, nothing is published by it.
        if (kept.addAndGet(more) > bytesInAll) {
            kept.addAndGet(-more);
            return false;
        }
        return true;
    }

    void giveBack(long bytes) {
        kept.addAndGet(-bytes);
    }
}
