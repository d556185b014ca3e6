package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.POST;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.escapement.permit.PermitPool;
import dev.escapement.policy.Policy;
import dev.escapement.policy.PolicyAdvisory;
import dev.escapement.policy.PolicyException;
import dev.escapement.policy.PolicyFault;
import dev.escapement.policy.PolicyFault.Kind;
import dev.escapement.report.Report;
import dev.escapement.time.Schedulers;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P1, P2, P4: a client that is wrong cannot be built, and its policy is replaced whole or not at all. */
class ClientTest {

    private static List<PolicyFault> faults(World world, UnaryOperator<Client.Builder> with) {
        Client.Builder builder = with.apply(
                Client.builder(world.transport, Schedulers.of(world.time)).policy(world.policy));
        PolicyException refused = catchThrowableOfType(PolicyException.class, builder::build);
        return refused == null ? List.of() : refused.faults();
    }

    @ParameterizedTest(name = "P2 concurrency {0}: {1}")
    @DisplayName("P2 a concurrency of 0 or above the maximum is refused, naming parameter, value and range")
    @CsvSource({"-1, CONCURRENCY_ZERO", "0, CONCURRENCY_ZERO", "1,", "1073741823,", "1073741824, CONCURRENCY_TOO_LARGE"
    })
    void concurrencyIsChecked(int concurrency, Kind expected) {
        List<PolicyFault> faults =
                faults(new World(), b -> b.concurrency(concurrency).maxQueue(0));

        if (expected == null) {
            assertThat(faults).isEmpty();
        } else {
            assertThat(faults).singleElement().satisfies(fault -> {
                assertThat(fault.kind()).isEqualTo(expected);
                assertThat(fault.parameter()).isEqualTo("concurrency");
                assertThat(fault.value()).isEqualTo(Integer.toString(concurrency));
                assertThat(fault.range())
                        .contains(expected == Kind.CONCURRENCY_ZERO ? "1" : "" + PermitPool.MAX_PERMITS);
            });
        }
    }

    @ParameterizedTest(name = "P2 maxQueue {0}")
    @DisplayName("P2 G5 a queue shorter than nothing or longer than can be counted is refused")
    @ValueSource(ints = {Integer.MIN_VALUE, -1, PermitPool.MAX_WAITING + 1})
    void theQueueIsChecked(int maxQueue) {
        assertThat(faults(new World(), b -> b.maxQueue(maxQueue)))
                .singleElement()
                .extracting(PolicyFault::kind, PolicyFault::parameter)
                .containsExactly(Kind.OUT_OF_RANGE, "maxQueue");
        assertThat(faults(new World(), b -> b.maxQueue(0))).isEmpty();
        assertThat(faults(new World(), b -> b.maxQueue(PermitPool.MAX_WAITING))).isEmpty();
    }

    @ParameterizedTest(name = "P2 P4 {0} ns over what the clock has left")
    @DisplayName("P2 P4 a policy whose deadlines the clock cannot hold now is refused, each sum by its own name")
    @ValueSource(longs = {-1, 0, 1})
    void deadlinesAreCheckedAgainstTheClock(long edge) {
        World world = new World(Long.MAX_VALUE - ms(1_000).toNanos());
        world.policy(
                ms(1_000).plusNanos(edge),
                p -> p.attemptTimeout(ms(1_000).plusNanos(edge))
                        .maxBackoff(ms(1_000).plusNanos(edge)));

        assertThat(faults(world, b -> b))
                .extracting(PolicyFault::kind)
                .isEqualTo(
                        edge <= 0
                                ? List.of()
                                : List.of(
                                        Kind.ATTEMPT_DEADLINE_OVERFLOW,
                                        Kind.OVERALL_DEADLINE_OVERFLOW,
                                        Kind.BACKOFF_DEADLINE_OVERFLOW));
    }

    @Test
    @DisplayName("P2 every fault is listed at once, in a fixed order, and nothing was started")
    void everyFaultIsListedInOrder() {
        World world = new World(Long.MAX_VALUE - ms(1_000).toNanos());
        world.policy(ms(2_000), p -> p);

        assertThat(faults(world, b -> b.maxQueue(-1).concurrency(0)))
                .extracting(PolicyFault::kind)
                .containsExactly(Kind.CONCURRENCY_ZERO, Kind.OVERALL_DEADLINE_OVERFLOW, Kind.OUT_OF_RANGE);
        world.time.assertNothingLeft();
    }

    @Test
    @DisplayName("L2 as many may wait as there are permits, unless said")
    void theQueueIsAsLongAsThereArePermits() {
        World world = new World();
        world.transport.otherwise().hangAfterWrite();
        Client client = Client.builder(world.transport, Schedulers.of(world.time))
                .policy(world.policy)
                .concurrency(3)
                .build();

        for (int i = 0; i < 7; i++) {
            client.call(GET, CallOptions.none(), world.reports::add);
        }

        assertThat(client.figures().permitsHeld()).isEqualTo(3);
        assertThat(client.figures().waiting()).isEqualTo(3);
        assertThat(world.reports).hasSize(1);
    }

    @Test
    @DisplayName("P1 a call keeps the policy it entered with; later ones get the new one, and update tells the old one")
    void aRunningCallKeepsItsPolicy() {
        World world = new World().policy(p -> p.version("old"));
        world.transport.otherwise().answer(503);
        Policy old = world.policy;
        world.call(GET);

        Policy before = world.client().update(World.plain(p -> p.version("new").maxRetries(0)));
        world.call(GET);
        world.time.runUntilIdle();

        assertThat(before).isSameAs(old);
        assertThat(world.reports).extracting(Report::policyVersion).containsExactly("new", "old");
        assertThat(world.reports).extracting(Report::attempts).containsExactly(1, 2);
        world.assertClean();
    }

    @Test
    @DisplayName("P4 a policy whose deadlines the clock cannot hold is refused, and nothing is replaced")
    void anUpdateThatOverflowsIsRefused() {
        World world = new World(Long.MAX_VALUE - ms(2_000).toNanos()).policy(p -> p.version("old"));
        world.transport.otherwise().answer(200);

        assertThatThrownBy(() -> world.client().update(World.plain(p -> p.attemptTimeout(ms(2_001)))))
                .isInstanceOf(PolicyException.class);
        world.call(POST);

        assertThat(world.report().policyVersion()).isEqualTo("old");
        world.assertClean();
    }

    @Test
    @DisplayName("P5 the builder returns what the policies advise against, of every class")
    void advisoriesAreReturned() {
        Client.Builder builder = new World()
                .clientBuilder()
                .operationClass("patient", World.plain(p -> p.maxRetries(7)))
                .operationClass("plain", World.plain(p -> p));

        assertThat(builder.advisories())
                .extracting(PolicyAdvisory::kind)
                .containsExactly(PolicyAdvisory.Kind.RETRIES_OUTGROW_BUDGET);
    }

    @Test
    @DisplayName("P2 G5 no more than sixteen operation classes")
    void operationClassesAreBounded() {
        Client.Builder builder = new World().clientBuilder();
        for (int i = 0; i < Client.MAX_CLASSES; i++) {
            builder.operationClass("class-" + i, World.plain(p -> p));
        }
        builder.build();

        builder.operationClass("one-more", World.plain(p -> p));

        assertThatThrownBy(builder::build)
                .isInstanceOf(PolicyException.class)
                .hasMessage("operationClasses = 17: expected at most 16");
    }
}
