package dev.escapement.time;

/** The whole inner structure of a wheel, checked: what its header says about slots, levels, lists and bounds. */
final class WheelStructure {

    private WheelStructure() {}

    static void check(TimerWheel wheel) {
        TimerTable table = wheel.table();
        int size = 0;
        for (int bucket = 0; bucket <= TimerWheel.SEEN; bucket++) {
            boolean marked = ((table.occupied(bucket >> 6) >>> bucket) & 1) != 0;
            require(marked == (table.first(bucket) != TimerTable.NONE), "bit", bucket);

            int before = ~bucket;
            for (int entry = table.first(bucket); entry != TimerTable.NONE; entry = table.next(entry)) {
                require(table.previous(entry) == before, "link back", bucket);
                require(table.timer(entry).handle == entry, "handle", bucket);
                checkPlace(wheel, bucket, table.deadlineNanos(entry));
                before = entry;
                size++;
            }
        }
        require(wheel.size() == size, "size", size);
    }

    private static void checkPlace(TimerWheel wheel, int bucket, long deadlineNanos) {
        long timeNanos = wheel.timeNanos();
        require(wheel.earliestNanos() <= Math.max(deadlineNanos, timeNanos), "bound", bucket);
        if (bucket == TimerWheel.SEEN) {
            require(deadlineNanos > timeNanos, "seen after its deadline", bucket);
            require(deadlineNanos >>> 14 == timeNanos >>> 14, "seen outside its tick", bucket);
            return;
        }
        int shift = 14 + 6 * (bucket / TimerWheel.SLOTS);
        long tick = Math.max(deadlineNanos, timeNanos) >>> shift;
        require(bucket % TimerWheel.SLOTS == (int) (tick % TimerWheel.SLOTS), "slot", bucket);
        long slotsAbove = (tick >>> 6) - (timeNanos >>> shift >>> 6);
        require(slotsAbove == 0 || slotsAbove == 1, "level", bucket);
    }

    private static void require(boolean holds, String what, int where) {
        if (!holds) {
            throw new AssertionError(what + " is wrong at " + where);
        }
    }
}
