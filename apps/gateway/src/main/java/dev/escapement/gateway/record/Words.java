package dev.escapement.gateway.record;

import dev.escapement.report.AttemptReport;
import dev.escapement.report.Outcome;
import dev.escapement.report.Suppressed;
import dev.escapement.transport.TransportFailure;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The names under which logs and metrics tell of what the engine knows by enum: lower case, with hyphens. Pure. */
final class Words {

    private static final Map<TransportFailure.Kind, String> FAILURES = of(TransportFailure.Kind.class);
    private static final Map<Outcome.Kind, String> OUTCOMES = of(Outcome.Kind.class);
    private static final Map<Suppressed, String> SUPPRESSIONS = of(Suppressed.class);

    private Words() {}

    /** The word of a constant. */
    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Why a retry was not made. */
    static String of(Suppressed suppressed) {
        return word(SUPPRESSIONS, suppressed);
    }

    /** How an attempt without a response ended. */
    static String failure(AttemptReport attempt) {
        return attempt.outcome() instanceof Outcome.TransportFailed failed
                ? word(FAILURES, failed.failure().kind())
                : word(OUTCOMES, attempt.outcome().kind());
    }

    private static <E extends Enum<E>> Map<E, String> of(Class<E> type) {
        Map<E, String> words = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            words.put(constant, of(constant));
        }
        return words;
    }

    private static <E extends Enum<E>> String word(Map<E, String> words, E constant) {
        String word = words.get(constant);
        if (word == null) {
            throw new IllegalStateException("no word for " + constant);
        }
        return word;
    }
}
