package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Answers each request with what it saw of it, once its body has come; a path that begins with {@code /refuse} with 404, unread. Remembers
 * what it saw, for whoever asks: any thread.
 */
class EchoHandler implements RequestHandler {

    /** One request, as it was seen. */
    record Seen(String line, Headers headers, String body, Headers trailers) {}

    final List<Seen> seen = new CopyOnWriteArrayList<>();
    final List<Refusal> refused = new CopyOnWriteArrayList<>();
    final List<InboundRequest> refusedRequests = new CopyOnWriteArrayList<>();
    final List<Responder.Gone> gone = new CopyOnWriteArrayList<>();

    @Override
    public void accept(InboundRequest request, Responder responder) {
        responder.listen(new Listening(responder));
        if (request.path().startsWith("/refuse")) {
            answer(responder, 404, "no");
            return;
        }
        if (request.expectsContinue()) {
            responder.interim(100, Headers.empty());
        }
        request.body().subscribe(new Whole() {
            @Override
            void whole(byte[] body) {
                Seen one = new Seen(
                        request.method()
                                + ' '
                                + request.authority()
                                + ' '
                                + request.path()
                                + request.query().map(query -> '?' + query).orElse(""),
                        request.headers(),
                        new String(body, ISO_8859_1),
                        request.body().trailers());
                seen.add(one);
                answer(responder, 200, one.line() + '|' + one.body());
            }
        });
    }

    @Override
    public void refused(InboundRequest request, Refusal refusal, Responder responder) {
        refused.add(refusal);
        refusedRequests.add(request);
        responder.listen(new Listening(responder));
        answer(responder, refusal.status(), refusal.rule());
    }

    /** Sends a whole answer. */
    static void answer(Responder responder, int status, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        responder.head(status, Headers.of("X-Rule", status == 200 ? "none" : text), bytes.length, true);
        responder.data(Unpooled.wrappedBuffer(bytes));
        responder.end(Headers.empty());
    }

    /** Answers refusals of bodies, and remembers clients that left. */
    final class Listening implements Responder.Listener {

        private final Responder responder;

        Listening(Responder responder) {
            this.responder = responder;
        }

        @Override
        public void writable() {}

        @Override
        public void bodyRefused(Refusal why) {
            refused.add(why);
            answer(responder, why.status(), why.rule());
        }

        @Override
        public void graceOver() {
            answer(responder, 503, "shutting-down");
        }

        @Override
        public void gone(Responder.Gone why) {
            gone.add(why);
        }
    }

    /** Reads a body whole. */
    abstract static class Whole implements Flow.Subscriber<ByteBuf> {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Flow.@Nullable Subscription subscription;

        abstract void whole(byte[] body);

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(1);
        }

        @Override
        public void onNext(ByteBuf part) {
            byte[] read = new byte[part.readableBytes()];
            part.readBytes(read).release();
            bytes.writeBytes(read);
            subscription.request(1);
        }

        @Override
        public void onError(Throwable why) {}

        @Override
        public void onComplete() {
            whole(bytes.toByteArray());
        }
    }
}
