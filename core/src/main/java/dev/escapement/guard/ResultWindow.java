package dev.escapement.guard;

import dev.escapement.policy.BreakerSettings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a closed breaker has seen lately, and whether that opens it (G2): failures in a row, and the shares of failures and of slow
 * answers among the results that {@link TimeWindow} or {@link CountWindow} still holds.
 *
 * <p>Each method counts one result and answers whether the breaker must open now. The rules hold after every result. A success
 * makes no share worse, so it looks at them only where it alone can be what was missing: where it brings the number of calls up
 * to the minimum, or where older results have just left the window.
 *
 * <p>Thread-safety: any thread, lock-free. Under contention a judgement may miss a result that is being counted at
 * that moment; the thread that counts it judges after it.
 */
abstract class ResultWindow extends ResultWindowState {

    private final int consecutiveLimit;
    private final int failureRatePercent;
    private final int slowRatePercent;
    final int minimumCalls;

    ResultWindow(BreakerSettings settings) {
        consecutiveLimit = settings.consecutiveFailures();
        failureRatePercent = settings.failureRatePercent();
        slowRatePercent = settings.slowRatePercent();
        minimumCalls = settings.minimumCalls();
    }

    static ResultWindow of(BreakerSettings settings) {
        return settings.windowCalls() == 0 ? new TimeWindow(settings) : new CountWindow(settings);
    }

    /** A good answer. */
    final boolean succeeded(long nowNanos) {
        endRun();
        return countSuccess(nowNanos);
    }

    /** A good answer that was slow: as an answer it ends a run of failures. */
    final boolean wasSlow(long nowNanos) {
        endRun();
        return countSlow(nowNanos);
    }

    /** A failure. */
    final boolean failed(long nowNanos) {
        int inARow = addConsecutive();
        boolean shareReached = countFailure(nowNanos);
        return shareReached || (inARow >= consecutiveLimit && consecutiveLimit > 0);
    }

    private void endRun() {
        // Written only where it changes something: while all is well this line stays in every cache.
        if (consecutive != 0) {
            consecutive = 0;
        }
    }

    /** Whether a share of {@code calls} has reached its limit, whatever their number. */
    final boolean reached(long failed, long slow, long calls) {
        return reached(failed, failureRatePercent, calls) || reached(failed + slow, slowRatePercent, calls);
    }

    private static boolean reached(long bad, int percent, long calls) {
        return percent > 0 && bad * 100 >= percent * calls;
    }

    abstract boolean countSuccess(long nowNanos);

    abstract boolean countSlow(long nowNanos);

    abstract boolean countFailure(long nowNanos);

    /** What the window holds at an instant. */
    abstract Totals totals(long nowNanos);

    /** Results in a window. */
    record Totals(long calls, long failed, long slow) {
        static final Totals NONE = new Totals(0, 0, 0);
    }
}

/** What every result reads, and only trouble writes. */
abstract class ResultWindowState extends Padding {

    private static final VarHandle CONSECUTIVE;

    static {
        try {
            CONSECUTIVE = MethodHandles.lookup().findVarHandle(ResultWindowState.class, "consecutive", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Failures since the last answer. Any thread. Stays below its limit times the threads that fail at once: the phase ends. */
    volatile int consecutive;

    ResultWindowState() {}

    /** Returns the number with this one. Volatile, as the write that ends a run: a run is what happened in one order. */
    final int addConsecutive() {
        return (int) CONSECUTIVE.getAndAdd(this, 1) + 1;
    }
}
