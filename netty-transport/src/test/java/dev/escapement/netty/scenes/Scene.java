package dev.escapement.netty.scenes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a server does to a client, byte by byte, and the one thing that must come of it. A value, read from a few lines of text
 * (see the README beside the texts).
 *
 * @param rule what it stands for: rules of the contract, sections of RFCs
 * @param connections what happens on the first connection, the second, and so on; every other is served well
 * @param modes in which it is played
 * @param expected what must come of it, by mode
 */
record Scene(
        String name, String rule, Ask ask, List<List<Step>> connections, Set<Mode> modes, Map<Mode, String> expected) {

    /** The texts. Each is a group of scenes about one matter. */
    static final List<String> GROUPS = List.of(
            "framing", "smuggling", "chunks", "interim", "ends", "timing", "reuse", "uploads", "tls", "streams");

    static List<Scene> all() {
        List<Scene> scenes = new ArrayList<>();
        for (String group : GROUPS) {
            scenes.addAll(Reader.read(group, resource(group + ".scenes")));
        }
        return scenes;
    }

    private static String resource(String name) {
        try (InputStream in = Scene.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The one of that name. */
    static Scene named(String name) {
        return all().stream()
                .filter(scene -> scene.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scene " + name));
    }

    /** The same scene, asked for in another way. */
    Scene asked(Ask other) {
        return new Scene(name, rule, other, connections, modes, expected);
    }

    /** Reads a group line by line; a line's first word says what it is. Confined to one thread. */
    static final class Reader {

        private static final String EXPECT = "expect";

        private final List<Scene> scenes = new ArrayList<>();
        private final Set<String> names = new HashSet<>();

        // Of the scene that is being read.
        private String name = "";
        private String rule = "";
        private Ask ask = Ask.STANDARD;
        private List<List<Step>> connections = new ArrayList<>();
        private Set<Mode> modes = EnumSet.noneOf(Mode.class);
        private Map<String, String> expected = new HashMap<>();

        private Reader() {}

        static List<Scene> read(String group, String text) {
            Reader reader = new Reader();
            int number = 0;
            for (String line : text.split("\n", -1)) {
                number++;
                String words = line.strip();
                if (words.isEmpty() || words.startsWith("#")) {
                    continue;
                }
                try {
                    int blank = words.indexOf(' ');
                    reader.line(
                            blank < 0 ? words : words.substring(0, blank),
                            blank < 0 ? "" : words.substring(blank).strip());
                } catch (RuntimeException wrong) {
                    throw new IllegalArgumentException(group + ".scenes, line " + number + ": " + line, wrong);
                }
            }
            reader.end();
            return reader.scenes;
        }

        private void line(String word, String rest) {
            switch (word) {
                case "scene" -> {
                    end();
                    name = rest;
                }
                case "rule" -> rule = rest;
                case "ask" -> ask = Ask.read(rest);
                case "connection" -> {
                    if (Integer.parseInt(rest) != connections.size() + 1) {
                        throw new IllegalArgumentException("expected connection " + (connections.size() + 1));
                    }
                    connections.add(new ArrayList<>());
                }
                case "modes" -> {
                    for (String mode : rest.split(" +", -1)) {
                        modes.add(Mode.of(mode));
                    }
                }
                default -> {
                    if (word.startsWith(EXPECT)) {
                        expected.put(word.substring(EXPECT.length()), rest);
                    } else {
                        if (connections.isEmpty()) {
                            connections.add(new ArrayList<>());
                        }
                        connections.get(connections.size() - 1).add(Step.read(word, rest));
                    }
                }
            }
        }

        /** A scene is whole. */
        private void end() {
            if (!name.isEmpty()) {
                if (!names.add(name) || rule.isEmpty() || expected.isEmpty()) {
                    throw new IllegalArgumentException(
                            name + ": a scene has a name of its own, a rule and what is expected");
                }
                if (modes.isEmpty()) {
                    modes.addAll(Mode.USUAL);
                }
                Map<Mode, String> byMode = new EnumMap<>(Mode.class);
                modes.forEach(mode -> byMode.put(mode, expectedIn(mode)));
                scenes.add(new Scene(name, rule, ask, connections, modes, byMode));
            }
            name = "";
            rule = "";
            ask = Ask.STANDARD;
            connections = new ArrayList<>();
            modes = EnumSet.noneOf(Mode.class);
            expected = new HashMap<>();
        }

        private String expectedIn(Mode mode) {
            for (String word : mode.expectWords()) {
                String here = expected.get("-" + word);
                if (here != null) {
                    return here;
                }
            }
            String elsewhere = expected.get("");
            if (elsewhere == null) {
                throw new IllegalArgumentException(name + ": nothing is expected in " + mode.word());
            }
            return elsewhere;
        }
    }

    @Override
    public String toString() {
        return name + " (" + rule + ")";
    }
}
