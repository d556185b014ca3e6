package dev.escapement.netty;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The faults found so far among settings, to be told all at once. One owner. */
final class Faults {

    private final List<SettingsException.Fault> found = new ArrayList<>();

    void range(String setting, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            add(setting, value.toString(), min + " to " + max);
        }
    }

    void range(String setting, int value, int min, int max) {
        if (value < min || value > max) {
            add(setting, Integer.toString(value), min + " to " + max);
        }
    }

    void add(String setting, String value, String range) {
        found.add(new SettingsException.Fault(setting, value, range));
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** What tells them all. */
    SettingsException exception() {
        return new SettingsException(found);
    }
}
