package dev.escapement.netty;

import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Gives its parts on the thread that asks for them, never more than asked, to each subscriber from the start. */
final class PartsPublisher<T> implements Flow.Publisher<T> {

    private final int count;
    private final IntFunction<T> parts;
    private final AtomicInteger given = new AtomicInteger();
    private volatile Throwable failure;
    private volatile boolean cancelled;

    PartsPublisher(List<T> parts) {
        this(parts.size(), parts::get);
    }

    PartsPublisher(int count, IntFunction<T> parts) {
        this.count = count;
        this.parts = parts;
    }

    /** Ends with that instead of in order. */
    void failWith(Throwable cause) {
        failure = cause;
    }

    /** How many parts were given out. */
    int given() {
        return given.get();
    }

    boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        subscriber.onSubscribe(new Flow.Subscription() {
            private final AtomicInteger wip = new AtomicInteger();
            private long demand;
            private int next;
            private boolean over;

            @Override
            public void request(long more) {
                demand = demand + more < 0 ? Long.MAX_VALUE : demand + more;
                if (wip.getAndIncrement() != 0) {
                    return;
                }
                do {
                    while (demand > 0 && next < count && !cancelled) {
                        demand--;
                        given.incrementAndGet();
                        subscriber.onNext(parts.apply(next++));
                    }
                    if (next == count && !cancelled && !over) {
                        over = true;
                        if (failure == null) {
                            subscriber.onComplete();
                        } else {
                            subscriber.onError(failure);
                        }
                    }
                } while (wip.decrementAndGet() != 0);
            }

            @Override
            public void cancel() {
                cancelled = true;
            }
        });
    }
}
