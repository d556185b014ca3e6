package dev.escapement.gateway.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One mapping of a configuration while settings are read from it: hands out values by key, tells the faults what cannot be read, and knows
 * at the end which keys nobody asked for. Confined to the thread that reads.
 */
final class Section {

    private final Yaml.Mapping mapping;
    private final String path;
    private final Faults faults;
    private final Set<String> asked = new LinkedHashSet<>();

    /** Keys that are known elsewhere, and were told of. */
    private final Set<String> elsewhere = new LinkedHashSet<>();

    Section(Yaml.Mapping mapping, String path, Faults faults) {
        this.mapping = mapping;
        this.path = path;
        this.faults = faults;
    }

    String path() {
        return path;
    }

    /** Its keys as they are written, where they are names that the author gave. */
    Set<String> names() {
        return mapping.entries().keySet();
    }

    boolean has(String key) {
        asked.add(key);
        return mapping.entries().containsKey(key);
    }

    /** The value under that key, or the preset where there is none or none that can be read. */
    <T> T value(String key, ValueText<T> notation, T preset) {
        return optional(key, notation).orElse(preset);
    }

    /** The value under that key, whose want is a fault. */
    <T> Optional<T> required(String key, ValueText<T> notation) {
        missing(key, notation.expected());
        return optional(key, notation);
    }

    /** Tells the want of a key, unless it is given and something else is wrong with it. */
    void missing(String key, String expected) {
        if (!has(key)) {
            faults.fault(mapping.place(), path, "no " + Shown.quoted(key) + ": expected " + expected);
        }
    }

    /** Tells of a key that is known elsewhere, and not here. */
    void notHere(String key, String instead) {
        Yaml.Entry entry = mapping.entries().get(key);
        if (entry != null && elsewhere.add(key)) {
            faults.fault(entry.place(), YamlText.below(path, key), "unknown key; " + instead);
        }
    }

    <T> Optional<T> optional(String key, ValueText<T> notation) {
        return given(key).flatMap(value -> read(value, YamlText.below(path, key), notation));
    }

    /** The values under that key; a value that stands alone is a list of one. */
    <T> List<T> list(String key, ValueText<T> notation) {
        List<T> values = new ArrayList<>();
        Optional<Yaml> given = given(key);
        String below = YamlText.below(path, key);
        if (given.isPresent() && given.get() instanceof Yaml.Items items) {
            for (int i = 0; i < items.items().size(); i++) {
                read(items.items().get(i), below + "[" + i + "]", notation).ifPresent(values::add);
            }
        } else {
            given.flatMap(value -> read(value, below, notation)).ifPresent(values::add);
        }
        return List.copyOf(values);
    }

    /** Like {@link #list}, where each value may stand once. */
    <T> Set<T> set(String key, ValueText<T> notation) {
        Set<T> values = new LinkedHashSet<>();
        for (T value : list(key, notation)) {
            if (!values.add(value)) {
                fault(key, Shown.quoted(notation.write(value)) + " twice");
            }
        }
        return values;
    }

    private <T> Optional<T> read(Yaml value, String at, ValueText<T> notation) {
        if (value instanceof Yaml.Text text) {
            Optional<T> read = notation.read(text.value());
            if (read.isEmpty()) {
                faults.fault(value.place(), at, Shown.quoted(text.value()) + ": expected " + notation.expected());
            }
            return read;
        }
        faults.fault(value.place(), at, value.kind() + ": expected " + notation.expected());
        return Optional.empty();
    }

    /** The mapping under that key; empty if there is none. */
    Optional<Section> section(String key) {
        return given(key).flatMap(value -> section(value, YamlText.below(path, key)));
    }

    /** The mapping under that key, or an empty one. */
    Section sectionOrEmpty(String key) {
        return section(key)
                .orElseGet(() ->
                        new Section(new Yaml.Mapping(mapping.place(), Map.of()), YamlText.below(path, key), faults));
    }

    /** The mappings in the list under that key. */
    List<Section> sections(String key) {
        Optional<Yaml> given = given(key);
        String below = YamlText.below(path, key);
        if (given.isPresent() && given.get() instanceof Yaml.Items items) {
            List<Section> sections = new ArrayList<>();
            for (int i = 0; i < items.items().size(); i++) {
                section(items.items().get(i), below + "[" + i + "]").ifPresent(sections::add);
            }
            return sections;
        }
        given.ifPresent(value -> faults.fault(value.place(), below, value.kind() + ": expected a list of mappings"));
        return List.of();
    }

    /** The mappings that this one holds, by the names that their author gave. */
    Map<String, Section> named(ValueText<String> name) {
        Map<String, Section> sections = new LinkedHashMap<>();
        for (String key : names()) {
            name(key, name);
            section(key).ifPresent(section -> sections.put(key, section));
        }
        return sections;
    }

    /** What a key says that its author gave. */
    <T> Optional<T> name(String key, ValueText<T> notation) {
        Yaml.Entry entry = Objects.requireNonNull(mapping.entries().get(key));
        Optional<T> read = notation.read(key);
        if (read.isEmpty()) {
            faults.fault(
                    entry.place(),
                    YamlText.below(path, key),
                    Shown.quoted(key) + " as a key: expected " + notation.expected());
        }
        return read;
    }

    private Optional<Section> section(Yaml value, String at) {
        if (value instanceof Yaml.Mapping found) {
            return Optional.of(new Section(found, at, faults));
        }
        faults.fault(value.place(), at, value.kind() + ": expected a mapping");
        return Optional.empty();
    }

    /** Whether a mapping stands under that key. */
    boolean isMapping(String key) {
        return given(key).filter(Yaml.Mapping.class::isInstance).isPresent();
    }

    /** Whether a list stands under that key. */
    boolean isList(String key) {
        return given(key).filter(Yaml.Items.class::isInstance).isPresent();
    }

    private Optional<Yaml> given(String key) {
        return has(key) ? Optional.ofNullable(mapping.entries().get(key)).map(Yaml.Entry::value) : Optional.empty();
    }

    /** Tells what is wrong with a value that could be read; with the mapping, where the key is not given. */
    void fault(String key, String message) {
        faults.fault(placeOf(key), has(key) ? YamlText.below(path, key) : path, message);
    }

    /** How much is wrong with the whole text so far. */
    int faultCount() {
        return faults.count();
    }

    void warning(String key, String message) {
        faults.warning(placeOf(key), has(key) ? YamlText.below(path, key) : path, message);
    }

    private Place placeOf(String key) {
        return given(key).map(Yaml::place).orElse(mapping.place());
    }

    /** Ends the reading: a key that nobody asked for is a fault. */
    void end() {
        mapping.entries().forEach((key, entry) -> {
            if (!asked.contains(key) && !elsewhere.contains(key)) {
                faults.fault(entry.place(), YamlText.below(path, key), "unknown key" + knownKeys(key));
            }
        });
    }

    private String knownKeys(String key) {
        String question = Nearest.question(key, asked);
        return question.isEmpty() ? "; known are " + String.join(", ", asked) : question;
    }
}
