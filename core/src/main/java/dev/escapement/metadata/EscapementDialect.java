package dev.escapement.metadata;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** This library's own words: a field for each fact, described at {@link Preset#ESCAPEMENT}. */
final class EscapementDialect implements Dialect {

    private static final String REMAINING = "Escapement-Remaining-Ms";
    private static final String ATTEMPT = "Escapement-Attempt";
    private static final String MAX_ATTEMPTS = "Escapement-Max-Attempts";
    private static final String KIND = "Escapement-Kind";
    private static final String PREVIOUS_FAILURE = "Escapement-Previous-Failure";
    private static final String OPERATION = "Escapement-Operation";
    private static final String RETRY_OWNER = "Escapement-Retry-Owner";
    private static final List<String> NAMES =
            List.of(REMAINING, ATTEMPT, MAX_ATTEMPTS, KIND, PREVIOUS_FAILURE, OPERATION, RETRY_OWNER);

    @Override
    public List<String> names() {
        return NAMES;
    }

    @Override
    public long unitNanos() {
        return Millis.NANOS;
    }

    @Override
    public void write(AttemptFacts facts, long remainingNanos, @Nullable String retryOwner, List<String> lines) {
        add(lines, REMAINING, Millis.write(remainingNanos));
        add(lines, ATTEMPT, Integer.toString(facts.ordinal()));
        add(lines, MAX_ATTEMPTS, Integer.toString(facts.maxAttempts()));
        add(lines, KIND, facts.kind().word());
        add(
                lines,
                PREVIOUS_FAILURE,
                facts.previousFailure().map(FailureClass::word).orElse(null));
        add(lines, OPERATION, facts.operationId().orElse(null));
        add(lines, RETRY_OWNER, retryOwner);
    }

    private static void add(List<String> lines, String name, @Nullable String value) {
        if (value != null) {
            lines.add(name);
            lines.add(value);
        }
    }

    @Override
    public ReceivedMetadata read(Reading in) {
        return new ReceivedMetadata(
                Millis.read(in, REMAINING),
                in.count(ATTEMPT),
                in.count(MAX_ATTEMPTS),
                in.word(KIND, AttemptKind.values(), AttemptKind::word),
                in.word(PREVIOUS_FAILURE, FailureClass.values(), FailureClass::word),
                in.identifier(OPERATION),
                in.identifier(RETRY_OWNER),
                in.faults());
    }
}
