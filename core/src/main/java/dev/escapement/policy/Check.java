package dev.escapement.policy;

import dev.escapement.http.Headers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Which values a setting may have (P2). Pure. */
@FunctionalInterface
interface Check<T> {

    /** The longest length that a {@code long} of nanoseconds holds. */
    Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /**
     * Tells every fault of a value.
     *
     * @param name what the faults call the setting
     */
    void check(String name, T value, Consumer<PolicyFault> faults);

    /** Both, this one's faults first. */
    default Check<T> and(Check<T> second) {
        return (name, value, faults) -> {
            check(name, value, faults);
            second.check(name, value, faults);
        };
    }

    static <T> Check<T> any() {
        return (name, value, faults) -> {};
    }

    /** Not negative, and no longer than {@link #LONGEST}, which is this fault. */
    static Check<Duration> length(PolicyFault.Kind tooLong) {
        return (name, value, faults) -> {
            if (value.isNegative()) {
                faults.accept(new PolicyFault(PolicyFault.Kind.NEGATIVE_DURATION, name, value.toString(), "0 or more"));
            } else if (value.compareTo(LONGEST) > 0) {
                faults.accept(new PolicyFault(tooLong, name, value.toString(), "at most " + LONGEST));
            }
        };
    }

    /** Not 0, which is this fault. */
    static Check<Duration> positive(PolicyFault.Kind zero) {
        return (name, value, faults) -> {
            if (value.isZero()) {
                faults.accept(new PolicyFault(zero, name, "0", "more than 0"));
            }
        };
    }

    static Check<Integer> range(int least, int most) {
        return (name, value, faults) -> {
            if (value < least || value > most) {
                faults.accept(outOfRange(name, value.toString(), least + " to " + most));
            }
        };
    }

    /** Not more than the exponent of a backoff can be, which is a fault of its own kind. */
    static Check<Integer> retries() {
        return (name, value, faults) -> {
            if (value > Policy.MAX_RETRIES) {
                faults.accept(new PolicyFault(
                        PolicyFault.Kind.RETRY_EXPONENT_TOO_LARGE,
                        name,
                        value.toString(),
                        "0 to " + Policy.MAX_RETRIES));
            }
            if (value < 0) {
                faults.accept(outOfRange(name, value.toString(), "0 to " + Policy.MAX_RETRIES));
            }
        };
    }

    /** Those that a final response can have; each other one is a fault, in ascending order. */
    static Check<Set<Integer>> statuses() {
        return (name, value, faults) -> value.stream()
                .filter(status -> status < 200 || status > 999)
                .sorted()
                .forEach(status -> faults.accept(outOfRange(name, status.toString(), "statuses of 200 to 999")));
    }

    /** None, or one that a response can carry. */
    static Check<Optional<String>> headerName() {
        return (name, value, faults) -> {
            if (value.isPresent() && !Headers.isName(value.get())) {
                faults.accept(outOfRange(name, Notation.shown(value.get()), "none, or a header name"));
            }
        };
    }

    private static PolicyFault outOfRange(String name, String value, String range) {
        return new PolicyFault(PolicyFault.Kind.OUT_OF_RANGE, name, value, range);
    }
}
