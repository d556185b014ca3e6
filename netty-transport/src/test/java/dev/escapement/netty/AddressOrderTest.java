package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** In which order addresses are tried. */
class AddressOrderTest {

    private final AtomicLong nowNanos = new AtomicLong(7);
    private final AddressOrder order = new AddressOrder(nowNanos::get);

    private static InetAddress v4(int last) {
        return of(new byte[] {127, 0, 0, (byte) last});
    }

    private static InetAddress v6(int last) {
        byte[] bytes = new byte[16];
        bytes[0] = (byte) 0xfd;
        bytes[15] = (byte) last;
        return of(bytes);
    }

    private static InetAddress of(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private List<InetAddress> next(List<InetAddress> addresses) {
        return order.of(addresses, 80).stream()
                .map(InetSocketAddress::getAddress)
                .toList();
    }

    @Test
    @DisplayName("families come in turn, the resolver's first one first, each in the resolver's order")
    void interleaved() {
        List<InetAddress> six = List.of(v6(1), v6(2), v6(3), v4(1), v4(2));
        assertThat(AddressOrder.interleaved(six, 0)).containsExactly(v6(1), v4(1), v6(2), v4(2), v6(3));
        List<InetAddress> four = List.of(v4(1), v6(1), v6(2), v6(3));
        assertThat(AddressOrder.interleaved(four, 0)).containsExactly(v4(1), v6(1), v6(2), v6(3));
    }

    @Test
    @DisplayName("each connect begins with the next address of the family, so that connections spread")
    void rotated() {
        List<InetAddress> both = List.of(v6(1), v6(2), v6(3), v4(1), v4(2));
        Set<InetAddress> begun = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            List<InetAddress> ordered = next(both);
            assertThat(ordered).containsExactlyInAnyOrderElementsOf(both);
            assertThat(ordered.get(0)).isIn(v6(1), v6(2), v6(3));
            assertThat(ordered.get(1)).isIn(v4(1), v4(2));
            begun.add(ordered.get(0));
        }
        assertThat(begun).hasSize(3);
    }

    @Test
    @DisplayName(
            "A6 an address that failed less than 30 s ago goes last, whatever its turn; one that works again does not")
    void failedGoesLast() {
        List<InetAddress> three = List.of(v4(1), v4(2), v4(3));
        InetSocketAddress failed = new InetSocketAddress(v4(2), 80);
        order.failed(failed);

        for (int i = 0; i < 3; i++) {
            assertThat(next(three)).last().isEqualTo(v4(2));
        }
        assertThat(order.of(three, 81))
                .extracting(InetSocketAddress::getAddress)
                .containsExactly(v4(1), v4(2), v4(3));
        nowNanos.addAndGet(AddressOrder.LATELY_NANOS - 1);
        assertThat(next(three)).last().isEqualTo(v4(2));
        next(three);
        nowNanos.addAndGet(1);
        Set<InetAddress> lasts = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            lasts.add(next(three).get(2));
        }
        assertThat(lasts).hasSize(3);

        order.failed(failed);
        order.worked(failed);
        lasts.clear();
        for (int i = 0; i < 3; i++) {
            lasts.add(next(three).get(2));
        }
        assertThat(lasts).hasSize(3);
    }

    @Test
    @DisplayName("where all have failed all are tried")
    void allFailed() {
        List<InetAddress> two = List.of(v4(1), v6(1));
        for (InetAddress address : two) {
            order.failed(new InetSocketAddress(address, 80));
        }
        assertThat(next(two)).containsExactlyInAnyOrderElementsOf(two);
    }

    @Test
    @DisplayName("G5 one connect tries 32 addresses at most, and the oldest of 1,024 failures is forgotten")
    void bounded() {
        List<InetAddress> many = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            many.add(v4(i));
        }
        assertThat(next(many)).hasSize(AddressOrder.MOST_TRIED).doesNotHaveDuplicates();

        List<InetAddress> two = List.of(v4(1), v4(2));
        order.failed(new InetSocketAddress(v4(1), 80));
        for (int port = 1; port < AddressOrder.MOST_FAILURES; port++) {
            order.failed(new InetSocketAddress(v6(1), port));
        }
        for (int i = 0; i < 2; i++) {
            assertThat(next(two)).last().isEqualTo(v4(1));
        }
        order.failed(new InetSocketAddress(v6(1), 65_535));
        Set<InetAddress> lasts = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            lasts.add(next(two).get(1));
        }
        assertThat(lasts).hasSize(2);
    }
}
