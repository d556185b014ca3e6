package dev.escapement.policy;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** A policy or a client that cannot be built; lists every fault found, in a fixed order (P2). Nothing was started. */
public final class PolicyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final transient List<PolicyFault> faults;

    /** @param faults at least one; sorted here by kind, equal kinds keeping their order */
    public PolicyException(List<PolicyFault> faults) {
        super(faults.stream()
                .sorted(Comparator.comparing(PolicyFault::kind))
                .map(PolicyFault::toString)
                .collect(Collectors.joining("; ")));
        this.faults = faults.stream()
                .sorted(Comparator.comparing(PolicyFault::kind))
                .collect(Collectors.toUnmodifiableList());
    }

    public List<PolicyFault> faults() {
        return faults;
    }
}
