package dev.escapement.metadata;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one preset writes and reads. Stateless. */
interface Dialect {

    /** Every field it may write. What a request carries under these names is somebody else's, and does not go out. */
    List<String> names();

    /** The shortest time it can write. */
    long unitNanos();

    /**
     * Adds the fields of an attempt.
     *
     * @param remainingNanos at least {@link #unitNanos}
     * @param retryOwner the token of the layer that retries, if one does
     * @param lines takes names and values in turn
     */
    void write(AttemptFacts facts, long remainingNanos, @Nullable String retryOwner, List<String> lines);

    /** Everything it understands of what was received. */
    ReceivedMetadata read(Reading in);
}
