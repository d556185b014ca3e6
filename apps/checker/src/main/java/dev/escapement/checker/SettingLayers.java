package dev.escapement.checker;

import dev.escapement.http.Method;
import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.Policy;
import dev.escapement.policy.PolicyException;
import dev.escapement.policy.UpstreamSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Settings that lie in layers over one another: the defaults, a file, the command line. A layer wins, key by key, over those
 * below. Confined to the thread that reads the command line.
 *
 * <p>Three things are not said by one key alone. {@code budget=none}, or {@code breaker=none}, takes away what layers below say
 * of the group; any other key of the group takes away a {@code none} below; and of the breaker's two windows the upper layer's
 * stands.
 */
final class SettingLayers {

    private static final List<String> GROUPS = List.of(Knob.BUDGET_GROUP, Knob.BREAKER_GROUP);
    private static final String NONE = "none";

    /** On the command line: there is one, and what is not said of it has the library's default. */
    private static final String STANDARD = "standard";

    private final Map<String, String> settings = new TreeMap<>();

    /** The keys that a file gave and the command line did not; for complaints, with what they call the file. */
    private final Set<String> inFile = new HashSet<>();

    private String fileName = "";

    SettingLayers(Map<String, String> defaults) {
        put(defaults);
    }

    /** Lays these over what is there. */
    void put(Map<String, String> layer) {
        GROUPS.forEach(group -> makeWay(group, layer));
        makeWay(Knob.BREAKER_TIME_WINDOW, Knob.BREAKER_COUNT_WINDOW, layer);
        makeWay(Knob.BREAKER_COUNT_WINDOW, Knob.BREAKER_TIME_WINDOW, layer);
        settings.putAll(layer);
    }

    private void makeWay(String group, Map<String, String> layer) {
        String parts = group + "-";
        if (layer.containsKey(group)) {
            settings.keySet().removeIf(key -> key.startsWith(parts));
        } else if (layer.keySet().stream().anyMatch(key -> key.startsWith(parts))) {
            settings.remove(group);
        }
    }

    private void makeWay(Knob wins, Knob goes, Map<String, String> layer) {
        if (layer.containsKey(wins.key)) {
            settings.remove(goes.key);
        }
    }

    /** Lays what a file says over what is there. */
    void putFile(Path file, Map<String, String> layer) {
        put(layer);
        inFile.addAll(layer.keySet());
        fileName = Printable.line(file.toString());
    }

    /** Lays what the command line says over what is there. */
    void putCommandLine(Map<Knob, String> given, Complaints complaints) {
        Map<String, String> layer = new TreeMap<>();
        given.forEach((knob, text) -> layer.put(knob.key, text));
        put(layer);
        inFile.removeAll(layer.keySet());
        for (String group : GROUPS) {
            String word = layer.getOrDefault(group, NONE);
            if (!word.equals(NONE)) {
                settings.remove(group);
            }
            if (!word.equals(NONE) && !word.equals(STANDARD)) {
                complaints.add(Knob.optionOf(group), Printable.shown(word), NONE + " or " + STANDARD);
            }
        }
    }

    /** The settings as they lie; standard ones where something is wrong with them, which the complaints are told. */
    UpstreamSettings read(Complaints complaints) {
        checkMethods(complaints);
        try {
            return UpstreamSettings.of(settings);
        } catch (PolicyException refusal) {
            complaints.add(refusal, this::nameOf);
            return new UpstreamSettings(Policy.standard(), BreakerSettings.none());
        }
    }

    /** The library retries methods of any name; a list has but eight, and another one is a slip. */
    private void checkMethods(Complaints complaints) {
        String key = Knob.RETRYABLE_METHODS.key;
        String methods = settings.getOrDefault(key, NONE);
        if (!methods.equals(NONE) && !Arrays.stream(methods.split(",", -1)).allMatch(Method::isKnown)) {
            complaints.add(
                    nameOf(key),
                    Printable.shown(methods),
                    "none, or GET, HEAD, OPTIONS, TRACE, PUT, DELETE, POST, PATCH with commas between them");
            settings.remove(key);
        }
    }

    private String nameOf(String key) {
        return inFile.contains(key) || !Knob.isKey(key) ? fileName + ": " + key : Knob.optionOf(key);
    }
}
