package dev.escapement.gateway.inbound;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Hands each request to the test, which answers when and how it likes. */
final class HoldingHandler implements RequestHandler {

    private static final int PATIENCE_SECONDS = 20;

    private final BlockingQueue<Held> requests = new LinkedBlockingQueue<>();

    @Override
    public void accept(InboundRequest request, Responder responder) {
        requests.add(new Held(request, responder));
    }

    @Override
    public void refused(InboundRequest request, Refusal refusal, Responder responder) {
        EchoHandler.answer(responder, refusal.status(), refusal.rule());
    }

    /** The next request, once it is there. */
    Held next() throws InterruptedException {
        Held held = requests.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (held == null) {
            throw new AssertionError("no request came");
        }
        return held;
    }

    /** Whether no request is there that the test has not taken. */
    boolean hasNone() {
        return requests.isEmpty();
    }

    /** One request in the hands of a test. */
    static final class Held implements Responder.Listener, Flow.Subscriber<ByteBuf> {

        final InboundRequest request;
        private final Responder responder;
        private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

        Held(InboundRequest request, Responder responder) {
            this.request = request;
            this.responder = responder;
            responder.listen(this);
        }

        /** Does that on the loop, and waits until it is done. */
        void does(Consumer<Responder> act) throws Exception {
            gets(() -> {
                act.accept(responder);
                return true;
            });
        }

        <T> T gets(Callable<T> question) throws Exception {
            return request.connection().loop().submit(question).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        Responder responder() {
            return responder;
        }

        /** Answers 200 with this text. */
        void answers(String text) throws Exception {
            does(to -> EchoHandler.answer(to, 200, text));
        }

        /** Sends the head of an answer. */
        void begins(long length) throws Exception {
            does(to -> to.head(200, Headers.empty(), length, true));
        }

        void sends(String text) throws Exception {
            does(to -> to.data(Unpooled.copiedBuffer(text, ISO_8859_1)));
        }

        void ends() throws Exception {
            does(to -> to.end(Headers.empty()));
        }

        /** The next thing that was told, other than that there is room. */
        String told() throws InterruptedException {
            String what = told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (what == null) {
                throw new AssertionError("nothing was told");
            }
            return what;
        }

        boolean wasToldNothing() {
            return told.isEmpty();
        }

        /** What has come of the body. */
        synchronized String body() {
            return body.toString(ISO_8859_1);
        }

        @Override
        public void writable() {}

        @Override
        public void bodyRefused(Refusal why) {
            told.add("refused " + why);
        }

        @Override
        public void graceOver() {
            told.add("grace over");
        }

        @Override
        public void gone(Responder.Gone why) {
            told.add("gone " + why);
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription.complete(given);
        }

        @Override
        public synchronized void onNext(ByteBuf part) {
            byte[] bytes = new byte[part.readableBytes()];
            part.readBytes(bytes).release();
            body.writeBytes(bytes);
        }

        @Override
        public void onError(Throwable why) {
            told.add("broken");
        }

        @Override
        public void onComplete() {
            told.add("whole");
        }
    }
}
