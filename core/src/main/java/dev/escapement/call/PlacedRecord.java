package dev.escapement.call;

import dev.escapement.report.AttemptDetail;
import dev.escapement.transport.Endpoint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A record that also knows where its attempt went, for pickers, and with full detail when. Immutable. */
final class PlacedRecord extends AttemptRecord {

    private final Endpoint endpoint;
    private final @Nullable AttemptDetail detail;

    PlacedRecord(
            @Nullable AttemptRecord previous,
            @Nullable Object result,
            long delayAfterNanos,
            int ordinal,
            byte progress,
            byte flags,
            Endpoint endpoint,
            @Nullable AttemptDetail detail) {
        super(previous, result, delayAfterNanos, ordinal, progress, flags);
        this.endpoint = endpoint;
        this.detail = detail;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public Optional<AttemptDetail> detail() {
        return Optional.ofNullable(detail);
    }
}
