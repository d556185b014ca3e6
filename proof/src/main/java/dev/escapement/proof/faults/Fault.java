package dev.escapement.proof.faults;

import dev.escapement.proof.SourcePatch;
import java.util.Optional;

/**
 * A fault that somebody could have made: a patch, and the rule of the contract that it breaks.
 *
 * @param room the list that it stands in
 * @param name what is wrong when it is there, in words
 * @param rule the rule that forbids it
 * @param scene the script of a scenario that shows it, where a random one seldom does
 */
public record Fault(String room, String name, String rule, SourcePatch patch, Optional<String> scene) {

    @Override
    public String toString() {
        return name + " (" + rule + ", " + patch.file() + ")";
    }
}
