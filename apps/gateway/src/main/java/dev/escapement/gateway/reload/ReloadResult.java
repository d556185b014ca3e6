package dev.escapement.gateway.reload;

import dev.escapement.gateway.config.Fault;
import java.util.List;

/**
 * What an attempt to go over to another configuration came to. Immutable.
 *
 * @param version that is in force now
 * @param faults why the text is not; empty unless it was refused
 */
public record ReloadResult(Kind kind, String version, List<Fault> faults) {

    /** What became of the text. */
    public enum Kind {
        /** It is in force. */
        LOADED,
        /** It was in force already. */
        UNCHANGED,
        /** Something is wrong with it, or with the moment; what ran goes on. */
        REFUSED
    }

    public ReloadResult {
        faults = List.copyOf(faults);
    }
}
