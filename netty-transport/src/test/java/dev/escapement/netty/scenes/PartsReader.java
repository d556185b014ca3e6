package dev.escapement.netty.scenes;

import dev.escapement.http.Body;
import dev.escapement.http.BodyException;
import dev.escapement.http.Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * Reads a response's body part by part, each asked for when the one before was read, and says what it was: its bytes, its trailers, and how
 * it ended, if otherwise than whole.
 */
final class PartsReader implements Flow.Subscriber<ByteBuffer> {

    private final Body body;
    private final CompletableFuture<String> read = new CompletableFuture<>();

    // Written by the one that signals.
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.Subscription subscription;
    private volatile int bytesRead;

    private PartsReader(Body body) {
        this.body = body;
    }

    /** Begins to read. */
    static PartsReader of(Body body) {
        PartsReader reader = new PartsReader(body);
        body.parts().subscribe(reader);
        return reader;
    }

    /** How much of it was read so far. Any thread. */
    int bytesRead() {
        return bytesRead;
    }

    /** What it was, once it has ended. */
    CompletableFuture<String> read() {
        return read;
    }

    /** Drops the rest. */
    void drop() {
        body.release();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(1);
    }

    @Override
    public void onNext(ByteBuffer part) {
        byte[] own = new byte[part.remaining()];
        part.get(own);
        bytes.writeBytes(own);
        bytesRead = bytes.size();
        subscription.request(1);
    }

    @Override
    public void onError(Throwable failure) {
        read.complete(describe() + " " + (failure instanceof BodyException why ? why.kind() : failure));
    }

    @Override
    public void onComplete() {
        StringBuilder text = new StringBuilder(describe());
        Headers trailers = body.trailers();
        for (int i = 0; i < trailers.count(); i++) {
            text.append(" ").append(trailers.nameAt(i)).append(": ").append(trailers.valueAt(i));
        }
        read.complete(text.toString());
    }

    private String describe() {
        return bytes.size() == 0 ? "" : " " + Text.write(bytes.toByteArray());
    }
}
