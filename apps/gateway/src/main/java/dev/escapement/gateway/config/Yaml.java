package dev.escapement.gateway.config;

import java.util.List;
import java.util.Map;

/** What a configuration's text is made of: scalars that are nothing but text, lists, and mappings, each with its place. */
sealed interface Yaml {

    Place place();

    /** What it is called in messages. */
    String kind();

    /** A scalar; what it means is the setting's to say. */
    record Text(Place place, String value) implements Yaml {
        @Override
        public String kind() {
            return "a text";
        }
    }

    /** Nothing at all, where a value should be. */
    record Nothing(Place place) implements Yaml {
        @Override
        public String kind() {
            return "nothing";
        }
    }

    /** A sequence. */
    record Items(Place place, List<Yaml> items) implements Yaml {
        @Override
        public String kind() {
            return "a list";
        }
    }

    /** A mapping, in the order of the text. */
    record Mapping(Place place, Map<String, Entry> entries) implements Yaml {
        @Override
        public String kind() {
            return "a mapping";
        }
    }

    /** One entry of a mapping: where its key stands, and its value. */
    record Entry(Place place, Yaml value) {}
}
