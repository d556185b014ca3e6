package dev.escapement.netty;

import java.util.concurrent.Flow;

/** How a subscriber that comes too late is told: with a subscription that gives nothing, as Reactive Streams §1.9 has it. */
final class Refusal implements Flow.Subscription {

    private static final Refusal NOTHING = new Refusal();

    private Refusal() {}

    static void tell(Flow.Subscriber<?> subscriber, String why) {
        subscriber.onSubscribe(NOTHING);
        subscriber.onError(new IllegalStateException(why));
    }

    @Override
    public void request(long count) {}

    @Override
    public void cancel() {}
}
