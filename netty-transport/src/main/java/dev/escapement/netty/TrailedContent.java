package dev.escapement.netty;

import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import java.nio.ByteBuffer;

/** The content of a whole response in memory, and the fields that followed it. Immutable. */
record TrailedContent(Body body, Headers trailers) implements Body {

    @Override
    public long length() {
        return body.length();
    }

    @Override
    public ByteBuffer content() {
        return body.content();
    }

    @Override
    public void release() {
        body.release();
    }
}
