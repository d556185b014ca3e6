package dev.escapement.netty;

import java.util.List;
import java.util.stream.Collectors;

/** A transport was asked for with settings that cannot be: every fault found, in the order of the builder's methods. */
public final class SettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * One setting that is out of its range.
     *
     * @param setting the builder's method
     * @param value what it was given
     * @param range what it takes
     */
    public record Fault(String setting, String value, String range) {

        @Override
        public String toString() {
            return setting + " = " + value + ", expected " + range;
        }
    }

    private final transient List<Fault> faults;

    SettingsException(List<Fault> faults) {
        super(faults.stream().map(Fault::toString).collect(Collectors.joining("; ")));
        this.faults = List.copyOf(faults);
    }

    /** The faults, at least one. Not kept by serialisation; the message is. */
    public List<Fault> faults() {
        return faults;
    }
}
