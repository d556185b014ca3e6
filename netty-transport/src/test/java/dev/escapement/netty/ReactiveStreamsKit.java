package dev.escapement.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.escapement.fixtures.Gate;
import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.fixtures.ScriptedConnection;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Body;
import dev.escapement.http.BodyException;
import dev.escapement.http.Headers;
import dev.escapement.http.Request;
import dev.escapement.transport.Attempt;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** What the kit of Reactive Streams is given; {@link ReactiveStreamsTest} runs it. */
final class ReactiveStreamsKit {

    private ReactiveStreamsKit() {}

    /** Waits long for what must come, and a little for what must not. */
    private static TestEnvironment patient() {
        return new TestEnvironment(5_000, 30, 30);
    }

    /** A streamed response's body, fed as a socket would, in buffers that nobody needs to release. */
    public static class ResponseInBuffers extends FlowPublisherVerification<ByteBuf> {

        private DefaultEventLoop loop;

        public ResponseInBuffers() {
            super(patient());
        }

        @BeforeClass
        public void start() {
            loop = new DefaultEventLoop();
        }

        @AfterClass
        public void end() {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
        }

        @Override
        public Flow.Publisher<ByteBuf> createFlowPublisher(long elements) {
            IncomingBody body = new IncomingBody(loop, Body.UNKNOWN_LENGTH);
            loop.execute(new Feeder(body, elements));
            return body.buffers();
        }

        @Override
        public Flow.Publisher<ByteBuf> createFailedFlowPublisher() {
            IncomingBody body = new IncomingBody(loop, Body.UNKNOWN_LENGTH);
            loop.execute(() -> body.breakOff(new BodyException(BodyException.Kind.TRUNCATED, "by the kit")));
            return body.buffers();
        }
    }

    /** Reads ahead for a body, a window at a time. */
    private static final class Feeder implements Runnable, IncomingBody.Source {

        private final IncomingBody body;
        private long left;

        Feeder(IncomingBody body, long left) {
            this.body = body;
            this.left = left;
            body.comesFrom(this);
        }

        @Override
        public void run() {
            while (left > 0 && !body.isFull()) {
                left--;
                body.offer(Unpooled.wrappedBuffer(new byte[] {1}));
            }
            if (left == 0) {
                body.detach();
                body.finish(Headers.empty());
            } else {
                body.look();
            }
        }

        @Override
        public void bodyWantsMore() {
            run();
        }

        @Override
        public void bodyDropped() {
            left = -1;
        }

        @Override
        public void bodyMoved() {}
    }

    /** The same through the whole transport: one chunk, one byte, one part. */
    public static class ResponseOverSockets extends FlowPublisherVerification<ByteBuffer> {

        private final BlockingQueue<Gate> heads = new LinkedBlockingQueue<>();
        private ScriptedServer server;
        private NettyTransport transport;

        public ResponseOverSockets() {
            super(patient());
        }

        @BeforeClass
        public void start() {
            server = ScriptedServer.start();
            transport = NettyTransport.builder().eventLoopThreads(1).build();
            server.otherwise().step(connection -> {
                while (true) {
                    answer(connection);
                }
            });
        }

        @AfterClass
        public void end() {
            transport.close();
            server.close();
        }

        private void answer(ScriptedConnection connection) throws IOException, InterruptedException {
            int chunks = Integer.parseInt(connection.readRequest().target().substring(1));
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            heads.take().pass();
            if (chunks < 0) {
                throw new IOException("the end that was asked for");
            }
            for (int i = 0; i < chunks; i++) {
                connection.send("1\r\nx\r\n");
            }
            connection.send("0\r\n\r\n");
        }

        @Override
        public long maxElementsFromPublisher() {
            return 1_000;
        }

        @Override
        public Flow.Publisher<ByteBuffer> createFlowPublisher(long elements) {
            return body(Long.toString(elements));
        }

        @Override
        public Flow.Publisher<ByteBuffer> createFailedFlowPublisher() {
            return body("-1");
        }

        private Flow.Publisher<ByteBuffer> body(String path) {
            Request request = Request.get(server.uri("/" + path).toString());
            var home = transport.schedulers().forCall();
            RecordingExchange exchange = RecordingExchange.streaming(
                    home, home.nanos() + 60_000_000_000L, dev.escapement.transport.Endpoint.of(request.uri()));
            Gate rest = new Gate();
            heads.add(rest);
            Attempt attempt = transport.send(request, exchange);
            try {
                exchange.awaitResult();
            } catch (InterruptedException e) {
                throw new AssertionError(attempt.toString(), e);
            }
            rest.open();
            return exchange.response().body().parts();
        }
    }

    /** The reader of a request's parts, as an attempt would drive it. */
    public static class RequestInBytes extends FlowSubscriberBlackboxVerification<ByteBuffer> {

        private DefaultEventLoop loop;

        public RequestInBytes() {
            super(patient());
        }

        @BeforeClass
        public void start() {
            loop = new DefaultEventLoop();
        }

        @AfterClass
        public void end() {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
        }

        @Override
        public Flow.Subscriber<ByteBuffer> createFlowSubscriber() {
            return accepting(loop);
        }

        @Override
        public ByteBuffer createElement(int element) {
            return ByteBuffer.wrap(("part " + element).getBytes(ISO_8859_1));
        }
    }

    /** The same of buffers. */
    public static class RequestInBuffers extends FlowSubscriberBlackboxVerification<ByteBuf> {

        private DefaultEventLoop loop;

        public RequestInBuffers() {
            super(patient());
        }

        @BeforeClass
        public void start() {
            loop = new DefaultEventLoop();
        }

        @AfterClass
        public void end() {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
        }

        @Override
        public Flow.Subscriber<ByteBuf> createFlowSubscriber() {
            return accepting(loop);
        }

        @Override
        public ByteBuf createElement(int element) {
            return Unpooled.wrappedBuffer(("part " + element).getBytes(ISO_8859_1));
        }
    }

    /** An upload whose socket accepts everything at once. */
    @SuppressWarnings("unchecked") // whoever takes any part takes these
    private static <T> Flow.Subscriber<T> accepting(DefaultEventLoop loop) {
        Upload[] upload = new Upload[1];
        boolean[] looking = new boolean[1];
        upload[0] = new Upload(
                Body.empty(), loop, new OutgoingFraming(UnpooledByteBufAllocator.DEFAULT, Body.UNKNOWN_LENGTH), () -> {
                    if (!looking[0]) {
                        looking[0] = true;
                        for (ByteBuf next = upload[0].next(); next != null; next = upload[0].next()) {
                            ReferenceCountUtil.release(next);
                        }
                        looking[0] = false;
                    }
                });
        return (Flow.Subscriber<T>) upload[0];
    }

    /** Core's bodies in memory: one part, or none. */
    public static class BodyInMemory extends FlowPublisherVerification<ByteBuffer> {

        public BodyInMemory() {
            super(patient());
        }

        @Override
        public long maxElementsFromPublisher() {
            return 1;
        }

        @Override
        public Flow.Publisher<ByteBuffer> createFlowPublisher(long elements) {
            return elements == 0 ? Body.empty().parts() : Body.of("part").parts();
        }

        @Override
        public Flow.Publisher<ByteBuffer> createFailedFlowPublisher() {
            Body once = Body.once(ByteBuffer.wrap(new byte[] {1}));
            once.content();
            return once.parts();
        }
    }

    /** Core's bodies of a publisher, which are what their publisher is. */
    public static class BodyOfPublisher extends FlowPublisherVerification<ByteBuffer> {

        public BodyOfPublisher() {
            super(patient());
        }

        @Override
        public long maxElementsFromPublisher() {
            return 1;
        }

        @Override
        public Flow.Publisher<ByteBuffer> createFlowPublisher(long elements) {
            return Body.once(
                            elements == 0
                                    ? Body.empty().parts()
                                    : Body.of("part").parts(),
                            Body.UNKNOWN_LENGTH)
                    .parts();
        }

        @Override
        public Flow.Publisher<ByteBuffer> createFailedFlowPublisher() {
            Body once = Body.once(Body.of("part").parts(), Body.UNKNOWN_LENGTH);
            once.parts().subscribe(new BodyReader(0));
            return once.parts();
        }
    }
}
