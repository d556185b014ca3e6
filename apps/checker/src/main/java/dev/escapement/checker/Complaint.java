package dev.escapement.checker;

import dev.escapement.netty.SettingsException;
import dev.escapement.policy.PolicyException;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Says in one line what is wrong with a command line, by the names of its options. Pure. */
final class Complaint {

    private static final Map<String, String> TRANSPORT_OPTIONS =
            Map.of("maxBodyBytes", "--max-body", "trustCertificates", "--trust");

    private Complaint() {}

    /** Every fault of a policy or a client; their options are named after its settings. */
    static String of(PolicyException refusal) {
        return refusal.faults().stream()
                .map(fault -> option(fault.parameter()) + " = " + fault.value() + ": expected " + fault.range())
                .collect(Collectors.joining("; "));
    }

    /** Every fault of a transport. */
    static String of(SettingsException refusal) {
        return refusal.faults().stream()
                .map(fault -> TRANSPORT_OPTIONS.getOrDefault(fault.setting(), fault.setting()) + " = " + fault.value()
                        + ": expected " + fault.range())
                .collect(Collectors.joining("; "));
    }

    private static String option(String setting) {
        return "--" + setting.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
