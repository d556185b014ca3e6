package dev.escapement.netty;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Numbers that one event loop alone writes and any thread reads, each by itself.
 *
 * <p>Memory mode: a plain read and an ordered store, since there is one writer; a reader wants a recent value and no order
 * among figures.
 */
abstract class Figures {

    private final AtomicLongArray figures;

    Figures(int count) {
        figures = new AtomicLongArray(count);
    }

    final void add(int figure, long difference) {
        figures.lazySet(figure, figures.getPlain(figure) + difference);
    }

    final void set(int figure, long value) {
        figures.lazySet(figure, value);
    }

    final long get(int figure) {
        return figures.getOpaque(figure);
    }
}
