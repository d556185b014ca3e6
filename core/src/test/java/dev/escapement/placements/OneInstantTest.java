package dev.escapement.placements;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.CallOut;
import dev.escapement.fixtures.CallOuts;
import dev.escapement.fixtures.VirtualTime.Home;
import dev.escapement.fixtures.explorer.Act;
import dev.escapement.fixtures.explorer.ActPlan;
import dev.escapement.fixtures.explorer.Explorer;
import dev.escapement.fixtures.explorer.Finding;
import dev.escapement.fixtures.explorer.Placement;
import dev.escapement.fixtures.explorer.Scenario;
import dev.escapement.placements.Coincidence.Event;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A2, A3, A6: up to five things at one instant, in every order in which they can be put down, in every policy kind where they can meet and
 * on every home. Engine and contract agree; and where all of them are seen in one look, the outcome is the first in A2's list, by
 * a rule that is written here again.
 *
 * <p>The acts come as events, one after another, before the timers of that instant; or all of them while the call is being woken, so that
 * its one look sees all.
 */
@ExtendWith(QuietAdvice.class)
class OneInstantTest {

    private static final int MOST_EVENTS = 5;

    private final List<String> differences = new ArrayList<>();
    private final AtomicLong played = new AtomicLong();

    @ParameterizedTest(name = "A2 A3 A6 {0}, one after another")
    @DisplayName("A2 A3 A6 up to five events of one instant, put down in every order, one after another")
    @EnumSource(Coincidence.class)
    void whatComesOneAfterAnother(Coincidence where) {
        kinds(where)
                .forEach(kind ->
                        forEachHomeAndOrder(where, order -> explore(where, kind, order, events(where, order))));

        assertThat(differences).isEmpty();
        assertThat(played.get()).isEqualTo(where.scenarios());
    }

    @ParameterizedTest(name = "A2 A3 A6 {0}, seen in one look")
    @DisplayName(
            "A2 A3 A6 up to five events of one instant, in every order, all seen in one look: the first in the list counts")
    @EnumSource(Coincidence.class)
    void whatIsSeenInOneLook(Coincidence where) {
        kinds(where).forEach(kind -> forEachHomeAndOrder(where, order -> inOneLook(where, kind, order)));

        assertThat(differences).isEmpty();
        assertThat(played.get()).isEqualTo(where.scenarios());
    }

    /** The events, those that are acts in this order, on that home. */
    private record Order(Home home, Set<Event> events, List<Event> acts) {}

    private static Stream<PolicyKind> kinds(Coincidence where) {
        return PolicyKind.all().parallelStream().filter(where::suits);
    }

    private static void forEachHomeAndOrder(Coincidence where, Consumer<Order> visitor) {
        for (Set<Event> events : subsets(where.events())) {
            if (events.size() <= MOST_EVENTS && where.isPossible(events)) {
                List<Event> acts = events.stream()
                        .filter(event -> !event.comesByTime() && event != Event.ANOTHER_CALL)
                        .toList();
                for (List<Event> order : orders(acts)) {
                    for (Home home : Home.values()) {
                        visitor.accept(new Order(home, events, order));
                    }
                }
            }
        }
    }

    private static List<Set<Event>> subsets(Set<Event> of) {
        List<Set<Event>> subsets = List.of(EnumSet.noneOf(Event.class));
        for (Event event : of) {
            List<Set<Event>> more = new ArrayList<>(subsets);
            for (Set<Event> without : subsets) {
                Set<Event> with = EnumSet.copyOf(without);
                with.add(event);
                more.add(with);
            }
            subsets = more;
        }
        return subsets;
    }

    private static List<List<Event>> orders(List<Event> of) {
        List<List<Event>> orders = List.of(List.of());
        for (Event event : of) {
            List<List<Event>> longer = new ArrayList<>();
            for (List<Event> order : orders) {
                for (int at = 0; at <= order.size(); at++) {
                    List<Event> with = new ArrayList<>(order);
                    with.add(at, event);
                    longer.add(with);
                }
            }
            orders = longer;
        }
        return orders;
    }

    // ---- Played

    private static List<ActPlan> events(Coincidence where, Order order) {
        return acts(where, order)
                .map(act -> new ActPlan(Coincidence.AT_NANOS, act))
                .toList();
    }

    private static Stream<Act> acts(Coincidence where, Order order) {
        return order.acts().stream().flatMap(event -> where.acts(event).stream());
    }

    /** The call is woken at the instant, and the acts happen while its home is asked whether this is its context. */
    private void inOneLook(Coincidence where, PolicyKind kind, Order order) {
        Scenario woken = scenario(where, kind, order, List.of(new ActPlan(Coincidence.AT_NANOS, new Act.WakeAll())));
        CallOuts.Step asked = asked(where, Explorer.explore(woken));
        List<Placement> placements =
                acts(where, order).map(act -> new Placement(asked, false, act)).toList();
        Scenario scenario = new Scenario(woken.stage(), woken.settings(), woken.calls(), woken.acts(), placements);
        Finding finding = compare(scenario, order);
        Optional<String> outcome = where.outcome(kind, order.events());
        if (outcome.isPresent() && !isReported(where, finding, outcome.get())) {
            note("A2 " + order + ": " + outcome.get() + " expected\n" + scenario);
        }
    }

    /** The question of the call that is looked at, at the instant. */
    private static CallOuts.Step asked(Coincidence where, Finding finding) {
        int questions = 0;
        for (String line : finding.trace()) {
            if (line.contains(" CONTEXT ")) {
                questions++;
                if (line.startsWith(Coincidence.AT_NANOS + " CONTEXT call " + where.call() + " ")) {
                    return new CallOuts.Step(CallOut.IN_CONTEXT, questions);
                }
            }
        }
        throw new AssertionError("the call is not woken: " + finding.trace());
    }

    private static boolean isReported(Coincidence where, Finding finding, String outcome) {
        String report = Coincidence.AT_NANOS + " REPORT call " + where.call() + " 0 no " + outcome;
        return finding.trace().stream().anyMatch(line -> line.startsWith(report));
    }

    private void explore(Coincidence where, PolicyKind kind, Order order, List<ActPlan> acts) {
        compare(scenario(where, kind, order, acts), order);
    }

    private Finding compare(Scenario scenario, Order order) {
        Finding finding = Explorer.explore(scenario);
        played.incrementAndGet();
        finding.difference().ifPresent(difference -> note(order + ": " + difference + "\n" + scenario));
        return finding;
    }

    private synchronized void note(String difference) {
        if (differences.size() < 5) {
            differences.add(difference);
        }
    }

    private static Scenario scenario(Coincidence where, PolicyKind kind, Order order, List<ActPlan> acts) {
        Map<String, String> settings = kind.settings();
        where.adjust(settings, kind, order.events());
        String another =
                order.events().contains(Event.ANOTHER_CALL) ? "call " + (where.call() + 1) + " at 20ms GET\n" : "";
        String stall = needsStall(where, kind, order) ? "at 5ms stall-to 20ms\n" : "";
        Scenario bare = Scene.scenario(order.home(), settings, where.calls(order.events()) + another + stall);
        List<ActPlan> all = new ArrayList<>(bare.acts());
        all.addAll(acts);
        return new Scenario(bare.stage(), bare.settings(), bare.calls(), all, List.of());
    }

    /** Where what is due at the deadline was due before, by the reserve or because it had to fit, everything is looked at late. */
    private static boolean needsStall(Coincidence where, PolicyKind kind, Order order) {
        return order.events().contains(Event.DEADLINE)
                && (where == Coincidence.IN_BACKOFF || (where == Coincidence.IN_FLIGHT && kind.reserve()));
    }
}
