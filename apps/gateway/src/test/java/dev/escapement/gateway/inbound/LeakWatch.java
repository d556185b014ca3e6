package dev.escapement.gateway.inbound;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class in whose run Netty's leak detectors reported something that was collected without having been released.
 *
 * <p>Takes the place of the detectors' factory before the first buffer is made; the level is the build's (paranoid: every
 * buffer is watched).
 */
public final class LeakWatch implements BeforeAllCallback, AfterAllCallback {

    private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

    /** One for each kind of thing that is watched: buffers, and OpenSSL's contexts and engines. */
    private static final List<Recording<?>> DETECTORS = new CopyOnWriteArrayList<>();

    static {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation") // the one method that must be overridden
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type, int interval, long maxActive) {
                Recording<T> detector = new Recording<>(type, interval);
                DETECTORS.add(detector);
                return detector;
            }
        });
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        LEAKS.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        assertNone();
    }

    /** Collects, makes the detector look, and fails if it found anything. */
    public static void assertNone() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            DETECTORS.forEach(Recording::look);
        }
        if (!LEAKS.isEmpty()) {
            throw new AssertionError(LEAKS.size() + " leaked, first: " + LEAKS.get(0));
        }
    }

    /** What was reported so far. */
    public static List<String> leaks() {
        return LEAKS;
    }

    private static final class Recording<T> extends ResourceLeakDetector<T> {

        Recording(Class<?> type, int interval) {
            super(type, interval);
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
}
