package dev.escapement.time;

/**
 * A hashed hierarchical timing wheel, confined to one thread (Varghese and Lauck, 1987, schemes 6 and 7).
 *
 * <p><b>Shape.</b> Eight levels, each a ring of 128 slots. A slot of the first level is one tick of 16,384 ns; a slot of any other
 * is as wide as 64 slots of the level below. So a level spans two slots of the one above it, and the eight cover every
 * instant up to {@link Long#MAX_VALUE}. A timer lies on the lowest level that spans its deadline from where the wheel
 * stands, in the slot its deadline falls into; a deadline that has passed lies in the slot the wheel stands on.
 *
 * <p><b>Moving on.</b> {@link #poll} goes from one occupied slot to the next. On the first level it hands out what is due. On any
 * other it spreads the slot over the levels below, and no finer slot is entered before that is done. It spreads
 * <em>ahead</em>: when nothing is due and a slot of a higher level is the next to be entered, its timers already go
 * down, 64 at a time, so that a crowded slot delays nothing at its start.
 *
 * <p><b>Never early, never rounded.</b> A timer is handed out by the first poll whose reading is at or past its deadline, however
 * often its tick was looked at before (T6): deadlines are compared exactly, slots only say where to look. The order among due
 * timers is arbitrary.
 *
 * <p><b>Costs.</b> {@link #arm} and {@link #disarm} are O(1), whatever is pending; a disarmed timer is gone at once. One poll looks
 * at no more than 64 timers, and a timer is looked at at most once a level. Nothing is allocated once warm; the
 * structure keeps 20 bytes for each timer of its fullest moment, beside 4.3 kB.
 *
 * <p><b>Caveats.</b> The wheel knows the time by being polled. Unpolled for long, it files new timers too high; they are found in
 * time all the same ({@link #earliestNanos} says so), at the price of a poll that only files them again.
 *
 * <p>Not thread-safe: one owner at a time, each happening after the one before.
 */
public final class TimerWheel extends Padding {

    /** What {@link #earliestNanos()} answers while no timer is armed. */
    public static final long NEVER = Long.MAX_VALUE;

    /** No poll looks at more timers than this; a larger array for the due ones is of no use. */
    public static final int STEP = 64;

    static final int LEVELS = 8;
    static final int SLOTS = 128;

    /** The bucket of timers that a poll within their tick has looked at and found not due. */
    static final int SEEN = LEVELS * SLOTS;

    private static final int TICK_SHIFT = 14;
    private static final int LEVEL_SHIFT = 6;
    private static final long NO_TICK = -1L;

    private final TimerTable table = new TimerTable(SEEN + 1);

    /**
     * Where the wheel stands: at or before the last reading it was polled with, and never past the start of an occupied slot
     * other than the one it is in. Never moves back.
     */
    private long timeNanos;

    /** No timer in {@link #SEEN} is due before this. */
    private long seenNanos = NEVER;

    /** Polling before this instant is of no use. */
    private long earliestNanos = NEVER;

    private boolean closed;

    /** An empty wheel that stands at a reading of the clock it will be polled with. */
    public TimerWheel(long nowNanos) {
        timeNanos = nowNanos;
    }

    /** How many timers are armed. */
    public int size() {
        return table.size();
    }

    /**
     * When to poll next: a lower bound of what is due, and the instant at which a crowded slot should be spread ahead.
     * Only arming lowers it and only polling raises it. At or before the reading just polled with: poll again.
     *
     * @return an instant, or {@link #NEVER}
     */
    public long earliestNanos() {
        return earliestNanos;
    }

    /**
     * Arms a timer, or moves it.
     *
     * @param deadlineNanos an instant of the clock polled with; one in the past is due at the next poll
     * @return true; or false after {@link #close()}: the timer has been fired instead (T7)
     */
    public boolean arm(Timer timer, long deadlineNanos) {
        if (closed) {
            disarm(timer);
            timer.wake();
            return false;
        }
        int level = level(deadlineNanos);
        int bucket = bucket(level, deadlineNanos);
        int entry = timer.handle;
        if (entry == Timer.IDLE) {
            timer.handle = table.add(timer, deadlineNanos, bucket);
        } else {
            table.move(entry, deadlineNanos, bucket);
        }
        // Alone there is nothing to spread: the timer can be handed out straight from a high level.
        long usefulNanos =
                level == 0 || table.size() == 1 ? deadlineNanos : aheadNanos(level, deadlineNanos >>> shift(level));
        if (usefulNanos < earliestNanos) {
            earliestNanos = usefulNanos;
        }
        return true;
    }

    /**
     * Disarms a timer that belongs to this wheel.
     *
     * @return true if it was armed; it will not be handed out
     */
    public boolean disarm(Timer timer) {
        int entry = timer.handle;
        if (entry == Timer.IDLE) {
            return false;
        }
        table.remove(entry);
        timer.handle = Timer.IDLE;
        return true;
    }

    /**
     * Takes out timers that are due; the caller then fires them, and must not keep them in the array. Each is idle already and
     * may be armed again.
     *
     * <p>Looks at {@link #STEP} timers at most. There may be more to do; {@link #earliestNanos()} then is not after
     * {@code nowNanos}.
     *
     * @param due filled from the front; not empty
     * @return how many were filled in
     */
    public int poll(long nowNanos, Timer[] due) {
        if (nowNanos < earliestNanos) {
            return 0;
        }
        int count = 0;
        int budget = STEP;
        while (budget > 0 && count < due.length) {
            int level = firstOccupiedLevel();
            long startNanos = level < 0 ? NEVER : firstTick(level) << shift(level);
            if (seenNanos < startNanos && seenNanos <= nowNanos) {
                timeNanos = Math.max(timeNanos, seenNanos);
                seenNanos = NEVER;
                table.moveAll(SEEN, bucket(0, timeNanos));
                continue;
            }
            if (level < 0 || startNanos > nowNanos) {
                timeNanos = Math.max(timeNanos, nowNanos);
                spreadAhead(budget);
                break;
            }
            timeNanos = Math.max(timeNanos, startNanos);
            int bucket = bucket(level, startNanos);
            int entry;
            while (budget > 0 && count < due.length && (entry = table.first(bucket)) != TimerTable.NONE) {
                budget--;
                if (table.deadlineNanos(entry) <= nowNanos) {
                    due[count++] = release(entry);
                } else if (level > 0) {
                    spread(entry);
                } else {
                    seenNanos = Math.min(seenNanos, table.deadlineNanos(entry));
                    table.move(entry, SEEN);
                }
            }
        }
        earliestNanos = usefulNanos();
        return count;
    }

    /** Fires every armed timer, on this thread; from now on arming fires at once (T7). Closing again does nothing. */
    public void close() {
        seal();
        Timer[] due = new Timer[STEP];
        while (size() > 0) {
            int count = poll(NEVER, due);
            for (int i = 0; i < count; i++) {
                due[i].wake();
            }
        }
    }

    /** Closes the door alone: what is armed stays so, for {@code poll(NEVER, …)} to take out. */
    void seal() {
        closed = true;
    }

    boolean isSealed() {
        return closed;
    }

    TimerTable table() {
        return table;
    }

    long timeNanos() {
        return timeNanos;
    }

    private Timer release(int entry) {
        Timer timer = table.remove(entry);
        timer.handle = Timer.IDLE;
        return timer;
    }

    private void spread(int entry) {
        long deadlineNanos = table.deadlineNanos(entry);
        table.move(entry, bucket(level(deadlineNanos), deadlineNanos));
    }

    /** Spreads those slots that are the next to be entered on their level, the highest level first. */
    private void spreadAhead(int budget) {
        for (int level = LEVELS - 1; level > 0; level--) {
            int next = slot(level, (timeNanos >>> shift(level)) + 1);
            int entry;
            while ((entry = table.first(next)) != TimerTable.NONE) {
                if (budget-- == 0) {
                    return;
                }
                spread(entry);
            }
        }
    }

    /** The level whose first occupied slot starts first, the highest of several; −1 where none is occupied. */
    private int firstOccupiedLevel() {
        int first = -1;
        long firstNanos = NEVER;
        for (int level = LEVELS - 1; level >= 0; level--) {
            long tick = firstTick(level);
            if (tick != NO_TICK && tick << shift(level) < firstNanos) {
                firstNanos = tick << shift(level);
                first = level;
            }
        }
        return first;
    }

    private long usefulNanos() {
        long useful = seenNanos;
        for (int level = LEVELS - 1; level > 0; level--) {
            long tick = firstTick(level);
            if (tick != NO_TICK) {
                useful = Math.min(useful, aheadNanos(level, tick));
            }
        }
        long tick = firstTick(0);
        if (tick != NO_TICK) {
            int entry = table.first(slot(0, tick));
            boolean alone = table.next(entry) == TimerTable.NONE;
            useful = Math.min(useful, alone ? table.deadlineNanos(entry) : tick << TICK_SHIFT);
        }
        return useful;
    }

    /** The tick of a level's first occupied slot, counted from the one the wheel stands on; or {@link #NO_TICK}. */
    private long firstTick(int level) {
        long low = table.occupied(level << 1);
        long high = table.occupied((level << 1) + 1);
        if ((low | high) == 0) {
            return NO_TICK;
        }
        long standing = timeNanos >>> shift(level);
        if ((standing & Long.SIZE) != 0) {
            long swap = low;
            low = high;
            high = swap;
        }
        // The ring's 128 bits, turned so that the slot the wheel stands on is bit 0.
        int turn = (int) standing & (Long.SIZE - 1);
        long near = (low >>> turn) | (high << 1 << (Long.SIZE - 1 - turn));
        if (near != 0) {
            return standing + Long.numberOfTrailingZeros(near);
        }
        long far = (high >>> turn) | (low << 1 << (Long.SIZE - 1 - turn));
        return standing + Long.SIZE + Long.numberOfTrailingZeros(far);
    }

    /** The lowest level on which an instant is less than two slots of the next level away. */
    private int level(long deadlineNanos) {
        if (deadlineNanos <= timeNanos) {
            return 0;
        }
        int bits = Long.SIZE - Long.numberOfLeadingZeros(deadlineNanos - timeNanos);
        // The lowest level whose upper neighbour has slots wider than that; one lower will do if the next slot is
        // meant.
        int level = Math.max(0, (bits - TICK_SHIFT - 1) / LEVEL_SHIFT);
        boolean inNextSlot = level > 0 && (deadlineNanos >>> shift(level)) - (timeNanos >>> shift(level)) <= 1;
        return inNextSlot ? level - 1 : level;
    }

    private int bucket(int level, long instantNanos) {
        return slot(level, Math.max(instantNanos, timeNanos) >>> shift(level));
    }

    private static int slot(int level, long tick) {
        return level * SLOTS + ((int) tick & (SLOTS - 1));
    }

    private static int shift(int level) {
        return TICK_SHIFT + level * LEVEL_SHIFT;
    }

    /** When to start spreading a slot: as soon as it is the next. */
    private static long aheadNanos(int level, long tick) {
        return (tick - 1) << shift(level);
    }
}
