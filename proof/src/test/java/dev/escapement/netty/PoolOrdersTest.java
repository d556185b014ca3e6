package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.proof.PatchedLoader;
import dev.escapement.proof.SourcePatch;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lease against eviction, in every order of what happens on a loop; and what is noticed of a pool that is wrong. */
class PoolOrdersTest {

    private static final String POOL = "dev/escapement/netty/ConnectionPool.java";
    private static final String LIMIT = "dev/escapement/netty/SharedLimit.java";

    @Test
    @DisplayName("E6 E7 two attempts at one connection end as they must, in every order of the loop's events")
    void everyOrderEndsAsItMust() {
        List<String> differences = new PoolOrders().get();

        assertThat(PoolOrders.ordersOf(List.of(PoolOrders.Event.values()))).hasSize(120);
        assertThat(differences).isEmpty();
    }

    @Test
    @DisplayName("It is noticed where an attempt that gives up keeps its place in the queue")
    void aPlaceThatIsKeptIsNoticed() throws Exception {
        assertThat(differences(LIMIT, "queue.remove(waiter); waiting = queue.size(); return true;", "return true;"))
                .isNotEmpty();
    }

    @Test
    @DisplayName("It is noticed where nobody asks whether a connection still stands")
    void aDeadConnectionThatIsLentIsNoticed() throws Exception {
        assertThat(differences(
                        POOL,
                        "while (newest != null && !newest.isUsable(nowNanos)) {",
                        "while (newest != null && !newest.isUsable(nowNanos) && newest.channel() == null) {"))
                .isNotEmpty();
    }

    private static List<String> differences(String file, String find, String put) throws Exception {
        PatchedLoader wrong =
                new PatchedLoader(new SourcePatch(file, find, put).compile(), PoolOrdersTest.class.getClassLoader());
        Supplier<?> orders = wrong.loadClass(PoolOrders.class.getName())
                .asSubclass(Supplier.class)
                .getConstructor()
                .newInstance();
        return ((List<?>) orders.get()).stream().map(String::valueOf).toList();
    }
}
