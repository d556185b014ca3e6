package dev.escapement.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class in whose run Netty's leak detector reported a buffer that was collected without having been released.
 *
 * <p>Takes the place of the detectors' factory before the first buffer is made; the level is the build's (paranoid: every
 * buffer is watched).
 */
public final class LeakWatch implements BeforeAllCallback, AfterAllCallback {

    private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

    static {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation") // the one method that must be overridden
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type, int interval, long maxActive) {
                return new Recording<>(type, interval);
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
            // Leaks are reported when the next buffer is made.
            ByteBuf buffer = ByteBufAllocator.DEFAULT.directBuffer(16);
            buffer.release();
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
