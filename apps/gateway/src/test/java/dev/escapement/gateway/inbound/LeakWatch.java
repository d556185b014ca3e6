package dev.escapement.gateway.inbound;

import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class in whose run a buffer was collected that nobody had released. */
public final class LeakWatch implements BeforeAllCallback, AfterAllCallback {

    @Override
    public void beforeAll(ExtensionContext context) {
        ByteBufAllocator.DEFAULT.buffer().release();
        if (LeakRecorder.ALL.isEmpty()) {
            throw new AssertionError("buffers are not watched: the build's argLine names who does");
        }
        LeakRecorder.LEAKS.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        for (int i = 0; i < 3; i++) {
            System.gc();
            LeakRecorder.ALL.forEach(LeakRecorder::look);
        }
        if (!LeakRecorder.LEAKS.isEmpty()) {
            throw new AssertionError(LeakRecorder.LEAKS.size() + " leaked, first: " + LeakRecorder.LEAKS.get(0));
        }
    }
}
