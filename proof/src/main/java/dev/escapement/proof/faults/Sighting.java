package dev.escapement.proof.faults;

import java.util.OptionalLong;

/**
 * A fault was seen.
 *
 * @param scenario the first random one in which it was; empty: in its scene
 * @param what the difference, or what was thrown
 */
record Sighting(Fault fault, OptionalLong scenario, String what) {

    /** In what, in words. */
    String where() {
        return scenario.isPresent() ? Long.toString(scenario.getAsLong()) : "its scene";
    }

    @Override
    public String toString() {
        return "seen in " + where() + ": " + fault + ": " + what;
    }
}
