package dev.escapement.call;

import dev.escapement.guard.CircuitBreaker;
import dev.escapement.guard.EndpointState;
import dev.escapement.http.Headers;
import dev.escapement.http.Response;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.Progress;
import dev.escapement.transport.TransportFailure;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One attempt in flight: what the transport says of it, and what the machine owns of it. Made for one attempt, never
 * reused. 56 bytes.
 *
 * <p>Two words settle every race. {@link #result} goes once from null to a response, a failure, a bug, or
 * {@link #ABANDONED}: payload and winner are one reference. {@link #gate} is where the first byte meets abandonment (E1).
 * Everything else is either a fact told by the transport (opaque: a stale fact only makes the machine more cautious) or the
 * machine's own.
 */
class Lane implements Exchange {

    /** The result of a lane that the machine gave up on. */
    private static final Object ABANDONED = new Object();

    // States of the gate. OPEN and WRITING are left by abandonment for good.
    private static final byte OPEN = 0;
    private static final byte WRITING = 1;
    private static final byte SHUT_UNWRITTEN = 2;
    private static final byte SHUT_WRITING = 3;

    // Facts, told by the transport.
    private static final int CONNECTED = 1;
    private static final int REPLACED = 1 << 1;
    private static final int SENT = 1 << 2;
    private static final int REPLY_STARTED = 1 << 3;
    private static final int WRITTEN_UNKNOWN = 1 << 4;

    private static final VarHandle RESULT;
    private static final VarHandle GATE;
    private static final VarHandle FACTS;
    private static final VarHandle WRITTEN;

    static {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            RESULT = lookup.findVarHandle(Lane.class, "result", Object.class);
            GATE = lookup.findVarHandle(Lane.class, "gate", byte.class);
            FACTS = lookup.findVarHandle(Lane.class, "facts", byte.class);
            WRITTEN = lookup.findVarHandle(Lane.class, "writtenBytes", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CallMachine call;
    private final long deadlineNanos;

    // Settled by whoever comes first.
    private volatile @Nullable Object result;
    private volatile byte gate;

    // Written by the transport, one thread at a time.
    @SuppressWarnings("unused") // by FACTS
    private byte facts;

    @SuppressWarnings("unused") // by WRITTEN
    private long writtenBytes;

    private volatile boolean cleaned;

    // Owned by the machine.
    @Nullable
    Attempt attempt;
    /** An ATTEMPT permit (L1), returned when this is clean. */
    boolean holdsPermit;
    /** Where it goes, where the client keeps account of endpoints. */
    @Nullable
    EndpointState target;
    /** By which {@link #target}'s breaker admitted it; {@link CircuitBreaker#REFUSED} once the breaker was told how it ended. */
    int stamp;
    /** The lane before this one that may not be clean yet. */
    @Nullable
    Lane older;

    Lane(CallMachine call, long deadlineNanos, @Nullable Lane older) {
        this.call = call;
        this.deadlineNanos = deadlineNanos;
        this.older = older;
    }

    // What the transport calls.

    @Override
    public Endpoint endpoint() {
        EndpointState placed = target;
        return placed == null ? Endpoint.of(call.request().uri()) : placed.endpoint();
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public Scheduler scheduler() {
        return call.home();
    }

    @Override
    public boolean abandoned() {
        return result == ABANDONED;
    }

    @Override
    public boolean tryWrite() {
        if (result != null) {
            // Over: a failure may have said that nothing was written, and that must stay true.
            return false;
        }
        // Volatile: the one decision between the first byte and abandonment.
        byte before = (byte) GATE.compareAndExchange(this, OPEN, WRITING);
        return before == OPEN || before == WRITING;
    }

    @Override
    public void connected(boolean reused) {
        byte before = (byte) FACTS.getOpaque(this);
        if ((before & CONNECTED) != 0) {
            tell(REPLACED);
            // R10: the first connection accepted nothing, so the question of the first byte is open again.
            GATE.compareAndSet(this, WRITING, OPEN);
        } else {
            tell(CONNECTED);
        }
    }

    @Override
    public void written(long totalBytes) {
        WRITTEN.setOpaque(this, totalBytes);
    }

    @Override
    public void writtenUnknown() {
        tell(WRITTEN_UNKNOWN);
    }

    @Override
    public void requestSent() {
        tell(SENT);
    }

    @Override
    public void replyStarted() {
        tell(REPLY_STARTED);
    }

    @Override
    public boolean takesParts() {
        return false;
    }

    @Override
    public boolean takesInterim() {
        return false;
    }

    @Override
    public void interim(int status, Headers headers) {}

    @Override
    public void bodyMoved() {}

    private void tell(int fact) {
        FACTS.setOpaque(this, (byte) ((byte) FACTS.getOpaque(this) | fact));
    }

    @Override
    public boolean succeed(Response response) {
        return complete(response == null ? new NullPointerException("a transport succeeded with null") : response);
    }

    @Override
    public boolean fail(TransportFailure failure) {
        return complete(failure == null ? new NullPointerException("a transport failed with null") : failure);
    }

    private boolean complete(Object outcome) {
        // Volatile: publishes the facts told before; with clean it decides who sees whom.
        if (!RESULT.compareAndSet(this, null, outcome)) {
            call.countLateResult();
            return false;
        }
        call.raise(Signals.COMPLETED);
        return true;
    }

    @Override
    public void clean(ConnectionFate fate, long discardedBytes) {
        // Volatile store, then volatile load: either we see the settled result here, or the machine sees us clean.
        cleaned = true;
        if (result != null) {
            call.raise(Signals.CLEANED);
        }
    }

    // What the machine asks.

    /** A response, a failure, or a bug as a Throwable; null while there is none. */
    @Nullable
    Object result() {
        return result;
    }

    /**
     * Settles the lane as abandoned and shuts the gate.
     *
     * @return null if it was running; otherwise what had been reported before and is the machine's to dispose of
     */
    @Nullable
    Object abandon() {
        Object before = RESULT.compareAndExchange(this, null, ABANDONED);
        if (before == null) {
            // Ends after a few rounds at most: only tryWrite and a replaced connection move the gate, once each.
            byte seen;
            do {
                seen = gate;
            } while (!GATE.compareAndSet(this, seen, seen == OPEN ? SHUT_UNWRITTEN : SHUT_WRITING));
        } else {
            // Settled already, so nobody else writes: what came too late is nobody's result.
            result = ABANDONED;
        }
        return before;
    }

    /** Whether the transport owns nothing of this attempt any more. */
    boolean isClean() {
        return cleaned;
    }

    /** The transport threw from {@code send}: it owns nothing. */
    void markClean() {
        cleaned = true;
    }

    /** How far the request got, as a settled lane knows it (E1). */
    Progress progress() {
        byte told = (byte) FACTS.getOpaque(this);
        if ((told & SENT) != 0) {
            return Progress.COMPLETE;
        }
        if ((told & WRITTEN_UNKNOWN) != 0) {
            return Progress.UNKNOWN;
        }
        if (writtenBytes() > 0) {
            return Progress.PREFIX_WRITTEN;
        }
        // Nothing told: proven only if the gate was shut before the first byte, or the transport itself had the last
        // word.
        return gate == SHUT_WRITING ? Progress.UNKNOWN : Progress.NOT_STARTED;
    }

    /** How many bytes of the request the socket took, as far as was told. */
    long writtenBytes() {
        return (long) WRITTEN.getOpaque(this);
    }

    boolean sawReply() {
        return ((byte) FACTS.getOpaque(this) & REPLY_STARTED) != 0;
    }

    boolean replacedConnection() {
        return ((byte) FACTS.getOpaque(this) & REPLACED) != 0;
    }
}
