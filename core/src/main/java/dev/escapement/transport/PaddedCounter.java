package dev.escapement.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A counter that every pick moves, on a cache line of its own. Any thread. */
final class PaddedCounter extends PaddedCounterState {

    @SuppressWarnings("unused") // by design: what follows in the heap
    private long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14;

    PaddedCounter(long value) {
        super(value);
    }
}

/** Keeps what lies before the counter in the heap off its cache line and the one fetched with it. */
abstract class PaddedCounterPadding {
    long l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14;
}

abstract class PaddedCounterState extends PaddedCounterPadding {

    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(PaddedCounterState.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // by VALUE
    private long value;

    PaddedCounterState(long value) {
        this.value = value;
    }

    /** Acquire, the weakest there is: each value is handed out once, and nothing is published by it. */
    final long getAndAdd(long step) {
        return (long) VALUE.getAndAddAcquire(this, step);
    }
}
