package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.netty.SharedLimit.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The limit that loops share, one operation after another; how they race is held by the proof's SharedLimitRaces. */
class SharedLimitTest {

    private static final class Party extends Waiter<Party, String> {

        static Party at(String place) {
            Party party = new Party();
            party.stand(place);
            return party;
        }
    }

    @Test
    @DisplayName("L2 waiters are taken in the order in which they came, and move to the place that takes them")
    void order() {
        SharedLimit<Party, String> limit = new SharedLimit<>(1, 3);
        Party one = Party.at("a");
        Party two = Party.at("b");
        assertThat(limit.take("a")).isNull();
        assertThat(limit.enter(one, 10)).isEqualTo(Entry.QUEUED);
        assertThat(limit.enter(two, 15)).isEqualTo(Entry.QUEUED);
        assertThat(limit.waiting()).isEqualTo(2);
        assertThat(limit.oldestWaitNanos(17)).isEqualTo(7);

        assertThat(limit.take("a")).isSameAs(one);
        assertThat(one.moved).isFalse();
        assertThat(limit.take("a")).isSameAs(two);
        assertThat(two.moved).isTrue();
        assertThat(two.place()).isEqualTo("a");
        assertThat(limit.waiting()).isZero();
        assertThat(limit.oldestWaitNanos(17)).isZero();
    }

    @Test
    @DisplayName("L4 leaving and being taken exclude each other")
    void leaving() {
        SharedLimit<Party, String> limit = new SharedLimit<>(1, 3);
        Party one = Party.at("a");
        assertThat(limit.leave(one)).isFalse();
        limit.enter(one, 0);
        assertThat(limit.leave(one)).isTrue();
        assertThat(limit.leave(one)).isFalse();
        assertThat(limit.take("b")).isNull();

        Party two = Party.at("a");
        limit.enter(two, 0);
        limit.take("b");
        assertThat(limit.leave(two)).isFalse();
    }

    @Test
    @DisplayName(
            "G5 no more places than the limit, no more waiters than the bound beside those whose connect is possible")
    void bounds() {
        SharedLimit<Party, String> limit = new SharedLimit<>(2, 1);
        Party first = Party.at("a");
        assertThat(limit.enter(first, 0)).isEqualTo(Entry.QUEUED);
        assertThat(limit.enter(Party.at("b"), 0)).isEqualTo(Entry.QUEUED);
        // Two of them can have a connect of their own, and one may wait beyond.
        assertThat(limit.enter(Party.at("c"), 0)).isEqualTo(Entry.QUEUED);
        assertThat(limit.enter(Party.at("d"), 0)).isEqualTo(Entry.FULL);
        assertThat(limit.isShort()).isFalse();

        assertThat(limit.reserve()).isSameAs(first);
        assertThat(limit.reserve()).isSameAs(first);
        assertThat(limit.reserve()).isNull();
        assertThat(limit.open()).isEqualTo(2);
        assertThat(limit.isShort()).isTrue();
        assertThat(limit.enter(Party.at("e"), 0)).isEqualTo(Entry.FULL);

        // One comes up and is lent: a place in the queue, and none to be had.
        limit.cameUp();
        limit.take("a");
        assertThat(limit.enter(Party.at("f"), 0)).isEqualTo(Entry.FULL);
        limit.take("a");
        assertThat(limit.enter(Party.at("g"), 0)).isEqualTo(Entry.QUEUED);
        assertThat(limit.enter(Party.at("h"), 0)).isEqualTo(Entry.FULL);
    }

    @Test
    @DisplayName("L2 a place that comes free, or a connect that fails, goes to who lacks a connection")
    void places() {
        SharedLimit<Party, String> limit = new SharedLimit<>(1, 3);
        Party one = Party.at("a");
        Party two = Party.at("b");
        limit.enter(one, 0);
        limit.reserve();
        limit.enter(two, 0);
        assertThat(limit.failed("a")).isSameAs(one);
        assertThat(limit.open()).isZero();
        assertThat(limit.reserve()).isSameAs(two);
        limit.cameUp();
        limit.take("b");
        assertThat(limit.open()).isEqualTo(1);

        assertThat(limit.freed()).isNull();
        assertThat(limit.open()).isZero();

        Party three = Party.at("c");
        limit.enter(three, 0);
        limit.reserve();
        limit.unreserve();
        assertThat(limit.open()).isZero();
        limit.close();
        assertThat(limit.reserve()).isNull();
        assertThat(limit.enter(Party.at("d"), 0)).isEqualTo(Entry.CLOSED);
        assertThat(limit.take("c")).isSameAs(three);
    }

    @Test
    @DisplayName("L2 L3 in any order of operations: FIFO, never above the limit, as many connects as are lacking")
    void likeANaiveOne() {
        for (long seed = 1; seed <= 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int most = 1 + random.nextInt(4);
            int mostWaiting = random.nextInt(5);
            SharedLimit<Party, String> limit = new SharedLimit<>(most, mostWaiting);
            Deque<Party> queue = new ArrayDeque<>();
            int open = 0;
            int connecting = 0;
            for (int step = 0; step < 300; step++) {
                String as = "seed " + seed + " step " + step;
                switch (random.nextInt(7)) {
                    case 0, 1 -> {
                        Party party = Party.at("x");
                        boolean fits = queue.size() < mostWaiting + connecting + most - open;
                        assertThat(limit.enter(party, step)).as(as).isEqualTo(fits ? Entry.QUEUED : Entry.FULL);
                        if (fits) {
                            queue.add(party);
                        }
                    }
                    case 2 -> assertThat(limit.take("y")).as(as).isSameAs(queue.poll());
                    case 3 -> {
                        List<Party> all = new ArrayList<>(queue);
                        if (!all.isEmpty()) {
                            Party party = all.get(random.nextInt(all.size()));
                            assertThat(limit.leave(party)).as(as).isTrue();
                            queue.remove(party);
                        }
                    }
                    case 4 -> {
                        boolean lacks = connecting < queue.size() && open < most;
                        assertThat(limit.reserve()).as(as).isSameAs(lacks ? queue.peek() : null);
                        open += lacks ? 1 : 0;
                        connecting += lacks ? 1 : 0;
                    }
                    case 5 -> {
                        if (connecting > 0) {
                            connecting--;
                            if (random.nextBoolean()) {
                                limit.cameUp();
                            } else {
                                open--;
                                assertThat(limit.failed("z")).as(as).isSameAs(queue.poll());
                            }
                        }
                    }
                    default -> {
                        if (open > connecting) {
                            open--;
                            boolean lacks = connecting < queue.size();
                            assertThat(limit.freed()).as(as).isSameAs(lacks ? queue.peek() : null);
                            open += lacks ? 1 : 0;
                            connecting += lacks ? 1 : 0;
                        }
                    }
                }
                assertThat(limit.open()).as(as).isEqualTo(open).isLessThanOrEqualTo(most);
                assertThat(limit.waiting()).as(as).isEqualTo(queue.size());
                assertThat(limit.isShort()).as(as).isEqualTo(open == most && !queue.isEmpty());
            }
        }
    }
}
