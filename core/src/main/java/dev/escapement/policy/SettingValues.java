package dev.escapement.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value for each setting of a policy: the one given, or the default. A builder writes into its own; a policy keeps a copy
 * that nobody writes to.
 */
final class SettingValues {

    /** The value of each setting is of the setting's own type, since {@link #put} alone writes to it. */
    private final Map<Setting<?>, Object> given = new HashMap<>();

    SettingValues(Duration overallTimeout) {
        put(Setting.OVERALL_TIMEOUT, overallTimeout);
    }

    private SettingValues() {}

    /** A copy in which every value is given. */
    SettingValues copy() {
        SettingValues copy = new SettingValues();
        Setting.ALL.forEach(setting -> copy.given.put(setting, get(setting)));
        return copy;
    }

    <T> void put(Setting<T> setting, T value) {
        given.put(setting, value);
    }

    @SuppressWarnings("unchecked")
    <T> T get(Setting<T> setting) {
        Object value = given.get(setting);
        return value == null ? setting.presetFor(get(Setting.OVERALL_TIMEOUT)) : (T) value;
    }

    /** Every fault, in the order of the settings (P2). */
    List<PolicyFault> faults(Function<Setting<?>, String> named) {
        List<PolicyFault> faults = new ArrayList<>();
        Setting.ALL.forEach(setting -> check(setting, named.apply(setting), faults));
        return faults;
    }

    private <T> void check(Setting<T> setting, String name, List<PolicyFault> faults) {
        setting.check.check(name, get(setting), faults::add);
    }

    /** What a map gives; it is told every fault, and by the settings' keys. */
    static SettingValues read(MapReader map) {
        SettingValues values = new SettingValues(Policy.STANDARD_OVERALL_TIMEOUT);
        Setting.ALL.forEach(setting -> values.read(setting, map));
        String required = Setting.OVERALL_TIMEOUT.key;
        if (!map.has(required)) {
            map.fault(new PolicyFault(PolicyFault.Kind.MISSING, required, "nothing", Notation.DURATION.expected()));
        }
        values.faults(setting -> setting.key).forEach(map::fault);
        return values.copy();
    }

    private <T> void read(Setting<T> setting, MapReader map) {
        setting.text.read(setting.key, map).ifPresent(value -> put(setting, value));
    }

    /** All values by key, in the order of the settings. */
    Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        Setting.ALL.forEach(setting -> write(setting, map));
        return Collections.unmodifiableMap(map);
    }

    private <T> void write(Setting<T> setting, Map<String, String> map) {
        setting.text.write(setting.key, get(setting), map);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SettingValues that && given.equals(that.given);
    }

    @Override
    public int hashCode() {
        return given.hashCode();
    }
}
