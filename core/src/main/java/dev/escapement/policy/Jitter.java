package dev.escapement.policy;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How the pauses before retries are spread out, so that clients which failed together do not come back together (B2).
 *
 * <p>An immutable value; pure but for the one number that it draws. All arithmetic is in whole nanoseconds and cannot
 * overflow; every range includes both its ends, and none reaches above the maximum backoff. The ceiling is
 * {@link Backoff}'s. Full, equal and decorrelated jitter are those of "Exponential Backoff And Jitter" (AWS Architecture
 * Blog, 2015), but for one thing: there, decorrelated jitter draws first and is cut to the maximum
 * afterwards, so that two late draws in three are the maximum itself; here the range is cut, and the draws stay spread.
 */
public final class Jitter {

    /** The ceiling itself; nothing is drawn. */
    public static final Jitter NONE = new Jitter(Form.NONE, 0);

    /** Between 0 and the ceiling. */
    public static final Jitter FULL = new Jitter(Form.FULL, 0);

    /** Between half the ceiling, rounded down, and the ceiling. */
    public static final Jitter EQUAL = new Jitter(Form.EQUAL, 0);

    /**
     * Between the initial backoff and three times the delay before this one, which is the initial backoff at the first retry
     * and never counts as less; both cut to the maximum.
     */
    public static final Jitter DECORRELATED = new Jitter(Form.DECORRELATED, 0);

    /** What {@link #ofWord} reads, for messages. */
    public static final String WORDS = "none, full, equal, decorrelated, or symmetric: and a percentage of 1 to 100";

    private static final String SYMMETRIC_PREFIX = "symmetric:";
    private static final int MAX_PERCENT = 100;
    private static final List<Jitter> PLAIN = List.of(NONE, FULL, EQUAL, DECORRELATED);

    private enum Form {
        NONE,
        FULL,
        EQUAL,
        DECORRELATED,
        SYMMETRIC
    }

    private final Form form;

    /** How far a symmetric draw lies from its ceiling at most, in hundredths of it; 0 for the other forms. */
    private final int percent;

    private Jitter(Form form, int percent) {
        this.form = form;
        this.percent = percent;
    }

    /**
     * Between ceiling × (1 − f) and ceiling × (1 + f), where f is {@code percent} ÷ 100 and the deviation is rounded down. The
     * backoff's maximum is divided by 1 + f first, rounded down, so that draws do not pile up on it.
     *
     * @param percent 1 to 100
     * @throws PolicyException if it is not
     */
    public static Jitter symmetric(int percent) {
        if (percent < 1 || percent > MAX_PERCENT) {
            throw new PolicyException(List.of(new PolicyFault(
                    PolicyFault.Kind.OUT_OF_RANGE, "jitter", SYMMETRIC_PREFIX + percent, "1 to 100 percent")));
        }
        return new Jitter(Form.SYMMETRIC, percent);
    }

    /** The jitter that {@link #toString()} writes so: {@code none}, {@code symmetric:20}; empty for any other text. */
    public static Optional<Jitter> ofWord(String word) {
        for (Jitter jitter : PLAIN) {
            if (jitter.toString().equals(word)) {
                return Optional.of(jitter);
            }
        }
        for (int percent = 1; percent <= MAX_PERCENT; percent++) {
            if (word.equals(SYMMETRIC_PREFIX + percent)) {
                return Optional.of(symmetric(percent));
            }
        }
        return Optional.empty();
    }

    /**
     * The pause before the next attempt, in nanoseconds, between 0 and {@code maxNanos}.
     *
     * @param attempts attempts made so far, 1 to {@link Policy#MAX_RETRIES}
     * @param previousDelayNanos the pause before the last attempt, 0 if there was none
     * @param draw asked once, except by {@link #NONE}; an answer outside the bounds is moved into them
     */
    long delayNanos(long initialNanos, long maxNanos, int attempts, long previousDelayNanos, Draw draw) {
        return switch (form) {
            case NONE -> Backoff.ceilingNanos(initialNanos, maxNanos, attempts);
            case FULL -> drawn(draw, 0, Backoff.ceilingNanos(initialNanos, maxNanos, attempts));
            case EQUAL -> {
                long ceilingNanos = Backoff.ceilingNanos(initialNanos, maxNanos, attempts);
                yield drawn(draw, ceilingNanos / 2, ceilingNanos);
            }
            case SYMMETRIC -> {
                long lowered = share(maxNanos, MAX_PERCENT, MAX_PERCENT + percent);
                long ceilingNanos = Backoff.ceilingNanos(initialNanos, lowered, attempts);
                long deviationNanos = share(ceilingNanos, percent, MAX_PERCENT);
                yield drawn(draw, ceilingNanos - deviationNanos, ceilingNanos + deviationNanos);
            }
            case DECORRELATED -> {
                // After a short pause that a server asked for, the range would shrink to a point without this.
                long baseNanos = Math.max(initialNanos, previousDelayNanos);
                long highNanos = baseNanos > maxNanos / 3 ? maxNanos : 3 * baseNanos;
                yield drawn(draw, Math.min(initialNanos, maxNanos), highNanos);
            }
        };
    }

    private static long drawn(Draw draw, long lowNanos, long highNanos) {
        long width = highNanos - lowNanos;
        return lowNanos + Math.max(0, Math.min(width, draw.draw(width)));
    }

    /** {@code ⌊value × part ÷ whole⌋} for a part no larger than the whole, without overflow. */
    private static long share(long value, int part, int whole) {
        return value / whole * part + value % whole * part / whole;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Jitter that && form == that.form && percent == that.percent;
    }

    @Override
    public int hashCode() {
        return 31 * form.hashCode() + percent;
    }

    /** The word that {@link #ofWord} reads. */
    @Override
    public String toString() {
        return form == Form.SYMMETRIC ? SYMMETRIC_PREFIX + percent : form.name().toLowerCase(Locale.ROOT);
    }
}
