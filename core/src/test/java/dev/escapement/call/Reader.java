package dev.escapement.call;

import dev.escapement.http.Body;
import dev.escapement.http.BodyException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;

/** Reads a body in parts, as many as it is told to, and keeps what it hears. Confined to one thread. */
final class Reader implements Flow.Subscriber<ByteBuffer> {

    final List<String> parts = new ArrayList<>();
    Flow.Subscription subscription;
    Throwable failure;
    boolean complete;

    /** A reader of that body, who has asked for so many parts. */
    static Reader of(Body body, long demand) {
        Reader reader = new Reader();
        body.parts().subscribe(reader);
        reader.subscription.request(demand);
        return reader;
    }

    /** How the body ended, where it ended short. */
    BodyException.Kind kind() {
        return ((BodyException) failure).kind();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
    }

    @Override
    public void onNext(ByteBuffer part) {
        parts.add(StandardCharsets.UTF_8.decode(part).toString());
    }

    @Override
    public void onError(Throwable why) {
        failure = why;
    }

    @Override
    public void onComplete() {
        complete = true;
    }
}
