package dev.escapement.proof.faults;

import dev.escapement.fixtures.explorer.Explorer;
import dev.escapement.fixtures.explorer.Scenario;
import dev.escapement.policy.PolicyException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Plays the scenario of a number and tells what it saw: where engine and model part, or null. In the world of a planted fault this class
 * is loaded anew with all it uses, and what the two worlds talk by is the JDK's interface alone.
 *
 * <p>Stateless.
 */
public final class Witness implements LongFunction<@Nullable String> {

    /** For the world outside, by reflection. */
    public Witness() {}

    @Override
    public @Nullable String apply(long number) {
        try {
            return Explorer.explore(Scenario.random(number)).difference().orElse(null);
        } catch (PolicyException noClient) {
            // P4: too late by this world's clock for the policy that was drawn, and a client was never built.
            return null;
        }
    }
}
