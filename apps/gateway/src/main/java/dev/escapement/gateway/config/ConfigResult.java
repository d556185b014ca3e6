package dev.escapement.gateway.config;

import java.util.List;

/** What reading a configuration comes to. Both are immutable. */
public sealed interface ConfigResult {

    /** What its author may not have meant; no errors. */
    List<Fault> warnings();

    /** It can be used. */
    record Good(GatewayConfig config, List<Fault> warnings) implements ConfigResult {

        public Good {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * It cannot.
     *
     * @param faults all of them, in the order of the text
     */
    record Bad(List<Fault> faults, List<Fault> warnings) implements ConfigResult {

        public Bad {
            faults = List.copyOf(faults);
            warnings = List.copyOf(warnings);
        }
    }
}
