package dev.escapement.guard;

import dev.escapement.policy.BreakerSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * Spares an endpoint that fails, and the calls that would fail there (G2, G4; Nygard, <i>Release It!</i>, 2007).
 *
 * <pre>
 *                   record: a rule is broken
 *     ┌────────┐ ────────────────────────────→ ┌──────┐ ←───────────────────────── ┌───────────┐
 *     │ CLOSED │                               │ OPEN │   record: a trial failed   │ HALF_OPEN │
 *     └────────┘                               └──────┘ ─────────────────────────→ └───────────┘
 *       ↑    ↑                                   tryAdmit: the open period is over       │
 *       │    └───────────────────────────────────────────────────────────────────────────┘
 *       │             record: the last trial succeeded; admission ramps up
 *       │
 *       │  close, from anywhere       ┌─────────────┐
 *       └──────────────────────────── │ FORCED_OPEN │ ←── forceOpen, from anywhere
 *                                     └─────────────┘
 * </pre>
 *
 * <p>An attempt asks with {@link #tryAdmit} and hands what it got to {@link #record}, exactly once. The stamp says which
 * generation, or which trial, admitted it; a result counts for that alone. Each generation is one {@link BreakerPhase}, and
 * every transition is one compare-and-set that puts the next in its place. Whoever loses it reads the new one and starts over
 * from there.
 *
 * <p>Time comes in as an argument: readings of one monotonic clock, non-negative, up to {@code Long.MAX_VALUE} (T1). A reading
 * that is a little older than another thread's does no harm: it is refused where the newer one was let through.
 *
 * <p>Thread-safety: any thread, lock-free. Cost, closed: asking reads two cache lines that nobody writes, recording a
 * success adds to one counter that is the thread's own in a time window and everybody's in a count window. Nothing is allocated
 * but for a transition, for a trial, and for the first result of each bucket of a time window.
 */
public final class CircuitBreaker extends CircuitBreakerRightPadding {

    /** What {@link #tryAdmit} answers where the attempt must not start. */
    public static final int REFUSED = 0;

    /** The bit of a stamp that says trial. */
    static final int TRIAL = 1;

    private CircuitBreaker(BreakerSettings settings) {
        super(settings, ClosedPhase.first(settings));
    }

    /**
     * A closed breaker. Where the settings do not know yet from which length on an answer is slow, none is.
     *
     * @throws IllegalArgumentException if the settings are for none
     */
    public static CircuitBreaker of(BreakerSettings settings) {
        if (settings.isNone()) {
            throw new IllegalArgumentException("settings are " + settings + ": expected those of a breaker");
        }
        return new CircuitBreaker(settings);
    }

    /**
     * Whether an attempt would surely be refused now: the breaker is open and its period is not over, or it is forced open, or it
     * is half-open and all trial places are leased. Takes and counts nothing, so that a call can be turned away as it enters, a
     * retry be judged ahead of its time, and an endpoint be passed over (L5). What is refused by the ramp is not foretold.
     *
     * @param nowNanos now, or an instant to come
     */
    public boolean rejects(long nowNanos) {
        BreakerPhase seen = phase;
        return switch (seen.state()) {
            case CLOSED -> false;
            case OPEN -> ((OpenPhase) seen).rejects(nowNanos);
            case HALF_OPEN -> ((HalfOpenPhase) seen).rejects(nowNanos);
            case FORCED_OPEN -> true;
        };
    }

    /**
     * Asks for an attempt that would start now.
     *
     * @param leaseEndNanos the call's deadline: should this be a trial that nobody has recorded by then, its place is free (G2)
     * @return {@link #REFUSED}, or a positive stamp for {@link #record}
     */
    public int tryAdmit(long nowNanos, long leaseEndNanos) {
        if (phase instanceof ClosedPhase closed && closed.admitsAll(nowNanos)) {
            return closed.stamp;
        }
        return tryAdmitElsewhere(nowNanos, leaseEndNanos);
    }

    private int tryAdmitElsewhere(long nowNanos, long leaseEndNanos) {
        for (; ; ) {
            BreakerPhase seen = phase;
            HalfOpenPhase next;
            if (seen instanceof ClosedPhase closed) {
                return closed.admits(nowNanos) ? closed.stamp : refuse();
            } else if (seen instanceof OpenPhase open) {
                next = open.rejects(nowNanos) ? null : HalfOpenPhase.after(open, nowNanos, trials, leaseEndNanos);
            } else if (seen instanceof HalfOpenPhase halfOpen) {
                next = halfOpen.admit(nowNanos, leaseEndNanos);
            } else {
                return refuse();
            }
            if (next == null) {
                return refuse();
            }
            if (casPhase(seen, next)) {
                return next.stamp();
            }
        }
    }

    private int refuse() {
        rejected.increment();
        return REFUSED;
    }

    /** Counts a call or an attempt that was turned away because {@link #rejects} said so. */
    public void countRejection() {
        rejected.increment();
    }

    /** Whether this stamp is a trial's. */
    public static boolean isTrial(int stamp) {
        return (stamp & TRIAL) != 0;
    }

    /**
     * Ends what {@link #tryAdmit} began. Where the generation has changed, or the trial's lease is over, the result is only
     * counted as stale.
     *
     * @param stamp what that returned; each exactly once
     * @param durationNanos how long the attempt took; looked at for a success alone
     */
    public void record(int stamp, Verdict verdict, long nowNanos, long durationNanos) {
        BreakerPhase seen = phase;
        if (seen instanceof ClosedPhase closed && closed.stamp == stamp) {
            recordClosed(closed, verdict, nowNanos, durationNanos);
        } else {
            recordTrial(stamp, verdict, nowNanos, durationNanos);
        }
    }

    private void recordClosed(ClosedPhase closed, Verdict verdict, long nowNanos, long durationNanos) {
        ResultWindow window = closed.window;
        boolean opens = switch (verdict) {
            case SUCCESS -> durationNanos < slowCallNanos ? window.succeeded(nowNanos) : window.wasSlow(nowNanos);
            case FAILURE -> window.failed(nowNanos);
            case NEUTRAL -> false;
        };
        if (opens && !closed.retired) {
            // Whoever came first has ended the generation that this result was for, so there is nothing left to do.
            casPhase(closed, new OpenPhase(closed, nowNanos, openPeriodNanos));
        }
    }

    private void recordTrial(int stamp, Verdict verdict, long nowNanos, long durationNanos) {
        for (; ; ) {
            if (!(phase instanceof HalfOpenPhase halfOpen) || !halfOpen.isRunning(stamp, nowNanos)) {
                stale.increment();
                return;
            }
            BreakerPhase next = switch (verdict) {
                case NEUTRAL -> halfOpen.giveBack(stamp);
                case FAILURE -> new OpenPhase(halfOpen, nowNanos, openPeriodNanos);
                case SUCCESS ->
                    durationNanos >= slowCallNanos
                            ? new OpenPhase(halfOpen, nowNanos, openPeriodNanos)
                            : halfOpen.isLastPlace()
                                    ? ClosedPhase.recovering(halfOpen, nowNanos, settings)
                                    : halfOpen.win(stamp);
            };
            if (casPhase(halfOpen, next)) {
                return;
            }
        }
    }

    /** Opens by hand, until {@link #close}: no trial is made. Does nothing where it was done before. */
    public void forceOpen(long nowNanos) {
        tryForceOpen(nowNanos);
    }

    /** The same; false where the breaker is retired. */
    boolean tryForceOpen(long nowNanos) {
        for (; ; ) {
            BreakerPhase seen = phase;
            if (seen instanceof ForcedOpenPhase) {
                return true;
            }
            if (seen instanceof ClosedPhase closed && closed.retired) {
                return false;
            }
            if (casPhase(seen, new ForcedOpenPhase(seen, nowNanos))) {
                return true;
            }
        }
    }

    /**
     * Closes by hand, from any state and without a ramp; what was counted is forgotten. Does nothing to a breaker that is
     * closed and lets everything pass.
     */
    public void close(long nowNanos) {
        for (; ; ) {
            BreakerPhase seen = phase;
            if (seen instanceof ClosedPhase closed && closed.admitsAll(nowNanos)) {
                return;
            }
            if (casPhase(seen, ClosedPhase.byHand(seen, nowNanos, settings))) {
                return;
            }
        }
    }

    /**
     * Takes a breaker that is closed and lets everything pass out of use, so that its table can forget it: from here on it
     * admits everything, judges nothing and cannot open.
     *
     * @return false where it is anything else
     */
    boolean retire(long nowNanos) {
        return phase instanceof ClosedPhase closed
                && (closed.retired || (closed.admitsAll(nowNanos) && casPhase(closed, closed.retire())));
    }

    /** What it is now, for operators. */
    public BreakerFigures figures(long nowNanos) {
        BreakerPhase seen = phase;
        long until = 0;
        int percent = 0;
        ResultWindow.Totals totals = ResultWindow.Totals.NONE;
        int consecutive = 0;
        int running = 0;
        int won = 0;
        if (seen instanceof ClosedPhase closed) {
            until = closed.rampEndNanos;
            percent = closed.percent(nowNanos);
            totals = closed.window.totals(nowNanos);
            consecutive = closed.window.consecutive;
        } else if (seen instanceof OpenPhase open) {
            until = open.untilNanos;
        } else if (seen instanceof HalfOpenPhase halfOpen) {
            running = halfOpen.running(nowNanos);
            won = halfOpen.won();
        }
        return new BreakerFigures(
                seen.state(),
                seen.generation,
                seen.sinceNanos,
                until,
                percent,
                seen.openings,
                rejected.sum(),
                stale.sum(),
                totals.calls(),
                totals.failed(),
                totals.slow(),
                consecutive,
                running,
                won);
    }

    @Override
    public String toString() {
        return "CircuitBreaker[" + phase.state() + ", generation " + phase.generation + "]";
    }
}

/** The fields of the breaker, on one cache line, which is read by every attempt and written by transitions alone. */
abstract class CircuitBreakerState extends Padding {

    private static final VarHandle PHASE;

    static {
        try {
            PHASE = MethodHandles.lookup().findVarHandle(CircuitBreakerState.class, "phase", BreakerPhase.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final BreakerSettings settings;
    final long openPeriodNanos;
    final long slowCallNanos;
    final int trials;

    /** Any thread; off the path of a closed breaker. */
    final LongAdder rejected = new LongAdder();

    final LongAdder stale = new LongAdder();

    /** The current generation. Any thread, by compare-and-set. Volatile: who sees a transition sees what led to it. */
    volatile BreakerPhase phase;

    CircuitBreakerState(BreakerSettings settings, BreakerPhase phase) {
        this.settings = settings;
        this.openPeriodNanos = settings.openPeriodNanos();
        this.slowCallNanos = settings.slowRatePercent() == 0 ? BreakerSettings.NEVER_SLOW : settings.slowCallNanos();
        this.trials = settings.trials();
        this.phase = phase;
    }

    /** Strong: whoever fails must know that the phase has changed. Volatile: the other half of what {@code phase} says. */
    final boolean casPhase(BreakerPhase seen, BreakerPhase next) {
        return PHASE.compareAndSet(this, seen, next);
    }
}

/** Keeps what follows the breaker in the heap off its cache line. */
abstract class CircuitBreakerRightPadding extends CircuitBreakerState {
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14;

    CircuitBreakerRightPadding(BreakerSettings settings, BreakerPhase phase) {
        super(settings, phase);
    }
}
