package dev.escapement.gateway.config;

import java.util.List;
import java.util.TreeSet;

/** What is wrong with one text, and what is odd about it, as far as it has been read. Confined to the thread that reads. */
final class Faults {

    private final String file;
    private final TreeSet<Fault> faults = new TreeSet<>();
    private final TreeSet<Fault> warnings = new TreeSet<>();

    Faults(String file) {
        this.file = file;
    }

    void fault(Place place, String path, String message) {
        faults.add(new Fault(file, place.line(), place.column(), path, message));
    }

    void warning(Place place, String path, String message) {
        warnings.add(new Fault(file, place.line(), place.column(), path, message));
    }

    int count() {
        return faults.size();
    }

    /** In the order of the text. */
    List<Fault> faults() {
        return List.copyOf(faults);
    }

    List<Fault> warnings() {
        return List.copyOf(warnings);
    }
}
