package dev.escapement.netty;

/** What the pools of one event loop have done since the start. Grows; outlives the pools. */
// Positions in an array that this class alone fills and reads.
@SuppressWarnings("EnumOrdinal")
final class LoopCounters extends Figures {

    static final int OPENED = 0;
    static final int REPLACED = 1;
    static final int STOLEN = 2;
    static final int DISCARDED_BYTES = 3;
    private static final int POISONED = 4;

    private static final Poison[] REASONS = Poison.values();

    LoopCounters() {
        super(POISONED + REASONS.length);
    }

    void poisoned(Poison reason, long discardedBytes) {
        add(POISONED + reason.ordinal(), 1);
        add(DISCARDED_BYTES, discardedBytes);
    }

    long get(Poison reason) {
        return get(POISONED + reason.ordinal());
    }
}
