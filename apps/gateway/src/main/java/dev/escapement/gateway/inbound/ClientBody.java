package dev.escapement.gateway.inbound;

import dev.escapement.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The body of one request on its way from what its connection holds to one subscriber. Keeps nothing itself: bytes stay with the connection
 * until somebody asks for them, and the connection reads on only while it holds little.
 *
 * <p><b>Threads.</b> Demand and cancellation may come from any: they leave their wish and see to it that the loop looks. Everything else
 * is the loop's. A look that is asked for inside a look is made after it, so that nothing recurses.
 */
final class ClientBody implements InboundBody, Flow.Subscription, Runnable {

    /** The connection that the body comes from. Called on its loop. */
    interface Source {

        /** Held bytes and the decoder's place among them. */
        RequestDecoder decoder();

        HeldBytes held();

        /** There is nothing to hand over now; {@code wanted} tells whether somebody has asked for more. */
        void awaitsBody(boolean wanted);

        /** The body will not come whole. */
        void refuseBody(Refusal why);

        /** The subscriber wants no more. */
        void bodyLeft();
    }

    private final Source source;
    private final EventExecutor loop;

    // Any thread's.
    private final AtomicLong demand = new AtomicLong();
    private volatile boolean cancelled;
    private volatile boolean askedNonsense;

    // The loop's.
    private long limit;
    private Flow.@Nullable Subscriber<? super ByteBuf> subscriber;
    private boolean taken;
    private boolean over;
    private boolean looking;
    private boolean lookAgain;
    private Headers trailers = Headers.empty();

    ClientBody(Source source, EventExecutor loop, long limit) {
        this.source = source;
        this.loop = loop;
        this.limit = limit;
    }

    @Override
    public Headers trailers() {
        return trailers;
    }

    @Override
    public void limit(long maxBytes) {
        limit = maxBytes;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuf> reader) {
        Objects.requireNonNull(reader, "subscriber");
        if (loop.inEventLoop()) {
            greet(reader);
        } else {
            loop.execute(() -> greet(reader));
        }
    }

    private void greet(Flow.Subscriber<? super ByteBuf> reader) {
        if (taken || over) {
            reader.onSubscribe(NoSubscription.INSTANCE);
            reader.onError(new IOException(taken ? "a request's body has one reader" : "the request's body has ended"));
            return;
        }
        taken = true;
        subscriber = reader;
        try {
            reader.onSubscribe(this);
        } catch (Throwable thrown) {
            threw(thrown);
        }
        look();
    }

    @Override
    public void request(long count) {
        if (count <= 0) {
            askedNonsense = true;
        } else {
            demand.accumulateAndGet(count, ClientBody::saturated);
        }
        lookOnLoop();
    }

    /** That much is without end (Reactive Streams §3.17). */
    private static long saturated(long had, long more) {
        return had + more < 0 ? Long.MAX_VALUE : had + more;
    }

    @Override
    public void cancel() {
        cancelled = true;
        lookOnLoop();
    }

    private void lookOnLoop() {
        if (loop.inEventLoop()) {
            look();
            return;
        }
        try {
            loop.execute(this);
        } catch (RejectedExecutionException ended) {
            // The loop has ended, and with it the connection: there is nobody to tell.
            cancelled = true;
        }
    }

    @Override
    public void run() {
        look();
    }

    // The loop's.

    /** Hands over what there is, as far as it was asked for. */
    void look() {
        if (looking) {
            lookAgain = true;
            return;
        }
        looking = true;
        do {
            lookAgain = false;
            while (!over && handsOver()) {
                // one part after the other
            }
        } while (lookAgain);
        looking = false;
    }

    private boolean handsOver() {
        Flow.Subscriber<? super ByteBuf> reader = subscriber;
        if (reader == null) {
            return false;
        }
        if (cancelled || askedNonsense) {
            leave(reader);
            return false;
        }
        RequestDecoder decoder = source.decoder();
        if (isTooLarge(decoder)) {
            source.refuseBody(Refusal.BODY_TOO_LARGE);
            return false;
        }
        ByteBuf in = source.held().first();
        if (decoder.isInBody() && in == null) {
            source.awaitsBody(demand.get() > 0);
            return false;
        }
        return switch (in == null ? RequestDecoder.Event.END : next(decoder, in)) {
            case MORE -> true;
            case DATA -> data(reader, decoder);
            case END -> complete(reader, decoder);
            case REFUSED -> {
                source.refuseBody(decoder.refusal());
                yield false;
            }
            case HEAD -> throw new IllegalStateException("a head inside a body");
        };
    }

    /** Refused as soon as it is announced. */
    private boolean isTooLarge(RequestDecoder decoder) {
        return decoder.bytesToCome() > limit - decoder.bodyBytes();
    }

    private RequestDecoder.Event next(RequestDecoder decoder, ByteBuf in) {
        int before = in.readableBytes();
        RequestDecoder.Event event = decoder.next(in);
        source.held().read(before - in.readableBytes());
        return event;
    }

    private boolean data(Flow.Subscriber<? super ByteBuf> reader, RequestDecoder decoder) {
        if (isTooLarge(decoder)) {
            source.refuseBody(Refusal.BODY_TOO_LARGE);
            return false;
        }
        if (demand.get() == 0) {
            source.awaitsBody(false);
            return false;
        }
        demand.accumulateAndGet(-1, (had, less) -> had == Long.MAX_VALUE ? had : had + less);
        int count = decoder.dataBytes();
        ByteBuf part = source.held().take(count);
        decoder.took(count);
        try {
            reader.onNext(part);
        } catch (Throwable thrown) {
            threw(thrown);
        }
        return true;
    }

    private boolean complete(Flow.Subscriber<? super ByteBuf> reader, RequestDecoder decoder) {
        over = true;
        subscriber = null;
        trailers = decoder.trailers();
        source.awaitsBody(false);
        try {
            reader.onComplete();
        } catch (Throwable thrown) {
            threw(thrown);
        }
        return false;
    }

    private void leave(Flow.Subscriber<? super ByteBuf> reader) {
        over = true;
        subscriber = null;
        source.bodyLeft();
        if (!cancelled) {
            tellError(reader, new IllegalArgumentException("demand below 1 (Reactive Streams §3.9)"));
        }
    }

    /** Whether somebody reads it, or has read it whole. */
    boolean isRead() {
        return taken && !cancelled;
    }

    /** There will be no more of it: whoever reads it is told why. Nearly always nobody does, and no exception is made. */
    void breakOff(String why) {
        Flow.Subscriber<? super ByteBuf> reader = subscriber;
        over = true;
        subscriber = null;
        if (reader != null && !cancelled) {
            tellError(reader, new IOException(why));
        }
    }

    private void tellError(Flow.Subscriber<? super ByteBuf> reader, Throwable why) {
        try {
            reader.onError(why);
        } catch (Throwable thrown) {
            threw(thrown);
        }
    }

    /** What a reader throws counts as having cancelled (Reactive Streams §2.13), and is reported where it came up. */
    private void threw(Throwable thrown) {
        cancelled = true;
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }

    /** What a reader is given that is given nothing. */
    private enum NoSubscription implements Flow.Subscription {
        INSTANCE;

        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    }
}
