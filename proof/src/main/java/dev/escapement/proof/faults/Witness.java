package dev.escapement.proof.faults;

import dev.escapement.fixtures.explorer.Explorer;
import dev.escapement.fixtures.explorer.Scenario;
import dev.escapement.policy.PolicyException;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Plays a scenario, the random one of a number or that of a script, and tells what it saw: where engine and model part, or null. In the
 * world of a planted fault this class is loaded anew with all it uses, and what the two worlds talk by is the JDK's interfaces alone.
 *
 * <p>Stateless.
 */
public final class Witness implements LongFunction<@Nullable String>, Function<String, @Nullable String> {

    /** For the world outside, by reflection. */
    public Witness() {}

    @Override
    public @Nullable String apply(long number) {
        return look(Scenario.random(number));
    }

    @Override
    public @Nullable String apply(String script) {
        return look(Scenario.parse(script));
    }

    private static @Nullable String look(Scenario scenario) {
        try {
            return Explorer.explore(scenario).difference().orElse(null);
        } catch (PolicyException noClient) {
            // P4: too late by this world's clock for the policy that was drawn, and a client was never built.
            return null;
        }
    }
}
