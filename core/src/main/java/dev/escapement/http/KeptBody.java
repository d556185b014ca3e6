package dev.escapement.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A body whose source can be read once, and which remembers what was read of it (R8): between a publisher that knows of one subscriber, and attempts of
 * which each wants the whole.
 *
 * <p>Demand, parts, ends, takeovers and releases come from any thread. Each leaves its word where it belongs and then works the body by
 * {@link #work}: whoever finds nobody at work does, one round after another until nothing is new. So everything below the line is owned by whoever works,
 * and signals to the reader are given one at a time, under no lock.
 */
final class KeptBody implements Body, Flow.Publisher<ByteBuffer> {

    /** How many parts the source may be asked for beyond those that have come. */
    private static final int AHEAD = 4;

    private final ReplayMemory memory;
    private final Flow.Publisher<ByteBuffer> source;
    private final long length;

    /** How many have asked for work since somebody began; volatile, so that whoever works sees what they left. */
    private final AtomicInteger rounds = new AtomicInteger();

    private final ConcurrentLinkedQueue<ByteBuffer> arrived = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Reading> comers = new ConcurrentLinkedQueue<>();

    /** The source's word that there is no more: itself, or why. */
    private volatile @Nullable Object ended;

    private volatile Flow.@Nullable Subscription upstream;
    private volatile boolean releaseAsked;

    /** Whether something that was read is not kept. Written by whoever works, read by any thread. */
    private volatile boolean consumed;

    // ---- Whoever works, from here on

    private final List<ByteBuffer> parts = new ArrayList<>();
    private long keptBytes;
    private long askedFor;
    private long came;
    private boolean subscribed;
    private boolean released;
    private @Nullable Reading reading;

    KeptBody(ReplayMemory memory, Flow.Publisher<ByteBuffer> source, long length) {
        if (length < UNKNOWN_LENGTH) {
            throw new IllegalArgumentException("body length " + length + ": expected 0 or more, or UNKNOWN_LENGTH");
        }
        this.memory = memory;
        this.source = Objects.requireNonNull(source, "parts");
        this.length = length;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public ByteBuffer content() {
        throw new IllegalStateException("a streamed body is not in memory: read its parts");
    }

    @Override
    public boolean isStreamed() {
        return true;
    }

    @Override
    public Flow.Publisher<ByteBuffer> parts() {
        return this;
    }

    @Override
    public boolean isConsumed() {
        return consumed;
    }

    /** Gives the memory back and cancels the source; a reader is told that the body was released. */
    @Override
    public void release() {
        consumed = true;
        releaseAsked = true;
        work();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        Reading next = new Reading(subscriber);
        subscriber.onSubscribe(next);
        comers.add(next);
        work();
    }

    private void work() {
        if (rounds.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            round();
            seen = rounds.addAndGet(-seen);
        } while (seen != 0);
    }

    private void round() {
        for (Reading next = comers.poll(); next != null; next = comers.poll()) {
            admit(next);
        }
        for (ByteBuffer part = arrived.poll(); part != null; part = arrived.poll()) {
            came++;
            if (!released) {
                keep(part);
            }
        }
        if (releaseAsked) {
            letGo();
        }
        Reading now = reading;
        if (now != null) {
            serve(now);
        }
    }

    private void admit(Reading next) {
        if (consumed) {
            next.end(new IllegalStateException("a streamed body that can be read once was taken before"));
            return;
        }
        Reading before = reading;
        reading = next;
        if (before != null) {
            before.end(new IllegalStateException("another attempt has taken the body over"));
        }
        if (!subscribed) {
            subscribed = true;
            try {
                source.subscribe(new Source());
            } catch (Throwable thrown) {
                ended = thrown;
            }
        }
    }

    private void keep(ByteBuffer part) {
        if (!consumed && memory.take(keptBytes, part.remaining())) {
            keptBytes += part.remaining();
        } else if (!consumed) {
            consumed = true;
            memory.giveBack(keptBytes);
            keptBytes = 0;
            forgetRead();
            // Where nobody reads, nobody can any more.
            releaseAsked |= reading == null;
        }
        parts.add(part);
    }

    /** What the reader has had is wanted by nobody else any more. */
    private void forgetRead() {
        Reading now = reading;
        int read = now == null ? 0 : now.position;
        parts.subList(0, read).clear();
        if (now != null) {
            now.position = 0;
        }
    }

    private void letGo() {
        if (!released) {
            released = true;
            memory.giveBack(keptBytes);
            keptBytes = 0;
            parts.clear();
            Flow.Subscription from = upstream;
            if (from != null) {
                from.cancel();
            }
            Reading now = reading;
            reading = null;
            if (now != null) {
                now.end(new BodyException(BodyException.Kind.RELEASED, "the body was released"));
            }
        }
    }

    private void serve(Reading now) {
        while (now.isOpen() && now.position < parts.size() && now.demand.get() > 0) {
            now.demand.decrementAndGet();
            ByteBuffer part = parts.get(now.position++);
            if (consumed) {
                forgetRead();
            }
            now.hand(part.duplicate());
        }
        if (!now.isOpen()) {
            reading = null;
            if (consumed && !releaseAsked) {
                // Nobody can read on: the rest is dropped at its source.
                releaseAsked = true;
                letGo();
            }
            return;
        }
        if (now.position == parts.size()) {
            Object end = ended;
            if (end != null && arrived.isEmpty()) {
                reading = null;
                now.end(end == this ? null : (Throwable) end);
            } else if (now.demand.get() > 0) {
                askOn(now.demand.get());
            }
        }
    }

    private void askOn(long demand) {
        Flow.Subscription from = upstream;
        long more = Math.min(demand, AHEAD) - (askedFor - came);
        if (from != null && more > 0) {
            askedFor += more;
            from.request(more);
        }
    }

    @Override
    public String toString() {
        return (length == UNKNOWN_LENGTH ? "parts of unknown length" : length + " bytes in parts")
                + ", kept as far as read";
    }

    /** This body's end of its source. */
    private final class Source implements Flow.Subscriber<ByteBuffer> {

        @Override
        public void onSubscribe(Flow.Subscription given) {
            if (upstream != null) {
                given.cancel();
                return;
            }
            upstream = given;
            work();
        }

        @Override
        public void onNext(ByteBuffer part) {
            arrived.add(Objects.requireNonNull(part, "part").slice().asReadOnlyBuffer());
            work();
        }

        @Override
        public void onError(Throwable why) {
            ended = Objects.requireNonNull(why, "why");
            work();
        }

        @Override
        public void onComplete() {
            ended = KeptBody.this;
            work();
        }
    }

    /** One attempt's reading of the body. */
    private final class Reading implements Flow.Subscription {

        private final Flow.Subscriber<? super ByteBuffer> subscriber;

        /** What was asked for and not given. Added to by any thread, taken from by whoever works. */
        private final AtomicLong demand = new AtomicLong();

        /** Set by the reader's cancelling, or by whoever works when it tells the end; what was asked for wrongly. */
        private volatile boolean over;

        private volatile @Nullable IllegalArgumentException wrong;

        /** Which part comes next. Whoever works. */
        private int position;

        Reading(Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.subscriber = Objects.requireNonNull(subscriber, "subscriber");
        }

        boolean isOpen() {
            IllegalArgumentException fault = wrong;
            if (fault != null) {
                end(fault);
            }
            return !over;
        }

        /** A reader who throws, which none may, wants nothing more. */
        void hand(ByteBuffer part) {
            try {
                subscriber.onNext(part);
            } catch (Throwable thrown) {
                over = true;
            }
        }

        void end(@Nullable Throwable why) {
            if (over) {
                return;
            }
            over = true;
            try {
                if (why == null) {
                    subscriber.onComplete();
                } else {
                    subscriber.onError(why);
                }
            } catch (Throwable thrown) {
                // Told is told: there is nothing left to end.
                return;
            }
        }

        @Override
        public void request(long count) {
            if (count <= 0) {
                wrong = new IllegalArgumentException("demand " + count + ": expected 1 or more");
            } else {
                demand.accumulateAndGet(count, (had, more) -> had + more < 0 ? Long.MAX_VALUE : had + more);
            }
            work();
        }

        @Override
        public void cancel() {
            over = true;
            work();
        }
    }
}
