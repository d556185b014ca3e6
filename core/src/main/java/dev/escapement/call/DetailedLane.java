package dev.escapement.call;

import dev.escapement.report.AttemptDetail;
import dev.escapement.report.LaneKind;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A lane that also stamps when the transport told of each step (E5), for reports in full detail.
 *
 * <p>Stamps are volatile: written by the transport's thread, one at a time, read by the machine. Nothing is decided by them (A2).
 */
class DetailedLane extends Lane {

    static final long NOT_SEEN = -1L;

    /** Whether anybody will ask for the stamps. */
    private final boolean stamps;

    private final long dueNanos;
    private final long startedNanos;

    private volatile long connectedNanos = NOT_SEEN;
    private volatile long sendingNanos = NOT_SEEN;
    private volatile long sentNanos = NOT_SEEN;
    private volatile long repliedNanos = NOT_SEEN;
    private volatile boolean reused;

    DetailedLane(
            CallMachine call,
            long deadlineNanos,
            @Nullable Lane older,
            boolean stamps,
            long dueNanos,
            long startedNanos) {
        super(call, deadlineNanos, older);
        this.stamps = stamps;
        this.dueNanos = dueNanos;
        this.startedNanos = startedNanos;
    }

    /** The instant is one from before the asking, and kept only where the byte may leave: one that is refused never could. */
    @Override
    public boolean tryWrite() {
        if (sendingNanos != NOT_SEEN) {
            return super.tryWrite();
        }
        long askedNanos = stamp();
        boolean mayWrite = super.tryWrite();
        if (mayWrite) {
            sendingNanos = askedNanos;
        }
        return mayWrite;
    }

    @Override
    public void connected(boolean reusedConnection) {
        connectedNanos = stamp();
        sendingNanos = NOT_SEEN;
        reused = reusedConnection;
        super.connected(reusedConnection);
    }

    @Override
    public void requestSent() {
        sentNanos = stamp();
        super.requestSent();
    }

    @Override
    public void replyStarted() {
        if (repliedNanos == NOT_SEEN) {
            repliedNanos = stamp();
        }
        super.replyStarted();
    }

    private long stamp() {
        return stamps ? reading() : NOT_SEEN;
    }

    /** Never throws into the transport: a clock that does is met again by the machine. */
    final long reading() {
        try {
            return scheduler().nanos();
        } catch (Throwable thrown) {
            return NOT_SEEN;
        }
    }

    /** What is known at the instant it was decided upon. */
    AttemptDetail detail(LaneKind kind, long endedNanos, long callDeadlineNanos) {
        return new AttemptDetail(
                kind,
                endpoint(),
                dueNanos,
                startedNanos,
                seen(connectedNanos),
                seen(sendingNanos),
                seen(sentNanos),
                seen(repliedNanos),
                endedNanos,
                callDeadlineNanos,
                reused,
                writtenBytes());
    }

    private static OptionalLong seen(long stampNanos) {
        return stampNanos == NOT_SEEN ? OptionalLong.empty() : OptionalLong.of(stampNanos);
    }
}
