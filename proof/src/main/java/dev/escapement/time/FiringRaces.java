package dev.escapement.time;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** From a timer that is due to its firing: the queue to the executor, and alarms on an executor of the user's (T6). */
public final class FiringRaces {

    private FiringRaces() {}

    /** A timer is queued as the only drainer finds nothing more to do. */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both fire: by this drainer or by the one submitted for it")
    @State
    public static class QueueingAgainstDraining {

        private static final Thread TIMER_THREAD = new Thread(() -> {}, "never started");

        private final AtomicInteger submitted = new AtomicInteger();
        private final HandOff handOff = new HandOff(drainer -> submitted.incrementAndGet(), TIMER_THREAD);
        private final Counting first = new Counting();
        private final Counting second = new Counting();

        public QueueingAgainstDraining() {
            handOff.offer(new Timer[] {first}, 1, 0);
        }

        @Actor
        public void drainer() {
            handOff.run();
        }

        @Actor
        public void timerThread() {
            handOff.offer(new Timer[] {second}, 1, 0);
        }

        @Arbiter
        public void fired(I_Result r) {
            for (int run = 1; run < submitted.get(); run++) {
                handOff.run();
            }
            r.r1 = first.fired.get() + second.fired.get();
        }
    }

    /** An alarm rings as it is cancelled. */
    @JCStressTest
    @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "disarmed: it does not fire")
    @Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "it fires, and disarming says so")
    @State
    public static class RingingAgainstCancelling {

        private final Counting timer = new Counting();
        private final Alarm alarm = new Alarm(IdleExecutor.SCHEDULER, timer, 1);

        @Actor
        public void executor() {
            alarm.ring();
        }

        @Actor
        public void owner(ZI_Result r) {
            r.r1 = alarm.cancel();
        }

        @Arbiter
        public void fired(ZI_Result r) {
            r.r2 = timer.fired.get();
        }
    }

    /** An alarm is taken while the executor's handle for it is on its way: each stores one word and looks at the other's. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "disarmed, and the executor's task withdrawn")
    @State
    public static class HandleAgainstCancelling {

        private final Alarm alarm = new Alarm(IdleExecutor.SCHEDULER, new Counting(), 1);
        private final CompletableFuture<Void> handle = new CompletableFuture<>();

        @Actor
        public void scheduler() {
            alarm.scheduled(handle);
        }

        @Actor
        public void owner(ZZ_Result r) {
            r.r1 = alarm.cancel();
        }

        @Arbiter
        public void withdrawn(ZZ_Result r) {
            r.r2 = handle.isCancelled();
        }
    }

    /** An executor that is asked for nothing, and so starts no thread. */
    private static final class IdleExecutor {
        static final ExecutorScheduler SCHEDULER = new ExecutorScheduler(Executors.newSingleThreadScheduledExecutor());
    }

    private static final class Counting extends Timer {

        private final AtomicInteger fired = new AtomicInteger();

        @Override
        public void fire() {
            fired.incrementAndGet();
        }
    }
}
