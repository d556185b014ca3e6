package dev.escapement.policy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * What one flat map can say of an upstream: the policy of its calls, and the breakers of its endpoints. An immutable value.
 *
 * <p>A value for each key that is not to have its default, in the words of {@link #toMap()}; the keys are the builders'
 * names in lower case with hyphens, those of the budget begin with {@code budget-} and the breaker's with {@code breaker-}.
 */
public record UpstreamSettings(Policy policy, BreakerSettings breaker) {

    private static final String BREAKER_KEY = "breaker";
    private static final BreakerText BREAKER = new BreakerText();

    /**
     * What the map describes. Durations are the like of {@code 250ms} or ISO-8601; {@code overall-timeout} alone has no default.
     *
     * @throws PolicyException listing every fault: a key that is unknown, a text that says no value, a value out of its range
     */
    public static UpstreamSettings of(Map<String, String> settings) {
        return of(new MapReader(settings));
    }

    /** The same for properties, their defaults included. */
    public static UpstreamSettings of(Properties settings) {
        return of(new MapReader(settings));
    }

    private static UpstreamSettings of(MapReader settings) {
        SettingValues values = SettingValues.read(settings);
        BreakerSettings breaker = BREAKER.read(BREAKER_KEY, settings).orElseGet(BreakerSettings::standard);
        settings.end();
        return new UpstreamSettings(new Policy(values), breaker);
    }

    /** Every effective value by its key, in a fixed order, as {@link #of(Map)} reads them back. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>(policy.toMap());
        BREAKER.write(BREAKER_KEY, breaker, map);
        return Collections.unmodifiableMap(map);
    }
}
