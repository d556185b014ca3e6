package dev.escapement.netty;

import dev.escapement.time.MonotonicClock;
import dev.escapement.time.Scheduler;
import dev.escapement.time.Schedulers;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Schedulers on Netty's event loops, one per loop of a group: a call that starts on a loop stays on it, others are dealt
 * out in turn.
 *
 * <p>A scheduler closes with its loop: shutting the group down fires every armed timer (T7), and ends every call that has its
 * home there. A loop that its group has put to rest gets no turn while others run. Any thread may ask for a home; finding out
 * whether the caller is on a loop looks at each loop once.
 */
public final class EventLoopSchedulers implements Schedulers {

    private final MonotonicClock clock;
    private final LoopScheduler[] schedulers;
    private final AtomicInteger turn = new AtomicInteger();

    private EventLoopSchedulers(MonotonicClock clock, LoopScheduler[] schedulers) {
        this.clock = clock;
        this.schedulers = schedulers;
    }

    /**
     * Schedulers on the loops of this group, on the process's clock. The group stays the caller's, who shuts it down.
     *
     * @throws IllegalArgumentException if the group has no event loop
     */
    public static EventLoopSchedulers of(EventLoopGroup group) {
        return of(group, MonotonicClock.system());
    }

    static EventLoopSchedulers of(EventLoopGroup group, MonotonicClock clock) {
        List<LoopScheduler> schedulers = new ArrayList<>();
        for (EventExecutor executor : group) {
            if (executor instanceof EventLoop loop) {
                schedulers.add(new LoopScheduler(loop, clock));
            }
        }
        if (schedulers.isEmpty()) {
            throw new IllegalArgumentException("group " + group + ": expected at least one event loop");
        }
        return new EventLoopSchedulers(clock, schedulers.toArray(new LoopScheduler[0]));
    }

    @Override
    public MonotonicClock clock() {
        return clock;
    }

    /** The scheduler of the loop that asks, or else the next in turn. */
    @Override
    public Scheduler forCall() {
        return next();
    }

    LoopScheduler next() {
        for (LoopScheduler scheduler : schedulers) {
            if (scheduler.inContext()) {
                return scheduler;
            }
        }
        int first = turn.getAndIncrement();
        for (int i = 0; i < schedulers.length; i++) {
            LoopScheduler next = schedulers[Math.floorMod(first + i, schedulers.length)];
            if (!next.loop().isSuspended()) {
                return next;
            }
        }
        return schedulers[Math.floorMod(first, schedulers.length)];
    }

    List<LoopScheduler> all() {
        return List.of(schedulers);
    }
}
