package dev.escapement.metadata;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The two fields of gRPC: a timeout of 1 to 8 digits and a unit, in the finest unit that is enough, and the number of earlier
 * attempts, which the first does not carry.
 */
final class GrpcDialect implements Dialect {

    private static final String TIMEOUT = "grpc-timeout";
    private static final String PREVIOUS_ATTEMPTS = "grpc-previous-rpc-attempts";
    private static final List<String> NAMES = List.of(TIMEOUT, PREVIOUS_ATTEMPTS);

    private static final int MAX_DIGITS = 8;
    private static final long TOO_LARGE = 100_000_000;

    /** From the finest to the coarsest, beside what each is in nanoseconds. */
    private static final String UNITS = "numSMH";

    private static final long[] UNIT_NANOS = {1, 1_000, 1_000_000, 1_000_000_000, 60_000_000_000L, 3_600_000_000_000L};

    @Override
    public List<String> names() {
        return NAMES;
    }

    @Override
    public long unitNanos() {
        return 1;
    }

    @Override
    public void write(AttemptFacts facts, long remainingNanos, @Nullable String retryOwner, List<String> lines) {
        lines.add(TIMEOUT);
        lines.add(timeout(remainingNanos));
        if (facts.ordinal() > 1) {
            lines.add(PREVIOUS_ATTEMPTS);
            lines.add(Integer.toString(facts.ordinal() - 1));
        }
    }

    /** The largest time there is takes 2,562,047 hours, so that a unit is found for each. */
    private static String timeout(long nanos) {
        int unit = 0;
        while (nanos / UNIT_NANOS[unit] >= TOO_LARGE) {
            unit++;
        }
        return nanos / UNIT_NANOS[unit] + UNITS.substring(unit, unit + 1);
    }

    @Override
    public ReceivedMetadata read(Reading in) {
        OptionalLong remainingNanos = remainingNanos(in);
        OptionalInt previousAttempts = in.count(PREVIOUS_ATTEMPTS);
        return new ReceivedMetadata(
                remainingNanos,
                previousAttempts.isPresent() ? OptionalInt.of(previousAttempts.getAsInt() + 1) : OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                in.faults());
    }

    private static OptionalLong remainingNanos(Reading in) {
        String value = in.only(TIMEOUT);
        if (value == null) {
            return OptionalLong.empty();
        }
        int digits = Math.max(0, value.length() - 1);
        int unit = value.isEmpty() ? -1 : UNITS.indexOf(value.charAt(digits));
        if (unit < 0) {
            return in.fault(TIMEOUT, MetadataFault.Kind.WRONG_UNIT);
        }
        long count = in.digits(TIMEOUT, value, digits, MAX_DIGITS);
        if (count == Reading.NONE) {
            return OptionalLong.empty();
        }
        // 99,999,999 hours are more than a long of nanoseconds holds; no deadline lies that far ahead either.
        return OptionalLong.of(count > Long.MAX_VALUE / UNIT_NANOS[unit] ? Long.MAX_VALUE : count * UNIT_NANOS[unit]);
    }
}
