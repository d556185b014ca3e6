package dev.escapement.metadata;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The two fields by which Envoy tells an upstream how long it will wait and how often it has asked. */
final class EnvoyDialect implements Dialect {

    private static final String TIMEOUT = "x-envoy-expected-rq-timeout-ms";
    private static final String ATTEMPT = "x-envoy-attempt-count";
    private static final List<String> NAMES = List.of(TIMEOUT, ATTEMPT);

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
        lines.add(TIMEOUT);
        lines.add(Millis.write(remainingNanos));
        lines.add(ATTEMPT);
        lines.add(Integer.toString(facts.ordinal()));
    }

    @Override
    public ReceivedMetadata read(Reading in) {
        return new ReceivedMetadata(
                Millis.read(in, TIMEOUT),
                in.count(ATTEMPT),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                in.faults());
    }
}
