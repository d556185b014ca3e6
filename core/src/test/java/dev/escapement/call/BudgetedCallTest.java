package dev.escapement.call;

import static dev.escapement.call.World.GET;
import static dev.escapement.call.World.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.http.Response;
import dev.escapement.policy.BudgetSettings;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.Policy;
import dev.escapement.policy.PolicyException;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import dev.escapement.report.Suppressed;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The retry budget as calls use it: a deposit each, a reservation at the decision, and nothing kept at the end (G1, E8). */
class BudgetedCallTest {

    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final World world = new World();

    @AfterEach
    void nothingIsHeld() {
        world.time.runUntilIdle();
        world.assertClean();
    }

    private static BudgetSettings tenPercent() {
        return BudgetSettings.of(0.1, 0, WINDOW);
    }

    private long reserved() {
        return world.client().budgetFigures().reserved();
    }

    private long deposits() {
        return world.client().budgetFigures().deposits();
    }

    private long suppressed(Suppressed reason) {
        return world.reports.stream()
                .filter(report -> report.suppressed().equals(java.util.Optional.of(reason)))
                .count();
    }

    // ---- VECTORS

    @Test
    @DisplayName(
            "G1 ratio 10 %, floor 0: 100 failing calls that wish 3 retries make 110 attempts, and 100 end suppressed")
    void oneHundredFailingCalls() {
        world.policy(p -> p.maxRetries(3).initialBackoff(ms(0)).budget(tenPercent()));
        world.transport.otherwise().answer(503);

        for (int i = 0; i < 100; i++) {
            world.call(GET);
        }

        assertThat(world.transport.sends()).isEqualTo(110);
        assertThat(suppressed(Suppressed.BUDGET_EMPTY) + suppressed(Suppressed.ATTEMPTS_USED))
                .isEqualTo(100);
        assertThat(world.reports)
                .allSatisfy(report -> assertThat(report.outcome().kind()).isEqualTo(Outcome.Kind.RESPONSE));
        assertThat(deposits()).isEqualTo(100);
    }

    @Test
    @DisplayName("G1 without a budget the same calls make 400 attempts")
    void oneHundredFailingCallsWithoutBudget() {
        world.policy(p -> p.maxRetries(3).initialBackoff(ms(0)).budget(BudgetSettings.none()));
        world.transport.otherwise().answer(503);

        for (int i = 0; i < 100; i++) {
            world.call(GET);
        }

        assertThat(world.transport.sends()).isEqualTo(400);
        assertThat(suppressed(Suppressed.ATTEMPTS_USED)).isEqualTo(100);
    }

    @Test
    @DisplayName("G1 scripted 30 % failures, 3 immediate retries, 1,000 calls: 1,000 + 300 + 90 + 27 = 1,417 attempts")
    void amplificationWithoutBudget() {
        assertThat(attemptsOfAThousandCalls(BudgetSettings.none())).isEqualTo(1_417);
    }

    @Test
    @DisplayName("G1 the same with a budget of 10 %: at most 1,100 attempts")
    void amplificationWithBudget() {
        assertThat(attemptsOfAThousandCalls(tenPercent())).isBetween(1_090, 1_100);
    }

    /** Of each generation of attempts, 3 in 10 fail. */
    private int attemptsOfAThousandCalls(BudgetSettings budget) {
        world.policy(p -> p.maxRetries(3).initialBackoff(ms(0)).budget(budget));
        AtomicInteger[] made = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        int[] generation = {0};
        world.transport
                .otherwise()
                .answer(request -> Response.of(made[generation[0]++].getAndIncrement() % 10 < 3 ? 503 : 200));
        for (int i = 0; i < 1_000; i++) {
            generation[0] = 0;
            world.call(GET);
        }
        return world.transport.sends();
    }

    // ---- When

    @Test
    @DisplayName("G1 a call pays in when its first attempt starts, once, and not while it waits for a permit")
    void oneDepositPerCall() {
        world.policy(p -> p.maxRetries(2).initialBackoff(ms(0)).budget(BudgetSettings.of(1, 0, WINDOW)))
                .permits(1, 1)
                .holdPermits();
        world.transport.otherwise().answer(503);

        world.call(GET);
        assertThat(deposits()).isZero();
        world.givePermit();

        assertThat(world.report().attempts()).isEqualTo(2);
        assertThat(deposits()).isEqualTo(1);
    }

    @Test
    @DisplayName("G1 a retry in backoff is reserved, and used when it starts")
    void reservedInBackoff() {
        world.policy(p -> p.initialBackoff(ms(20)).budget(BudgetSettings.of(1, 0, WINDOW)));
        world.transport.on(1).answer(503);
        world.transport.on(2).answer(200);

        world.call(GET);
        assertThat(reserved()).isEqualTo(1);
        world.time.runUntilIdle();

        assertThat(world.kind()).isEqualTo(Outcome.Kind.RESPONSE);
        assertThat(reserved()).isEqualTo(1);
    }

    @Test
    @DisplayName("R7 R9 an empty budget is the reason, and the refused retry's response whole")
    void refusedByTheBudget() {
        world.policy(p -> p.budget(BudgetSettings.of(0, 0, WINDOW)));
        world.transport.otherwise().answer(503);

        world.call(GET);

        assertThat(world.report().suppressed()).contains(Suppressed.BUDGET_EMPTY);
        assertThat(((Outcome.Response) world.report().outcome()).response().status())
                .isEqualTo(503);
        assertThat(world.transport.bodies().held()).hasSize(1);
        assertThat(world.client().budgetFigures().refused()).isEqualTo(1);
    }

    // ---- E8: the reservation

    /** How a call in backoff, or waiting for its retry's permit, can end first. */
    enum Ending {
        CANCEL,
        CLOSE,
        DEADLINE
    }

    private void end(Ending ending, Call call) {
        switch (ending) {
            case CANCEL -> call.cancel();
            case CLOSE -> assertThat(world.client().close(ms(0))).isNotCompletedExceptionally();
            case DEADLINE -> world.stallTo(ms(1_000));
        }
        world.time.runUntilIdle();
        assertThat(world.reports).hasSize(1);
    }

    @ParameterizedTest(name = "E8 reservation, {0}: given back")
    @DisplayName("E8 G1 reservation: given back when the call ends in backoff")
    @EnumSource(Ending.class)
    void givenBackFromBackoff(Ending ending) {
        world.policy(p -> p.initialBackoff(ms(800)).budget(BudgetSettings.of(1, 0, WINDOW)));
        world.transport.on(1).answer(503);
        Call call = world.call(GET);
        assertThat(reserved()).isEqualTo(1);

        end(ending, call);

        assertThat(reserved()).isZero();
    }

    @ParameterizedTest(name = "E8 reservation, {0} while waiting for the retry's permit: given back")
    @DisplayName("E8 G1 L1 reservation: given back when the call ends while its retry waits for a permit")
    @EnumSource(Ending.class)
    void givenBackFromTheQueue(Ending ending) {
        world.policy(p -> p.permitScope(PermitScope.ATTEMPT).budget(BudgetSettings.of(1, 0, WINDOW)))
                .permits(1, 1);
        world.transport.on(1).answer(503);
        Call call = world.call(GET);
        world.holdPermits();
        world.runTo(ms(50));
        assertThat(reserved()).isEqualTo(1);

        end(ending, call);

        assertThat(reserved()).isZero();
        world.givePermit();
    }

    @Test
    @DisplayName("E8 G1 reservation: given back when no permit comes for the retry")
    void givenBackWithoutPermit() {
        world.policy(p -> p.permitScope(PermitScope.ATTEMPT)
                        .maxQueueWait(ms(100))
                        .budget(BudgetSettings.of(1, 0, WINDOW)))
                .permits(1, 1);
        world.transport.on(1).answer(503);
        world.call(GET);
        world.holdPermits();

        world.time.runUntilIdle();

        assertThat(world.report().suppressed()).contains(Suppressed.NO_PERMIT);
        assertThat(reserved()).isZero();
        world.givePermit();
    }

    @Test
    @DisplayName("E8 G1 A6 what is given back is given back to the bucket it came from")
    void givenBackToItsBucket() {
        world.policy(
                Duration.ofSeconds(20),
                p -> p.initialBackoff(Duration.ofSeconds(6))
                        .maxBackoff(Duration.ofSeconds(6))
                        .budget(BudgetSettings.of(1, 0, WINDOW)));
        world.transport.on(1).answer(503);
        Call call = world.call(GET);
        world.time.advance(Duration.ofSeconds(5));

        call.cancel();
        world.time.runReady();

        assertThat(reserved()).isZero();
    }

    // ---- Classes

    @Test
    @DisplayName("G1 each operation class has a budget of its own, and another policy of it keeps the account")
    void aBudgetPerClass() {
        world.policy(p -> p.budget(BudgetSettings.of(1, 0, WINDOW)));
        world.transport.otherwise().answer(503);
        Client client = world.clientBuilder()
                .operationClass("probe", World.plain(p -> p.version("probe").budget(BudgetSettings.of(0, 0, WINDOW))))
                .build();

        client.call(GET, CallOptions.none().withOperationClass("probe"), world.reports::add);
        world.time.runUntilIdle();

        Report probe = world.report();
        assertThat(probe.policyVersion()).isEqualTo("probe");
        assertThat(probe.suppressed()).contains(Suppressed.BUDGET_EMPTY);
        assertThat(client.budgetFigures("probe").deposits()).isEqualTo(1);
        assertThat(client.budgetFigures().deposits()).isZero();
        client.update("probe", World.plain(p -> p.version("next").budget(BudgetSettings.of(0, 0, WINDOW))));
        assertThat(client.budgetFigures("probe").deposits()).isEqualTo(1);
        client.update("probe", World.plain(p -> p.budget(BudgetSettings.of(1, 0, WINDOW))));
        assertThat(client.budgetFigures("probe").deposits()).isZero();
        assertThatThrownBy(() -> client.call(GET, CallOptions.none().withOperationClass("none"), world.reports::add))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("operation class none: expected one of [probe]");
    }

    @Test
    @DisplayName(
            "P1 P6 G1 all classes replaced at once: one of the same name keeps its account, others begin, or are known no more")
    void classesReplaced() {
        BudgetSettings settings = BudgetSettings.of(0, 0, WINDOW);
        world.policy(p -> p.budget(settings));
        world.transport.otherwise().answer(503);
        Client client = world.clientBuilder()
                .operationClass("kept", World.plain(p -> p.budget(settings)))
                .operationClass("gone", World.plain(p -> p.budget(settings)))
                .build();
        client.call(GET, CallOptions.none().withOperationClass("kept"), world.reports::add);
        world.time.runUntilIdle();
        Map<String, Policy> next = Map.of(
                "kept", World.plain(p -> p.version("2").budget(settings)),
                "new", World.plain(p -> p.version("2").budget(settings)));

        client.update(World.plain(p -> p.version("2").budget(settings)), next);

        assertThat(client.budgetFigures("kept").deposits()).isEqualTo(1);
        assertThat(client.budgetFigures("new").deposits()).isZero();
        client.call(GET, CallOptions.none().withOperationClass("kept"), world.reports::add);
        client.call(GET, CallOptions.none(), world.reports::add);
        world.time.runUntilIdle();
        assertThat(world.reports).extracting(Report::policyVersion).endsWith("2", "2");
        assertThatThrownBy(() -> client.call(GET, CallOptions.none().withOperationClass("gone"), world.reports::add))
                .isInstanceOf(IllegalArgumentException.class);
        Map<String, Policy> tooMany = IntStream.rangeClosed(0, Client.MAX_CLASSES)
                .boxed()
                .collect(Collectors.toMap(i -> "class-" + i, i -> World.plain(p -> p)));
        assertThatThrownBy(() -> client.update(World.plain(p -> p), tooMany))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("operationClasses");
        assertThat(client.budgetFigures("kept").deposits()).isEqualTo(2);
    }
}
