package dev.escapement.gateway.inbound;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakTracker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Keeps what Netty finds to be lost, instead of writing it to a log. Netty makes one for each kind of thing that it watches, by the name
 * that the build gives it: before any test runs, so that no buffer escapes.
 */
public final class LeakRecorder<T> extends ResourceLeakDetector<T> {

    static final List<String> LEAKS = new CopyOnWriteArrayList<>();
    static final List<LeakRecorder<?>> ALL = new CopyOnWriteArrayList<>();

    /** Called by Netty. */
    public LeakRecorder(Class<?> type, int interval) {
        super(type, interval);
        ALL.add(this);
    }

    /** Looked for by Netty too, and missed with a word in the log. */
    public LeakRecorder(Class<?> type, int interval, long unused) {
        this(type, interval);
    }

    /** A detector reports what it lost when it is given the next thing to watch: here, something that is nothing. */
    @SuppressWarnings("unchecked") // It is only remembered, and forgotten.
    void look() {
        T nothing = (T) new Object();
        ResourceLeakTracker<T> tracked = track(nothing);
        if (tracked != null) {
            tracked.close(nothing);
        }
    }

    @Override
    protected void reportTracedLeak(String type, String records) {
        LEAKS.add(type + records);
    }

    @Override
    protected void reportUntracedLeak(String type) {
        LEAKS.add(type);
    }

    @Override
    protected boolean needReport() {
        return true;
    }
}
