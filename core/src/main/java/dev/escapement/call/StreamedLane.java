package dev.escapement.call;

import dev.escapement.http.Headers;
import dev.escapement.http.Response;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A lane whose response may come in parts (A8). It also knows when the body last moved.
 */
final class StreamedLane extends DetailedLane {

    private static final VarHandle MOVED;

    static {
        try {
            MOVED = MethodHandles.lookup().findVarHandle(StreamedLane.class, "movedNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CallMachine call;
    private final Streaming streaming;

    /**
     * When the body last moved. Written by the transport, one thread at a time, read by the machine. Opaque: a stale instant makes the machine
     * look again, once.
     */
    @SuppressWarnings("unused") // by MOVED
    private long movedNanos;

    /** Owned by the machine: the response was released unread, and what is still to come of its body is nobody's. */
    private boolean dropped;

    StreamedLane(
            CallMachine call,
            long deadlineNanos,
            @Nullable Lane older,
            boolean stamps,
            long dueNanos,
            long startedNanos,
            Streaming streaming) {
        super(call, deadlineNanos, older, stamps, dueNanos, startedNanos);
        this.call = call;
        this.streaming = streaming;
        this.movedNanos = startedNanos;
    }

    @Override
    public boolean takesParts() {
        return true;
    }

    @Override
    public boolean takesInterim() {
        return streaming.interim != null;
    }

    @Override
    public void interim(int status, Headers headers) {
        InterimListener listener = streaming.interim;
        if (listener != null && result() == null) {
            try {
                listener.interim(status, headers);
            } catch (Throwable thrown) {
                call.countFailedCallback();
            }
        }
    }

    @Override
    public void bodyMoved() {
        long readingNanos = reading();
        if (readingNanos != NOT_SEEN) {
            MOVED.setOpaque(this, readingNanos);
        }
    }

    @Override
    public boolean succeed(Response response) {
        bodyMoved();
        return super.succeed(response);
    }

    Streaming streaming() {
        return streaming;
    }

    /** The instant from which on the body has stood still for too long. */
    long idleNanos() {
        return CallMachine.plusOrNever((long) MOVED.getOpaque(this), streaming.idleNanos);
    }

    /** Nobody will read the body. */
    void drop() {
        dropped = true;
    }

    /** The response, where its body is still the transport's to bring to somebody; else null. */
    @Nullable
    Response unfinished() {
        return !dropped
                        && !isClean()
                        && result() instanceof Response response
                        && response.body().isStreamed()
                ? response
                : null;
    }
}
