package dev.escapement.gateway.proxy;

import dev.escapement.gateway.inbound.Responder;
import dev.escapement.http.Body;
import dev.escapement.netty.ByteBufBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Passes an upstream's body on to the client, a part at a time: the next is asked for when the client's socket has room. So what is
 * in memory is bounded by the water marks, and a slow client slows the upstream.
 *
 * <p>Confined to the client's loop. The upstream's connection may be another loop's by then: its signals come over.
 */
final class AnswerBody implements Flow.Subscriber<Object> {

    /** How the body ended; told on the loop, once, unless it was cancelled. */
    interface Listener {
        void bodyPassed();

        void bodyFailed(Throwable failure);
    }

    private final Body body;
    private final Responder responder;
    private final EventLoop loop;
    private final Listener listener;

    private Flow.@Nullable Subscription subscription;
    private boolean waits;
    private boolean over;

    AnswerBody(Body body, Responder responder, EventLoop loop, Listener listener) {
        this.body = body;
        this.responder = responder;
        this.loop = loop;
        this.listener = listener;
    }

    void start() {
        if (body instanceof ByteBufBody buffers) {
            buffers.buffers().subscribe(this);
        } else {
            body.parts().subscribe(this);
        }
    }

    /** There is room again. */
    void writable() {
        Flow.Subscription from = subscription;
        if (waits && !over && from != null) {
            waits = false;
            from.request(1);
        }
    }

    /** Nothing of it is wanted any more. */
    void cancel() {
        over = true;
        Flow.Subscription from = subscription;
        if (from == null) {
            body.release();
        } else {
            from.cancel();
        }
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        onLoop(() -> {
            subscription = given;
            if (over) {
                given.cancel();
            } else {
                given.request(1);
            }
        });
    }

    @Override
    public void onNext(Object part) {
        ByteBuf buffer = part instanceof ByteBuf given ? given : Unpooled.wrappedBuffer((ByteBuffer) part);
        if (loop.inEventLoop()) {
            pass(buffer);
        } else {
            onLoop(() -> pass(buffer));
        }
    }

    private void pass(ByteBuf part) {
        Flow.Subscription from = subscription;
        if (over || from == null) {
            part.release();
            return;
        }
        responder.data(part);
        if (responder.isWritable()) {
            from.request(1);
        } else {
            waits = true;
        }
    }

    @Override
    public void onError(Throwable failure) {
        onLoop(() -> {
            if (!over) {
                over = true;
                listener.bodyFailed(failure);
            }
        });
    }

    @Override
    public void onComplete() {
        onLoop(() -> {
            if (!over) {
                over = true;
                listener.bodyPassed();
            }
        });
    }

    private void onLoop(Runnable step) {
        if (loop.inEventLoop()) {
            step.run();
        } else {
            loop.execute(step);
        }
    }
}
