package dev.escapement.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.escapement.http.Request;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointPickerTest {

    private static final Request REQUEST = Request.get("http://service.test/");

    private static List<Endpoint> endpoints(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> Endpoint.of("http://e" + i + ".test"))
                .toList();
    }

    /** What a picker may know, as a test says it. */
    private static final class View implements EndpointView {

        final Set<Endpoint> tried = new HashSet<>();
        final Set<Endpoint> refusing = new HashSet<>();
        final Map<Endpoint, Integer> inFlight = new HashMap<>();

        @Override
        public boolean tried(Endpoint endpoint) {
            return tried.contains(endpoint);
        }

        @Override
        public boolean admits(Endpoint endpoint) {
            return !refusing.contains(endpoint);
        }

        @Override
        public int inFlight(Endpoint endpoint) {
            return inFlight.getOrDefault(endpoint, 0);
        }

        void add(Endpoint endpoint, int attempts) {
            inFlight.merge(endpoint, attempts, Integer::sum);
        }
    }

    private final View view = new View();

    private Endpoint pick(EndpointPicker picker, int ordinal) {
        return picker.pick(REQUEST, ordinal, view).orElseThrow();
    }

    private Map<Endpoint, Integer> firstPicks(EndpointPicker picker, int count) {
        Map<Endpoint, Integer> picks = new HashMap<>();
        for (int i = 0; i < count; i++) {
            picks.merge(pick(picker, 1), 1, Integer::sum);
        }
        return picks;
    }

    private static List<EndpointPicker> both(List<Endpoint> endpoints) {
        return List.of(EndpointPicker.roundRobin(endpoints), EndpointPicker.leastLoaded(endpoints, 42));
    }

    // Both.

    @Test
    @DisplayName("an endpoint that this call has tried is avoided while another admits")
    void triedIsAvoided() {
        List<Endpoint> endpoints = endpoints(3);
        for (EndpointPicker picker : both(endpoints)) {
            for (int call = 0; call < 100; call++) {
                view.tried.clear();
                for (int ordinal = 1; ordinal <= 3; ordinal++) {
                    assertThat(view.tried.add(pick(picker, ordinal))).isTrue();
                }
                assertThat(endpoints).contains(pick(picker, 4));
            }
        }
    }

    @Test
    @DisplayName(
            "G2 an endpoint that does not admit is skipped, though only tried ones are left; where none admits, none is chosen")
    void refusingIsSkipped() {
        List<Endpoint> endpoints = endpoints(3);
        for (EndpointPicker picker : both(endpoints)) {
            view.refusing.clear();
            view.tried.clear();
            view.refusing.addAll(List.of(endpoints.get(0), endpoints.get(2)));
            for (int i = 0; i < 30; i++) {
                assertThat(pick(picker, 1)).isEqualTo(endpoints.get(1));
            }
            view.tried.add(endpoints.get(1));
            for (int i = 0; i < 30; i++) {
                assertThat(pick(picker, 2)).isEqualTo(endpoints.get(1));
            }
            view.refusing.add(endpoints.get(1));
            assertThat(picker.pick(REQUEST, 1, view)).isEmpty();
            assertThat(picker.pick(REQUEST, 2, view)).isEmpty();
        }
    }

    @Test
    @DisplayName("one endpoint is chosen whenever it admits, tried or not")
    void onlyOne() {
        List<Endpoint> only = endpoints(1);
        for (EndpointPicker picker : both(only)) {
            view.tried.clear();
            assertThat(picker.pick(REQUEST, 1, view)).isEqualTo(Optional.of(only.get(0)));
            view.tried.addAll(only);
            assertThat(picker.pick(REQUEST, 2, view)).isEqualTo(Optional.of(only.get(0)));
        }
    }

    @ParameterizedTest
    @DisplayName("the turns of refusing endpoints are shared by the others evenly, not borne by a neighbour")
    @ValueSource(ints = {1, 2})
    void refusedShareIsSpread(int refusing) {
        List<Endpoint> endpoints = endpoints(4);
        for (int i = 0; i < refusing; i++) {
            view.refusing.add(endpoints.get(2 * i));
        }
        int share = 12_000 / (4 - refusing);

        Map<Endpoint, Integer> turns = firstPicks(EndpointPicker.roundRobin(endpoints), 12_000);
        Map<Endpoint, Integer> draws = firstPicks(EndpointPicker.leastLoaded(endpoints, 42), 12_000);

        assertThat(turns)
                .hasSize(4 - refusing)
                .allSatisfy((endpoint, count) -> assertThat(count).isEqualTo(share));
        assertThat(draws)
                .hasSize(4 - refusing)
                .allSatisfy((endpoint, count) -> assertThat(count).isBetween(share - 200, share + 200));
    }

    @ParameterizedTest
    @DisplayName("a view that moves while it is asked leads to an endpoint of the list or to none, never to an error")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void movingView(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EndpointView moving = new EndpointView() {
            @Override
            public boolean tried(Endpoint endpoint) {
                return random.nextInt(3) == 0;
            }

            @Override
            public boolean admits(Endpoint endpoint) {
                return random.nextInt(3) == 0;
            }

            @Override
            public int inFlight(Endpoint endpoint) {
                return random.nextInt(3);
            }
        };
        List<Endpoint> endpoints = endpoints(1 + random.nextInt(4));
        for (EndpointPicker picker : both(endpoints)) {
            for (int i = 0; i < 2_000; i++) {
                picker.pick(REQUEST, 1 + random.nextInt(3), moving)
                        .ifPresent(picked -> assertThat(endpoints).contains(picked));
            }
        }
    }

    @Test
    @DisplayName("G5 a list has 1 to 1,024 endpoints, each once, and is copied")
    void wrongLists() {
        List<Endpoint> endpoints = new ArrayList<>(endpoints(EndpointPicker.MAX_ENDPOINTS));
        EndpointPicker picker = EndpointPicker.roundRobin(endpoints);
        endpoints.clear();
        assertThat(pick(picker, 1)).isEqualTo(Endpoint.of("http://e1.test"));

        assertThatThrownBy(() -> EndpointPicker.roundRobin(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("0 endpoints: expected 1 to 1024");
        assertThatThrownBy(() -> EndpointPicker.leastLoaded(endpoints(1_025), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1025 endpoints: expected 1 to 1024");
        assertThatThrownBy(() -> EndpointPicker.leastLoaded(
                        List.of(Endpoint.of("http://A.test"), Endpoint.of("http://a.test:80/x")), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("endpoint http://a.test:80 twice: expected each once");
    }

    // Round robin.

    @Test
    @DisplayName("round robin goes round in the order given")
    void goesRound() {
        List<Endpoint> endpoints = endpoints(3);
        EndpointPicker picker = EndpointPicker.roundRobin(endpoints);

        List<Endpoint> picks =
                IntStream.range(0, 6).mapToObj(i -> pick(picker, 1)).toList();

        assertThat(picks.subList(0, 3)).isEqualTo(endpoints);
        assertThat(picks.subList(3, 6)).isEqualTo(endpoints);
    }

    @Test
    @DisplayName("first attempts are spread evenly although every call makes a second one")
    void firstsAreSpreadWhateverFollows() {
        List<Endpoint> endpoints = endpoints(2);
        EndpointPicker picker = EndpointPicker.roundRobin(endpoints);
        Map<Endpoint, Integer> firsts = new HashMap<>();
        Map<Endpoint, Integer> all = new HashMap<>();
        for (int call = 0; call < 100; call++) {
            view.tried.clear();
            for (int ordinal = 1; ordinal <= 2; ordinal++) {
                Endpoint picked = pick(picker, ordinal);
                view.tried.add(picked);
                all.merge(picked, 1, Integer::sum);
                if (ordinal == 1) {
                    firsts.merge(picked, 1, Integer::sum);
                }
            }
        }

        assertThat(firsts.values()).containsOnly(50);
        assertThat(all.values()).containsOnly(100);
    }

    @Test
    @DisplayName("round robin is exactly fair between two threads")
    void twoThreadsTakeTurns() throws InterruptedException {
        EndpointPicker picker = EndpointPicker.roundRobin(endpoints(5));

        assertThat(picksOfTwoThreads(picker, 50_000))
                .hasSize(5)
                .allSatisfy((endpoint, count) -> assertThat(count).isEqualTo(20_000));
    }

    // Least loaded.

    @Test
    @DisplayName("of two endpoints the less loaded is chosen, and either where they are equally loaded")
    void lessLoadedOfTwo() {
        List<Endpoint> endpoints = endpoints(2);
        EndpointPicker picker = EndpointPicker.leastLoaded(endpoints, 7);

        assertThat(firstPicks(picker, 1_000))
                .hasSize(2)
                .allSatisfy((endpoint, count) -> assertThat(count).isBetween(400, 600));
        view.add(endpoints.get(1), 1);
        assertThat(firstPicks(picker, 1_000)).containsOnlyKeys(endpoints.get(0));
        view.add(endpoints.get(0), 2);
        assertThat(firstPicks(picker, 1_000)).containsOnlyKeys(endpoints.get(1));
    }

    @Test
    @DisplayName("every pair is drawn equally often, so that all but the most loaded endpoint are chosen by their rank")
    void pairsAreDrawnEvenly() {
        List<Endpoint> endpoints = endpoints(4);
        for (int i = 0; i < 4; i++) {
            view.add(endpoints.get(i), i);
        }

        Map<Endpoint, Integer> picks = firstPicks(EndpointPicker.leastLoaded(endpoints, 11), 60_000);

        // Of the six pairs the least loaded wins three, the next two, the next one.
        assertThat(picks).containsOnlyKeys(endpoints.subList(0, 3));
        assertThat(picks.get(endpoints.get(0))).isBetween(29_500, 30_500);
        assertThat(picks.get(endpoints.get(1))).isBetween(19_500, 20_500);
        assertThat(picks.get(endpoints.get(2))).isBetween(9_500, 10_500);
    }

    @ParameterizedTest
    @DisplayName(
            "a thousand attempts at a thousand endpoints load none with more than 4, where one choice each loads some with 5 and more")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void spreadsAsTwoChoicesDo(long seed) {
        List<Endpoint> endpoints = endpoints(1_000);
        EndpointPicker picker = EndpointPicker.leastLoaded(endpoints, seed);
        Map<Endpoint, Integer> oneChoice = new HashMap<>();
        SplittableRandom random = new SplittableRandom(seed);

        for (int i = 0; i < 1_000; i++) {
            view.add(pick(picker, 1), 1);
            oneChoice.merge(endpoints.get(random.nextInt(1_000)), 1, Integer::sum);
        }

        assertThat(Collections.max(view.inFlight.values())).isLessThanOrEqualTo(4);
        assertThat(Collections.max(oneChoice.values())).isGreaterThanOrEqualTo(5);
    }

    @Test
    @DisplayName("an endpoint that takes ten times as long gets a small share, and no queue grows there")
    void slowEndpointGetsLess() {
        List<Endpoint> endpoints = endpoints(5);
        Endpoint slow = endpoints.get(2);
        EndpointPicker picker = EndpointPicker.leastLoaded(endpoints, 3);
        Map<Long, List<Endpoint>> endingAt = new HashMap<>();
        Map<Endpoint, Integer> picks = new HashMap<>();
        int worst = 0;

        // One attempt a step; they take 4 steps, 40 at the slow endpoint. Round robin would keep 8 there.
        for (long step = 0; step < 10_000; step++) {
            for (Endpoint ended : endingAt.getOrDefault(step, List.of())) {
                view.add(ended, -1);
            }
            Endpoint picked = pick(picker, 1);
            view.add(picked, 1);
            picks.merge(picked, 1, Integer::sum);
            endingAt.computeIfAbsent(step + (picked.equals(slow) ? 40 : 4), at -> new ArrayList<>())
                    .add(picked);
            worst = Math.max(worst, view.inFlight(slow));
        }

        assertThat(worst).isLessThanOrEqualTo(4);
        assertThat(picks.get(slow)).isLessThan(1_000);
    }

    @Test
    @DisplayName("V1 the draws follow from the seed alone")
    void seeded() {
        List<Endpoint> endpoints = endpoints(7);

        assertThat(drawsOf(endpoints, 5)).isEqualTo(drawsOf(endpoints, 5)).isNotEqualTo(drawsOf(endpoints, 6));
    }

    private List<Endpoint> drawsOf(List<Endpoint> endpoints, long seed) {
        EndpointPicker picker = EndpointPicker.leastLoaded(endpoints, seed);
        return IntStream.range(0, 100).mapToObj(i -> pick(picker, 1)).toList();
    }

    @Test
    @DisplayName("two threads draw as evenly as one")
    void twoThreadsDraw() throws InterruptedException {
        EndpointPicker picker = EndpointPicker.leastLoaded(endpoints(5), 42);

        assertThat(picksOfTwoThreads(picker, 50_000))
                .hasSize(5)
                .allSatisfy((endpoint, count) -> assertThat(count).isBetween(19_000, 21_000));
    }

    private Map<Endpoint, Integer> picksOfTwoThreads(EndpointPicker picker, int picksEach) throws InterruptedException {
        List<Map<Endpoint, Integer>> parts = List.of(new HashMap<>(), new HashMap<>());
        CountDownLatch start = new CountDownLatch(2);
        List<Thread> threads = parts.stream()
                .map(part -> new Thread(() -> {
                    start.countDown();
                    while (start.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    for (int i = 0; i < picksEach; i++) {
                        part.merge(pick(picker, 1), 1, Integer::sum);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Map<Endpoint, Integer> sum = new HashMap<>(parts.get(0));
        parts.get(1).forEach((endpoint, count) -> sum.merge(endpoint, count, Integer::sum));
        return sum;
    }

    @Test
    @DisplayName("a pick allocates nothing, skipping or not, found or not")
    void allocatesNothing() {
        List<Endpoint> endpoints = endpoints(8);
        for (EndpointPicker picker : both(endpoints)) {
            assertThat(bytesPerPick(picker)).isZero();
            view.refusing.addAll(endpoints.subList(0, 7));
            assertThat(bytesPerPick(picker)).isZero();
            view.tried.add(endpoints.get(7));
            assertThat(bytesPerPick(picker)).isZero();
            view.refusing.add(endpoints.get(7));
            assertThat(bytesPerPick(picker)).isZero();
            view.refusing.clear();
            view.tried.clear();
        }
    }

    /** The least of some rounds: what the virtual machine does on the way is nobody's pick. */
    private long bytesPerPick(EndpointPicker picker) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        int found = 0;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(id);
            for (int i = 0; i < 2_000; i++) {
                found += picker.pick(REQUEST, 1 + (i & 1), view).isPresent() ? 1 : 0;
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(id) - before);
        }
        assertThat(found).isBetween(0, 10_000);
        return least;
    }
}
