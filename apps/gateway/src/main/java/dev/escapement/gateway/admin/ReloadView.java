package dev.escapement.gateway.admin;

import java.util.List;

/**
 * What reading the configuration again came to. Immutable.
 *
 * @param version that runs now
 * @param changed whether it is another than before
 * @param faults why the text is not in force, a line each; empty if it is
 */
public record ReloadView(String version, boolean changed, List<String> faults) {

    public ReloadView {
        faults = List.copyOf(faults);
    }
}
