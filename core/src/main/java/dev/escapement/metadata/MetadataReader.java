package dev.escapement.metadata;

import dev.escapement.http.Headers;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Reads what outer layers send with their requests, and counts what it has to ignore (M2). One per listening side of a gateway;
 * any thread.
 */
public final class MetadataReader {

    private final Dialect dialect;

    /** By the ordinal of the kind. Any thread. */
    private final LongAdder[] ignored = Stream.generate(LongAdder::new)
            .limit(MetadataFault.Kind.values().length)
            .toArray(LongAdder[]::new);

    private MetadataReader(Dialect dialect) {
        this.dialect = dialect;
    }

    /** A reader of that preset's words. */
    public static MetadataReader of(Preset preset) {
        return new MetadataReader(preset.dialect());
    }

    /** What these fields say, and which of them are wrong. Whatever they hold, nothing is thrown. */
    public ReceivedMetadata read(Headers headers) {
        ReceivedMetadata received = dialect.read(new Reading(headers));
        for (MetadataFault fault : received.faults()) {
            ignored[index(fault.kind())].increment();
        }
        return received;
    }

    /** How many fields were ignored for that reason. */
    public long ignored(MetadataFault.Kind kind) {
        return ignored[index(kind)].sum();
    }

    @SuppressWarnings("EnumOrdinal") // an index into an array of this object, nothing that is kept
    private static int index(MetadataFault.Kind kind) {
        return kind.ordinal();
    }
}
