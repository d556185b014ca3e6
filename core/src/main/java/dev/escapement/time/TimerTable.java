package dev.escapement.time;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one wheel, kept in doubly linked lists by index: a timer, its deadline, its neighbours.
 *
 * <p>Everything but the timers themselves is numbers. Intrusive nodes would have aged list heads point at young timers, and
 * each such store costs a barrier once the collector has promoted the heads; here an add stores one reference and a
 * remove stores {@code null}, which has no barrier. The arrays are paged, so that growing copies no entries.
 *
 * <p>An entry's index is positive, {@link #NONE} is none. A bucket is a list; an occupied bucket has its bit set. Freed
 * entries are reused last in, first out, while they are still in the cache. Pages are never given back: 20 bytes for each entry of
 * the fullest moment. Every operation is O(1); only {@link #add} allocates, one page for 1,024 timers more than ever before.
 *
 * <p>Not thread-safe: owned by its wheel. Nothing is checked here, a foreign index corrupts the lists.
 */
final class TimerTable extends Padding {

    /** No entry: the end of a list. Entry 0 is never handed out. */
    static final int NONE = 0;

    private static final int PAGE_SHIFT = 10;
    private static final int PAGE_SIZE = 1 << PAGE_SHIFT;
    private static final int PAGE_MASK = PAGE_SIZE - 1;

    private static final long LOW_HALF = 0xFFFF_FFFFL;

    /** First entry of each bucket. */
    private final int[] heads;

    /** One bit a bucket: set while it has an entry. */
    private final long[] occupied;

    /**
     * Two words an entry. The first is its deadline. The second links it: the entry before it in the high half, or
     * {@code ~bucket} where it is the first; the entry after it in the low half. A free entry has only the latter.
     */
    private long[][] words = new long[0][];

    private @Nullable Timer[][] timers = new Timer[0][];

    /** The freed entry to reuse next; chained through the low half of the link. */
    private int free = NONE;

    /** The first entry never used so far. */
    private int fresh = 1;

    private int size;

    TimerTable(int buckets) {
        heads = new int[buckets];
        occupied = new long[(buckets + Long.SIZE - 1) / Long.SIZE];
    }

    int size() {
        return size;
    }

    /** 64 bits of the occupancy map: those of buckets {@code 64 × word} and up. */
    long occupied(int word) {
        return occupied[word];
    }

    int first(int bucket) {
        return heads[bucket];
    }

    int next(int entry) {
        return (int) links(entry);
    }

    /** The entry before this one, or {@code ~bucket}. */
    int previous(int entry) {
        return (int) (links(entry) >> 32);
    }

    long deadlineNanos(int entry) {
        return words[entry >> PAGE_SHIFT][(entry & PAGE_MASK) << 1];
    }

    /** The timer of an entry in use. */
    @SuppressWarnings("NullAway") // null in free entries alone
    Timer timer(int entry) {
        return timers[entry >> PAGE_SHIFT][entry & PAGE_MASK];
    }

    /** Puts a timer first into a bucket and returns its entry. */
    int add(Timer timer, long deadlineNanos, int bucket) {
        int entry = free;
        if (entry != NONE) {
            free = next(entry);
        } else {
            entry = fresh;
            if (entry >> PAGE_SHIFT == words.length || words[entry >> PAGE_SHIFT] == null) {
                addPage(entry >> PAGE_SHIFT);
            }
            fresh = entry + 1;
        }
        timers[entry >> PAGE_SHIFT][entry & PAGE_MASK] = timer;
        words[entry >> PAGE_SHIFT][(entry & PAGE_MASK) << 1] = deadlineNanos;
        link(entry, bucket);
        size++;
        return entry;
    }

    /** Takes an entry out of its bucket, frees it and returns its timer. */
    Timer remove(int entry) {
        Timer timer = timer(entry);
        unlink(entry);
        timers[entry >> PAGE_SHIFT][entry & PAGE_MASK] = null;
        setLinks(entry, NONE, free);
        free = entry;
        size--;
        return timer;
    }

    /** Takes an entry to another bucket, or to the front of its own. */
    void move(int entry, int bucket) {
        unlink(entry);
        link(entry, bucket);
    }

    /** As {@link #move(int, int)}, with a new deadline. */
    void move(int entry, long deadlineNanos, int bucket) {
        words[entry >> PAGE_SHIFT][(entry & PAGE_MASK) << 1] = deadlineNanos;
        move(entry, bucket);
    }

    /** Takes all entries of a bucket to another one, which must be empty. */
    void moveAll(int from, int to) {
        int head = heads[from];
        if (head != NONE) {
            heads[from] = NONE;
            clear(from);
            heads[to] = head;
            set(to);
            setPrevious(head, ~to);
        }
    }

    private void link(int entry, int bucket) {
        int head = heads[bucket];
        setLinks(entry, ~bucket, head);
        heads[bucket] = entry;
        if (head == NONE) {
            set(bucket);
        } else {
            setPrevious(head, entry);
        }
    }

    private void unlink(int entry) {
        long links = links(entry);
        int previous = (int) (links >> 32);
        int next = (int) links;
        if (next != NONE) {
            setPrevious(next, previous);
        }
        if (previous >= 0) {
            setNext(previous, next);
        } else {
            heads[~previous] = next;
            if (next == NONE) {
                clear(~previous);
            }
        }
    }

    private void set(int bucket) {
        occupied[bucket >> 6] |= 1L << bucket;
    }

    private void clear(int bucket) {
        occupied[bucket >> 6] &= ~(1L << bucket);
    }

    private long links(int entry) {
        return words[entry >> PAGE_SHIFT][((entry & PAGE_MASK) << 1) + 1];
    }

    private void setLinks(int entry, int previous, int next) {
        words[entry >> PAGE_SHIFT][((entry & PAGE_MASK) << 1) + 1] = ((long) previous << 32) | (next & LOW_HALF);
    }

    private void setPrevious(int entry, int previous) {
        setLinks(entry, previous, next(entry));
    }

    private void setNext(int entry, int next) {
        setLinks(entry, previous(entry), next);
    }

    /** Nothing changes that can be seen before all of the memory is there. */
    private void addPage(int page) {
        long[] newWords = new long[PAGE_SIZE << 1];
        Timer[] newTimers = new Timer[PAGE_SIZE];
        if (page == words.length) {
            int pages = Math.max(4, page << 1);
            long[][] moreWords = Arrays.copyOf(words, pages);
            @Nullable Timer[][] moreTimers = Arrays.copyOf(timers, pages);
            words = moreWords;
            timers = moreTimers;
        }
        words[page] = newWords;
        timers[page] = newTimers;
    }
}
