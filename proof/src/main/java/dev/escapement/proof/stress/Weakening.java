package dev.escapement.proof.stress;

import dev.escapement.proof.SourcePatch;
import java.util.List;

/**
 * One access of a shipped class made weaker than it must be, and the races that have to notice.
 *
 * @param what it is, in a few words
 * @param patch how it is done
 * @param races each of them sees an outcome that it forbids
 */
public record Weakening(String what, SourcePatch patch, List<Class<?>> races) {

    /** The races are copied. */
    public Weakening {
        races = List.copyOf(races);
    }

    static Weakening of(String what, SourcePatch patch, Class<?>... races) {
        return new Weakening(what, patch, List.of(races));
    }
}
