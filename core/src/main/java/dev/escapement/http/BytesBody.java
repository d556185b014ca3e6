package dev.escapement.http;

import java.nio.ByteBuffer;

/** A body that is an array on the heap; releasing it does nothing, the collector does. */
final class BytesBody implements Body {

    static final BytesBody EMPTY = new BytesBody(new byte[0]);

    private final byte[] bytes;

    BytesBody(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public ByteBuffer content() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    @Override
    public void release() {}

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
