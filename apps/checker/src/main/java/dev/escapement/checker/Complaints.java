package dev.escapement.checker;

import dev.escapement.netty.SettingsException;
import dev.escapement.policy.PolicyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What is wrong with a command line, collected so that all of it is told in one line, by the names of the options (P2).
 * Confined to the thread that reads the command line.
 */
final class Complaints {

    private static final Map<String, String> TRANSPORT_OPTIONS =
            Map.of("maxBodyBytes", "--max-body", "trustCertificates", "--trust");

    private final List<String> all = new ArrayList<>();

    void add(String option, String value, String expected) {
        all.add(option + " = " + value + ": expected " + expected);
    }

    /** Two options exclude each other. */
    void addExcluded(String one, String other) {
        all.add(one + " and " + other + ": expected one of them at most");
    }

    /**
     * Every fault of settings.
     *
     * @param named what a key is called
     */
    void add(PolicyException refusal, UnaryOperator<String> named) {
        refusal.faults().forEach(fault -> add(named.apply(fault.parameter()), fault.value(), fault.range()));
    }

    /** Every fault of a client, whose options are named after its settings. */
    void add(PolicyException refusal) {
        add(refusal, setting -> Knob.optionOf(kebab(setting)));
    }

    /** Every fault of a transport. */
    void add(SettingsException refusal) {
        refusal.faults()
                .forEach(fault -> add(
                        TRANSPORT_OPTIONS.getOrDefault(fault.setting(), fault.setting()),
                        fault.value(),
                        fault.range()));
    }

    private static String kebab(String setting) {
        return setting.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Nothing is wrong, or nothing goes on. */
    void throwIfAny() throws WrongUsage {
        if (!all.isEmpty()) {
            throw wrongUsage();
        }
    }

    /** All that was collected. */
    WrongUsage wrongUsage() {
        return new WrongUsage(String.join("; ", all));
    }
}
