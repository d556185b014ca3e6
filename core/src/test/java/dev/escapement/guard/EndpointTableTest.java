package dev.escapement.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.escapement.policy.BreakerSettings;
import dev.escapement.transport.Endpoint;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client knows of its endpoints is bounded, and what must not be forgotten is not. */
class EndpointTableTest {

    private static final long NOW = 1_000;
    private static final long OPEN_PERIOD = 100;
    private static final long LATER = Long.MAX_VALUE;

    @Test
    @DisplayName("G2 the state of an endpoint is the same for every URI of that origin")
    void oneStateForOneOrigin() {
        EndpointTable table = EndpointTable.of(settings(10).build());

        EndpointState state = table.find(URI.create("http://a.example/x"), NOW);

        assertThat(table.find(URI.create("HTTP://A.EXAMPLE:80/y?z"), NOW)).isSameAs(state);
        assertThat(table.find(URI.create("http://a.example/x"), NOW)).isSameAs(state);
        assertThat(table.find(Endpoint.of("http://a.example"), NOW)).isSameAs(state);
        assertThat(table.find(URI.create("https://a.example/x"), NOW)).isNotSameAs(state);
        assertThat(table.find(URI.create("http://a.example:81/x"), NOW)).isNotSameAs(state);
        assertThat(table.find(URI.create("http://b.example/x"), NOW)).isNotSameAs(state);
        assertThat(table.figures()).isEqualTo(new TableFigures(4, 0, 0));
    }

    @Test
    @DisplayName("G5 a full table forgets the endpoint that was not wanted for longest, and its breaker with it")
    void forgetsTheLeastWanted() {
        EndpointTable table = EndpointTable.of(settings(3).build());
        EndpointState a = find(table, "a");
        EndpointState b = find(table, "b");
        EndpointState c = find(table, "c");

        EndpointState d = find(table, "d");

        assertThat(table.figures()).isEqualTo(new TableFigures(3, 1, 0));
        assertThat(find(table, "b")).isSameAs(b);
        assertThat(find(table, "c")).isSameAs(c);
        assertThat(find(table, "d")).isSameAs(d);
        assertThat(find(table, "a")).isNotSameAs(a);
    }

    @Test
    @DisplayName("G5 an endpoint that was wanted meanwhile gets a second chance")
    void givesASecondChance() {
        EndpointTable table = EndpointTable.of(settings(3).build());
        find(table, "a");
        EndpointState b = find(table, "b");
        EndpointState c = find(table, "c");
        find(table, "d");

        EndpointState wanted = find(table, "b");
        find(table, "e");

        assertThat(wanted).isSameAs(b);
        assertThat(find(table, "b")).isSameAs(b);
        assertThat(find(table, "c")).isNotSameAs(c);
    }

    @Test
    @DisplayName("G5 so does one that a picker asked for by name")
    void givesASecondChanceByName() {
        EndpointTable table = EndpointTable.of(settings(3).build());
        for (String name : new String[] {"a", "b", "c", "d"}) {
            table.find(endpoint(name), NOW);
        }
        EndpointState b = table.find(endpoint("b"), NOW);
        table.find(endpoint("e"), NOW);

        assertThat(table.find(endpoint("b"), NOW)).isSameAs(b);
    }

    @Test
    @DisplayName("G5 a table too large to be looked through forgets one that was wanted, where all it looks at were")
    void forgetsAWantedOneInALargeTable() {
        int size = 3 * EndpointTable.LOOKS;
        EndpointTable table = EndpointTable.of(settings(size).build());
        for (int i = 0; i < size; i++) {
            find(table, "wanted-" + i);
        }

        EndpointState fresh = find(table, "new");

        assertThat(fresh.breaker()).isNotNull();
        assertThat(table.figures()).isEqualTo(new TableFigures(size, 1, 0));
    }

    @Test
    @DisplayName("G5 an open, a forced-open, a half-open, a ramping and a busy endpoint are never forgotten")
    void keepsWhatIsNotIdle() {
        EndpointTable table = EndpointTable.of(settings(6).build());
        EndpointState open = find(table, "open");
        open(open);
        EndpointState forced = find(table, "forced");
        assertThat(table.forceOpen(endpoint("forced"), NOW)).isTrue();
        EndpointState halfOpen = find(table, "half-open");
        open(halfOpen);
        int trial = breaker(halfOpen).tryAdmit(NOW + OPEN_PERIOD, LATER);
        EndpointState ramping = find(table, "ramping");
        open(ramping);
        breaker(ramping)
                .record(breaker(ramping).tryAdmit(NOW + OPEN_PERIOD, LATER), Verdict.SUCCESS, NOW + OPEN_PERIOD, 1);
        EndpointState busy = find(table, "busy");
        busy.attemptStarted();
        find(table, "idle");

        for (int i = 0; i < 100; i++) {
            table.find(endpoint("flood-" + i), NOW + OPEN_PERIOD);
        }

        assertThat(table.figures()).isEqualTo(new TableFigures(6, 100, 0));
        assertThat(find(table, "open")).isSameAs(open);
        assertThat(find(table, "forced")).isSameAs(forced);
        assertThat(find(table, "half-open")).isSameAs(halfOpen);
        assertThat(find(table, "ramping")).isSameAs(ramping);
        assertThat(find(table, "busy")).isSameAs(busy);
        assertThat(trial).isNotEqualTo(CircuitBreaker.REFUSED);
    }

    @ParameterizedTest(name = "{0} ns before the end of the ramp")
    @ValueSource(longs = {1, 0, -1})
    @DisplayName("G5 A6 a ramp keeps its endpoint until its end, and not at it")
    void aRampKeepsItsEndpoint(long before) {
        EndpointTable table = EndpointTable.of(settings(1).build());
        EndpointState ramping = find(table, "ramping");
        open(ramping);
        long closed = NOW + OPEN_PERIOD;
        breaker(ramping).record(breaker(ramping).tryAdmit(closed, LATER), Verdict.SUCCESS, closed, 1);

        table.find(endpoint("new"), closed + OPEN_PERIOD - before);

        boolean forgotten = before <= 0;
        assertThat(table.figures()).isEqualTo(new TableFigures(1, forgotten ? 1 : 0, forgotten ? 0 : 1));
    }

    @Test
    @DisplayName("G5 where nothing can be forgotten a new endpoint goes without a breaker, and that is counted")
    void goesUnguarded() {
        EndpointTable table = EndpointTable.of(settings(2).build());
        table.forceOpen(endpoint("a"), NOW);
        table.forceOpen(endpoint("b"), NOW);

        EndpointState outside = find(table, "c");

        assertThat(outside.breaker()).isNull();
        assertThat(outside.endpoint()).isEqualTo(endpoint("c"));
        assertThat(find(table, "c")).isNotSameAs(outside);
        assertThat(table.forceOpen(endpoint("c"), NOW)).isFalse();
        assertThat(table.figures()).isEqualTo(new TableFigures(2, 0, 3));

        table.close(endpoint("a"), NOW);

        assertThat(find(table, "c").breaker()).isNotNull();
        assertThat(table.figures()).isEqualTo(new TableFigures(2, 1, 3));
    }

    @Test
    @DisplayName("G5 what an evicted endpoint's attempts still say opens nothing")
    void anEvictedBreakerOpensNothing() {
        EndpointTable table = EndpointTable.of(settings(1).build());
        CircuitBreaker evicted = breaker(find(table, "a"));
        int before = evicted.tryAdmit(NOW, LATER);
        find(table, "b");

        evicted.record(before, Verdict.FAILURE, NOW, 1);
        int after = evicted.tryAdmit(NOW, LATER);
        evicted.record(after, Verdict.FAILURE, NOW, 1);

        assertThat(after).isNotEqualTo(CircuitBreaker.REFUSED);
        assertThat(evicted.rejects(NOW)).isFalse();
        assertThat(evicted.figures(NOW).state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    @DisplayName("G2 opening and closing by hand go by name, and a look changes nothing")
    void byHand() {
        EndpointTable table = EndpointTable.of(settings(10).build());

        table.close(endpoint("b"), NOW);
        assertThat(table.rejects(endpoint("b"), NOW)).isFalse();
        assertThat(table.inFlight(endpoint("b"))).isZero();
        assertThat(table.figures().entries()).isZero();

        table.forceOpen(endpoint("b"), NOW);
        table.find(endpoint("a"), NOW).attemptStarted();
        assertThat(table.rejects(endpoint("b"), NOW)).isTrue();
        assertThat(table.rejects(endpoint("a"), NOW)).isFalse();
        assertThat(table.inFlight(endpoint("a"))).isEqualTo(1);
        assertThat(table.endpoints(NOW))
                .extracting(
                        EndpointFigures::endpoint,
                        EndpointFigures::inFlight,
                        e -> e.breaker().state())
                .containsExactly(
                        tuple(endpoint("a"), 1, BreakerState.CLOSED),
                        tuple(endpoint("b"), 0, BreakerState.FORCED_OPEN));

        table.close(endpoint("b"), NOW);
        assertThat(table.rejects(endpoint("b"), NOW)).isFalse();
    }

    @Test
    @DisplayName("G2 G5 opening by hand an endpoint that is being forgotten opens the one that comes after it")
    void byHandWhileItIsForgotten() {
        EndpointTable table = EndpointTable.of(settings(2).build());
        EndpointState leaving = find(table, "a");
        assertThat(breaker(leaving).retire(NOW)).isTrue();

        assertThat(table.forceOpen(endpoint("a"), NOW)).isTrue();

        assertThat(table.rejects(endpoint("a"), NOW)).isTrue();
        assertThat(find(table, "a")).isNotSameAs(leaving);
        assertThat(breaker(leaving).rejects(NOW)).isFalse();
    }

    @Test
    @DisplayName("G2 without breakers endpoints are known and counted, and cannot be opened")
    void withoutBreakers() {
        EndpointTable table = EndpointTable.of(BreakerSettings.none());

        EndpointState state = find(table, "a");

        assertThat(state.breaker()).isNull();
        assertThat(find(table, "a")).isSameAs(state);
        assertThat(table.forceOpen(endpoint("a"), NOW)).isFalse();
        assertThat(table.endpoints(NOW)).isEmpty();
        assertThat(table.figures()).isEqualTo(new TableFigures(1, 0, 0));
    }

    private static BreakerSettings.Builder settings(int tableSize) {
        return BreakerSettings.builder()
                .consecutiveFailures(1)
                .openPeriod(Duration.ofNanos(OPEN_PERIOD))
                .tableSize(tableSize);
    }

    private static Endpoint endpoint(String name) {
        return Endpoint.of("http://" + name + ".example");
    }

    private static EndpointState find(EndpointTable table, String name) {
        return table.find(URI.create("http://" + name + ".example/path"), NOW);
    }

    private static CircuitBreaker breaker(EndpointState state) {
        CircuitBreaker breaker = state.breaker();
        if (breaker == null) {
            throw new AssertionError(state + " is not guarded");
        }
        return breaker;
    }

    private static void open(EndpointState state) {
        breaker(state).record(breaker(state).tryAdmit(NOW, LATER), Verdict.FAILURE, NOW, 1);
    }
}
