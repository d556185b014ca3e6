package dev.escapement.checker;

import dev.escapement.policy.BreakerSettings;
import dev.escapement.policy.Policy;
import dev.escapement.policy.UpstreamSettings;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The checker's own choices where the library's defaults are not its, for a list of the caller's and for the demo, whose
 * output has to be the same everywhere (V4).
 */
enum Defaults {
    /** A program that has just started is slow, and so are far endpoints. */
    LIST(16, Map.of(Knob.OVERALL_TIMEOUT, "10s")),
    /** Delays that can be foretold, and time enough for the slowest machine. */
    DEMO(2, Map.of(Knob.OVERALL_TIMEOUT, "30s", Knob.INITIAL_BACKOFF, "10ms", Knob.JITTER, "none"));

    final int concurrency;

    @SuppressWarnings("ImmutableEnumChecker") // a copy of its own, which nobody can write to
    private final Map<Knob, String> choices;

    Defaults(int concurrency, Map<Knob, String> own) {
        this.concurrency = concurrency;
        Map<Knob, String> all = new EnumMap<>(Knob.class);
        all.putAll(shared());
        all.putAll(own);
        this.choices = Collections.unmodifiableMap(all);
    }

    /** Each endpoint counts: none is given up for what befell others, and what a server asks for is done as it says. */
    private static Map<Knob, String> shared() {
        Map<Knob, String> choices = new EnumMap<>(Knob.class);
        choices.put(Knob.VERSION, "checker");
        choices.put(Knob.ATTEMPT_FIT, "whole");
        choices.put(Knob.CLEANUP_RESERVE, "0s");
        choices.put(Knob.DEADLINE_ORIGIN, "permit");
        choices.put(Knob.FAILURE_RULE, "connect-failures");
        choices.put(Knob.RETRYABLE_METHODS, "GET,PUT,DELETE");
        choices.put(Knob.SERVER_DELAY_JITTER_PERCENT, "0");
        choices.put(Knob.RETRY_AFTER_DATES, "ignored");
        choices.put(Knob.BUDGET, "none");
        choices.put(Knob.BREAKER, "none");
        return choices;
    }

    /** The choices by their keys. */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        choices.forEach((knob, text) -> settings.put(knob.key, text));
        return settings;
    }

    /** The value that a knob has unless said, for the help; the library's where there is no choice. */
    String valueOf(Knob knob) {
        String choice = choices.get(knob);
        return choice == null ? LibraryDefaults.SETTINGS.getOrDefault(knob.key, "") : choice;
    }

    /** What the help says of a knob. */
    static String told(Knob knob) {
        if (!knob.derived.isEmpty()) {
            return knob.derived;
        }
        String list = LIST.valueOf(knob);
        String demo = DEMO.valueOf(knob);
        return list.equals(demo) ? list : list + ", with --demo " + demo;
    }

    /** Read when somebody asks for help, and not before. */
    private static final class LibraryDefaults {
        static final Map<String, String> SETTINGS =
                new UpstreamSettings(Policy.standard(), BreakerSettings.standard()).toMap();
    }
}
