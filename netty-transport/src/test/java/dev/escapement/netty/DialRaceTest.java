package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The race of addresses as events in a row: what is dialled when, who wins, and that nothing is left of the others. */
class DialRaceTest {

    private static final int PORT = 443;

    private final AtomicLong nowNanos = new AtomicLong(1);
    private final AddressOrder order = new AddressOrder(nowNanos::get);
    private final Track track = new Track();

    /** One dial of the test's: open until it is closed. */
    private static final class Runner implements DialRace.Dial {

        private final InetSocketAddress address;
        private int closings;

        Runner(InetSocketAddress address) {
            this.address = address;
        }

        @Override
        public InetSocketAddress address() {
            return address;
        }

        @Override
        public void close() {
            closings++;
        }
    }

    /** Notes what the race asks for, and holds its one stagger until the test lets it pass. */
    private static final class Track implements DialRace.Course {

        private final List<Runner> runners = new ArrayList<>();
        private final List<Runnable> staggers = new ArrayList<>();
        private final List<DialRace.Dial> winners = new ArrayList<>();
        private final List<Throwable> losses = new ArrayList<>();
        private int withoutSocket;

        @Override
        public DialRace.Dial dial(InetSocketAddress address, DialRace told) {
            if (withoutSocket > 0) {
                withoutSocket--;
                throw new IllegalStateException("no socket");
            }
            Runner runner = new Runner(address);
            runners.add(runner);
            return runner;
        }

        @Override
        public DialRace.Delayed afterStagger(Runnable task) {
            assertThat(staggers).as("one stagger at a time").isEmpty();
            staggers.add(task);
            return () -> assertThat(staggers.remove(task)).isTrue();
        }

        @Override
        public void won(DialRace.Dial dial) {
            winners.add(dial);
        }

        @Override
        public void lost(Throwable last) {
            losses.add(last);
        }

        void staggerPasses() {
            assertThat(staggers).hasSize(1);
            staggers.remove(0).run();
        }

        Runner runner(int ordinal) {
            return runners.get(ordinal - 1);
        }

        void assertOnlyOpen(Runner... open) {
            assertThat(runners).filteredOn(runner -> runner.closings == 0).containsExactly(open);
        }
    }

    private static InetSocketAddress address(int last) throws Exception {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}), PORT);
    }

    private DialRace race(int addresses) throws Exception {
        List<InetSocketAddress> list = new ArrayList<>();
        for (int i = 1; i <= addresses; i++) {
            list.add(address(i));
        }
        DialRace race = new DialRace(track, order, list);
        race.start();
        return race;
    }

    private List<Integer> orderNow(int addresses) throws Exception {
        List<InetAddress> list = new ArrayList<>();
        for (int i = 1; i <= addresses; i++) {
            list.add(address(i).getAddress());
        }
        // What is rotated besides does not matter here.
        return order.of(list, PORT).stream()
                .map(each -> (int) each.getAddress().getAddress()[3])
                .toList();
    }

    @Test
    @DisplayName("one address that connects: no second dial, no stagger, no rest")
    void oneAddress() throws Exception {
        DialRace race = race(1);
        assertThat(track.staggers).isEmpty();

        race.connected(track.runner(1));

        assertThat(track.winners).containsExactly(track.runner(1));
        track.assertOnlyOpen(track.runner(1));
    }

    @Test
    @DisplayName(
            "a black hole delays by its stagger: the next is tried beside it and wins; the hole is closed and goes last")
    void blackHole() throws Exception {
        DialRace race = race(3);
        assertThat(track.runners).hasSize(1);

        track.staggerPasses();
        assertThat(track.runners).hasSize(2);
        race.connected(track.runner(2));

        assertThat(track.winners).containsExactly(track.runner(2));
        assertThat(track.losses).isEmpty();
        assertThat(track.staggers).isEmpty();
        track.assertOnlyOpen(track.runner(2));
        assertThat(track.runner(2).address()).isEqualTo(address(2));
        assertThat(orderNow(3)).last().isEqualTo(1);
    }

    @Test
    @DisplayName("an address that fails hands over at once, and its stagger is called off")
    void failureHandsOver() throws Exception {
        DialRace race = race(3);

        race.failed(track.runner(1), new IOException("refused"));
        assertThat(track.runners).hasSize(2);
        assertThat(track.staggers).hasSize(1);
        race.failed(track.runner(2), new IOException("refused"));
        assertThat(track.runners).hasSize(3);
        assertThat(track.staggers).isEmpty();
        race.connected(track.runner(3));

        assertThat(track.winners).containsExactly(track.runner(3));
        track.assertOnlyOpen(track.runner(3));
        assertThat(orderNow(3)).first().isEqualTo(3);
    }

    @Test
    @DisplayName("an early one may still win over later ones, and those are not remembered as failures")
    void slowButFirst() throws Exception {
        DialRace race = race(2);
        track.staggerPasses();
        race.connected(track.runner(1));

        assertThat(track.winners).containsExactly(track.runner(1));
        track.assertOnlyOpen(track.runner(1));
        for (int i = 0; i < 2; i++) {
            assertThat(orderNow(2)).containsExactlyInAnyOrder(1, 2);
        }
        order.failed(address(1));
        assertThat(orderNow(2)).containsExactly(2, 1);
    }

    @Test
    @DisplayName("all fail: told once, with the last failure, only when none is under way")
    void allFail() throws Exception {
        DialRace race = race(2);
        track.staggerPasses();
        IOException last = new IOException("refused");

        race.failed(track.runner(2), new IOException("reset"));
        assertThat(track.losses).isEmpty();
        race.failed(track.runner(1), last);

        assertThat(track.losses).containsExactly(last);
        assertThat(track.winners).isEmpty();
        track.assertOnlyOpen();
    }

    @Test
    @DisplayName("no socket to be had counts as a failure of the address; none at all is told at once")
    void withoutSockets() throws Exception {
        track.withoutSocket = 1;
        DialRace race = race(2);
        assertThat(track.runner(1).address()).isEqualTo(address(2));
        race.connected(track.runner(1));
        assertThat(track.winners).hasSize(1);

        track.withoutSocket = 2;
        race(2);
        assertThat(track.losses).hasSize(1);
        assertThat(track.staggers).isEmpty();
    }

    @Test
    @DisplayName(
            "T2 ended at any step, the race closes all, calls its stagger off and tells nothing more; whoever comes late is closed")
    void endedAtEachStep() throws Exception {
        for (int step = 0; step < 4; step++) {
            Track fresh = new Track();
            DialRace race =
                    new DialRace(fresh, new AddressOrder(nowNanos::get), List.of(address(1), address(2), address(3)));
            race.start();
            for (int i = 0; i < step && i < 2; i++) {
                fresh.staggerPasses();
            }
            if (step == 3) {
                race.failed(fresh.runner(3), new IOException("refused"));
            }

            race.end();
            fresh.assertOnlyOpen();
            assertThat(fresh.staggers).isEmpty();
            for (Runner late : List.copyOf(fresh.runners)) {
                race.connected(late);
                race.failed(late, new IOException("closed"));
            }

            assertThat(fresh.winners).isEmpty();
            assertThat(fresh.losses).isEmpty();
        }
    }

    @Test
    @DisplayName("two that connect in the same moment: one wins, the other is closed")
    void photoFinish() throws Exception {
        DialRace race = race(2);
        track.staggerPasses();

        race.connected(track.runner(2));
        race.connected(track.runner(1));

        assertThat(track.winners).containsExactly(track.runner(2));
        track.assertOnlyOpen(track.runner(2));
    }

    @Test
    @DisplayName("T2 those under way when the time was up go last next time")
    void timeWasUp() throws Exception {
        DialRace race = race(3);
        track.staggerPasses();

        race.end();

        assertThat(orderNow(3)).first().isEqualTo(3);
    }
}
