package dev.escapement.policy;

import java.util.Map;
import java.util.Optional;

/** How the value of one setting stands in a flat map: under the setting's key, or spread over several keys that begin with it. */
interface SettingText<T> {

    /** Takes the value; empty if it is not given, or not readable, which the reader has then been told. */
    Optional<T> read(String key, MapReader from);

    /** Puts the value so that {@link #read} finds it. */
    void write(String key, T value, Map<String, String> to);
}
