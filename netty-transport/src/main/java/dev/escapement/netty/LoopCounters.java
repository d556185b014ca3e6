package dev.escapement.netty;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The figures of one event loop's pools. The loop alone writes; any thread reads, each figure by itself.
 *
 * <p>Memory mode: a plain read and an ordered store, since there is one writer; a reader wants a recent value and no order
 * among figures.
 */
// Positions in an array that this class alone fills and reads.
@SuppressWarnings("EnumOrdinal")
final class LoopCounters {

    static final int ACTIVE = 0;
    static final int IDLE = 1;
    static final int CONNECTING = 2;
    static final int WAITING = 3;
    static final int OPENED = 4;
    static final int REPLACED = 5;
    static final int DISCARDED_BYTES = 6;
    private static final int POISONED = 7;

    private static final Poison[] REASONS = Poison.values();

    private final AtomicLongArray figures = new AtomicLongArray(POISONED + REASONS.length);

    void add(int figure, long difference) {
        figures.lazySet(figure, figures.getPlain(figure) + difference);
    }

    void poisoned(Poison reason, long discardedBytes) {
        add(POISONED + reason.ordinal(), 1);
        add(DISCARDED_BYTES, discardedBytes);
    }

    long get(int figure) {
        return figures.getOpaque(figure);
    }

    long get(Poison reason) {
        return get(POISONED + reason.ordinal());
    }
}
