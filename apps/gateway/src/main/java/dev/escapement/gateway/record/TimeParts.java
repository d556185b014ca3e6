package dev.escapement.gateway.record;

import dev.escapement.report.AttemptDetail;
import dev.escapement.report.Outcome;
import dev.escapement.report.Report;
import java.util.List;
import java.util.Locale;

/**
 * Where the time of a request went: one length for each {@link Part}, in nanoseconds, and {@link #NONE} for a part that it did not reach or
 * of which nothing is known. Immutable.
 *
 * <p>Parts that the engine tells of need {@link dev.escapement.report.ReportDetail#FULL}. Parts may overlap, for an answer may begin before
 * its request's body has been read, and backoffs are in none of them: they do not add up to the total.
 */
final class TimeParts {

    static final long NONE = -1;

    /** A part of a request's time; its name for people and machines is {@link #word}. */
    enum Part {
        /** From its first byte to the last of its head. */
        HEAD,
        /** From there to the last byte of its body. */
        BODY_IN,
        /** Waiting for permits: all attempts together. */
        QUEUE,
        /** Until a connection was there: all attempts together; next to nothing where one is reused. */
        CONNECT,
        /** From the connection to the first byte of a reply: the last attempt that saw one. */
        FIRST_BYTE,
        /** From the head of the answer to its end. */
        BODY_OUT,
        /** From the first byte to the end of the answer. */
        TOTAL;

        private final String word = name().toLowerCase(Locale.ROOT);

        String word() {
            return word;
        }

        /** Its place in {@link TimeParts#PARTS}. */
        @SuppressWarnings("EnumOrdinal") // an index into arrays of this process, nothing that is kept
        int index() {
            return ordinal();
        }
    }

    static final Part[] PARTS = Part.values();

    private final long[] nanos = new long[PARTS.length];

    private TimeParts() {}

    /**
     * The parts of a request.
     *
     * @param nowNanos where it goes on: the end so far
     */
    static TimeParts of(RequestRecord record, long nowNanos) {
        long end = record.endedNanos == 0 ? nowNanos : record.endedNanos;
        TimeParts parts = new TimeParts();
        parts.set(Part.HEAD, between(record.firstByteNanos, record.headNanos));
        parts.set(Part.BODY_IN, between(record.headNanos, record.bodyReadNanos));
        parts.set(Part.QUEUE, NONE);
        parts.set(Part.CONNECT, NONE);
        parts.set(Part.FIRST_BYTE, NONE);
        parts.set(Part.BODY_OUT, between(record.answeredNanos, end));
        parts.set(Part.TOTAL, between(record.firstByteNanos, end));
        if (record.report().isPresent()) {
            parts.read(record.report().get(), record.tried());
        }
        return parts;
    }

    long nanos(Part part) {
        return nanos[part.index()];
    }

    private void read(Report report, List<Tried> tried) {
        if (report.outcome().kind() == Outcome.Kind.REJECTED) {
            set(Part.QUEUE, report.endedNanos() - report.startedNanos());
        }
        for (Tried attempt : tried) {
            if (attempt.detail().isPresent()) {
                read(attempt.detail().get());
            }
        }
    }

    private void read(AttemptDetail detail) {
        add(Part.QUEUE, detail.startedNanos() - detail.dueNanos());
        if (detail.connected().isEmpty()) {
            return;
        }
        long connected = detail.connected().getAsLong();
        add(Part.CONNECT, connected - detail.startedNanos());
        if (detail.replied().isPresent()) {
            set(Part.FIRST_BYTE, Math.max(0, detail.replied().getAsLong() - connected));
        }
    }

    private void add(Part part, long length) {
        set(part, Math.max(0, nanos(part)) + Math.max(0, length));
    }

    private void set(Part part, long length) {
        nanos[part.index()] = length;
    }

    /** Instants of the same clock; 0 is one that was not reached. */
    private static long between(long fromNanos, long toNanos) {
        return fromNanos == 0 || toNanos == 0 ? NONE : Math.max(0, toNanos - fromNanos);
    }
}
