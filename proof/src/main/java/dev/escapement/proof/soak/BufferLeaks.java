package dev.escapement.proof.soak;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Collects what Netty's leak detector finds; put in place before the first buffer is made. Any thread. */
final class BufferLeaks {

    private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

    private BufferLeaks() {}

    static void watch() {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation") // the one method that must be overridden
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type, int interval, long maxActive) {
                return new Recording<>(type, interval);
            }
        });
    }

    /** Every buffer is watched, at a price; or one in some. */
    static void watchEvery(boolean every) {
        ResourceLeakDetector.setLevel(every ? ResourceLeakDetector.Level.PARANOID : ResourceLeakDetector.Level.SIMPLE);
    }

    /** Fails if a buffer was collected that nobody had released; call it after a collection. */
    static void check() {
        // What was found is told when the next buffer is made.
        ByteBuf buffer = ByteBufAllocator.DEFAULT.directBuffer(16);
        buffer.release();
        if (!LEAKS.isEmpty()) {
            throw new AssertionError("E8 " + LEAKS.size() + " buffers leaked, the first: " + LEAKS.get(0));
        }
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
