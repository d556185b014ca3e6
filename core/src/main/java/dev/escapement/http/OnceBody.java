package dev.escapement.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/** A body that can be read once (R8). */
final class OnceBody implements Body {

    private static final VarHandle TAKEN;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(OnceBody.class, "taken", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ByteBuffer content;

    /** Set by whoever takes the content. */
    @SuppressWarnings("unused") // by TAKEN
    private volatile boolean taken;

    OnceBody(ByteBuffer content) {
        this.content = content.slice().asReadOnlyBuffer();
    }

    @Override
    public long length() {
        return content.limit();
    }

    @Override
    public ByteBuffer content() {
        // Volatile: one taker, and the thread that decides upon a retry sees that there was one.
        if (!TAKEN.compareAndSet(this, false, true)) {
            throw new IllegalStateException("a body of " + length() + " bytes that can be read once was taken before");
        }
        return content.duplicate();
    }

    @Override
    public boolean isConsumed() {
        return taken;
    }

    @Override
    public void release() {}

    @Override
    public String toString() {
        return length() + " bytes, to be read once";
    }
}
