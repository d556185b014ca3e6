package dev.escapement.gateway.config;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads the part of YAML that a configuration may use: one document of block or flow mappings, lists and scalars. What makes a text mean
 * something else than it seems to is a fault: duplicate keys, keys that are no text, aliases and anchors, tags, tabs, a second document.
 * Scalars stay text, so that no {@code no}, {@code 1e3} or {@code 010} changes its type.
 *
 * <p>Works on the parser's events, not on its tree, because only events still know what was repeated.
 */
final class YamlText {

    /** Many times what a configuration of a thousand routes takes. */
    static final int MOST_BYTES = 4 * 1024 * 1024;

    /** Levels within one another; ours are five. */
    private static final int DEEPEST = 32;

    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setUseMarks(true)
            .setCodePointLimit(MOST_BYTES)
            .build();

    private final Faults faults;
    private final Iterator<Event> events;

    private YamlText(String text, Faults faults) {
        this.faults = faults;
        this.events = new Parse(SETTINGS).parseString(text).iterator();
    }

    /** The one mapping that the text is; empty if it is none, or no YAML, which the faults are told. */
    static Optional<Yaml.Mapping> read(byte[] bytes, Faults faults) {
        if (bytes.length > MOST_BYTES) {
            faults.fault(Place.START, "", bytes.length + " bytes: expected at most " + MOST_BYTES);
            return Optional.empty();
        }
        Optional<String> text = decoded(bytes, faults);
        if (text.isEmpty() || !isFreeOfTabs(text.get(), faults)) {
            return Optional.empty();
        }
        try {
            return new YamlText(text.get(), faults).document();
        } catch (MarkedYamlEngineException e) {
            faults.fault(place(e.getProblemMark()), "", problem(e));
        } catch (ReaderException e) {
            faults.fault(
                    placeOf(text.get(), e.getPosition()),
                    "",
                    String.format("character U+%04X: expected printable text", e.getCodePoint()));
        } catch (YamlEngineException e) {
            faults.fault(Place.START, "", String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    private static String problem(MarkedYamlEngineException e) {
        String context = e.getContext() == null ? "" : e.getContext() + ": ";
        return "not YAML: " + context + e.getProblem();
    }

    private static Optional<String> decoded(byte[] bytes, Faults faults) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return Optional.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            faults.fault(Place.START, "", "bytes that are no text: expected UTF-8");
            return Optional.empty();
        }
    }

    /** YAML lets a tab stand for a blank in some places and not in others; a configuration needs none. */
    private static boolean isFreeOfTabs(String text, Faults faults) {
        int first = text.indexOf('\t');
        if (first >= 0) {
            faults.fault(placeOf(text, first), "", "a tab: expected blanks, or \\t within double quotes");
        }
        return first < 0;
    }

    private static Place placeOf(String text, int index) {
        String before = text.substring(0, Math.min(index, text.length()));
        int lineStart = before.lastIndexOf('\n') + 1;
        return new Place(1 + (int) before.chars().filter(c -> c == '\n').count(), 1 + before.length() - lineStart);
    }

    private static Place place(Optional<Mark> mark) {
        return mark.map(at -> new Place(at.getLine() + 1, at.getColumn() + 1)).orElse(Place.START);
    }

    private static Place place(Event event) {
        return place(event.getStartMark());
    }

    private Optional<Yaml.Mapping> document() {
        events.next(); // the start of the stream
        Event start = events.next();
        if (start.getEventId() != Event.ID.DocumentStart) {
            faults.fault(Place.START, "", "nothing: expected a mapping");
            return Optional.empty();
        }
        Yaml root = value(events.next(), "", 1);
        events.next(); // the end of the document
        Event after = events.next();
        if (after.getEventId() == Event.ID.DocumentStart) {
            faults.fault(place(after), "", "a second document: expected one");
        }
        if (root instanceof Yaml.Mapping mapping) {
            return Optional.of(mapping);
        }
        faults.fault(root.place(), "", root.kind() + ": expected a mapping");
        return Optional.empty();
    }

    private Yaml value(Event event, String path, int depth) {
        Place place = place(event);
        if (event instanceof AliasEvent alias) {
            faults.fault(place, path, "alias *" + alias.getAlias() + ": expected the value itself");
            return new Yaml.Nothing(place);
        }
        checkAnchor((NodeEvent) event, path);
        if (event instanceof ScalarEvent scalar) {
            checkTag(scalar.getTag(), place, path);
            boolean nothing = scalar.isPlain() && scalar.getValue().isEmpty();
            return nothing ? new Yaml.Nothing(place) : new Yaml.Text(place, scalar.getValue());
        }
        checkTag(((CollectionStartEvent) event).getTag(), place, path);
        if (depth > DEEPEST) {
            faults.fault(place, path, "more than " + DEEPEST + " levels within one another");
            skip();
            return new Yaml.Nothing(place);
        }
        return event.getEventId() == Event.ID.SequenceStart ? items(place, path, depth) : mapping(place, path, depth);
    }

    private void checkAnchor(NodeEvent event, String path) {
        Optional<Anchor> anchor = event.getAnchor();
        anchor.ifPresent(name -> faults.fault(place(event), path, "anchor &" + name + ": expected none"));
    }

    private void checkTag(Optional<String> tag, Place place, String path) {
        tag.ifPresent(name -> faults.fault(place, path, "tag " + name + ": expected none"));
    }

    /** Passes over the rest of the collection that has just begun. */
    private void skip() {
        int open = 1;
        while (open > 0) {
            switch (events.next().getEventId()) {
                case SequenceStart, MappingStart -> open++;
                case SequenceEnd, MappingEnd -> open--;
                default -> {}
            }
        }
    }

    private Yaml items(Place place, String path, int depth) {
        List<Yaml> items = new ArrayList<>();
        for (Event next = events.next(); next.getEventId() != Event.ID.SequenceEnd; next = events.next()) {
            items.add(value(next, path + "[" + items.size() + "]", depth + 1));
        }
        return new Yaml.Items(place, List.copyOf(items));
    }

    private Yaml mapping(Place place, String path, int depth) {
        Map<String, Yaml.Entry> entries = new LinkedHashMap<>();
        for (Event next = events.next(); next.getEventId() != Event.ID.MappingEnd; next = events.next()) {
            Place keyPlace = place(next);
            Yaml key = value(next, path, depth + 1);
            boolean named = key instanceof Yaml.Text;
            String name = key instanceof Yaml.Text text ? text.value() : "";
            Yaml value = value(events.next(), below(path, name), depth + 1);
            if (!named) {
                faults.fault(keyPlace, path, key.kind() + " as a key: expected a text");
            } else if (entries.containsKey(name)) {
                faults.fault(keyPlace, below(path, name), "a second time: expected each key once");
            } else {
                entries.put(name, new Yaml.Entry(keyPlace, value));
            }
        }
        return new Yaml.Mapping(place, entries);
    }

    /** The path of an entry. */
    static String below(String path, String key) {
        return path.isEmpty() ? Shown.plain(key) : path + "." + Shown.plain(key);
    }
}
