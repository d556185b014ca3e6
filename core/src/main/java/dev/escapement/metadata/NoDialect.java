package dev.escapement.metadata;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says nothing and understands nothing. */
final class NoDialect implements Dialect {

    @Override
    public List<String> names() {
        return List.of();
    }

    @Override
    public long unitNanos() {
        return 1;
    }

    @Override
    public void write(AttemptFacts facts, long remainingNanos, @Nullable String retryOwner, List<String> lines) {
        // There is nothing to say.
    }

    @Override
    public ReceivedMetadata read(Reading in) {
        return ReceivedMetadata.NOTHING;
    }
}
