package dev.escapement.guard;

import dev.escapement.policy.BreakerSettings;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The breaker as its rules read, with lists and big numbers, for one thread: what the real one is compared with. Every result is
 * kept; every rule is judged after every result.
 */
final class NaiveBreaker {

    private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

    private enum Kind {
        GOOD,
        SLOW,
        FAILED
    }

    /** A result of the current closed generation. */
    private record Result(BigInteger bucket, Kind kind) {}

    /** What an attempt was admitted by. */
    static final class Ticket {
        private final long generation;
        private final boolean trial;
        private final long leaseEnd;
        private boolean placeKept = true;

        Ticket(long generation, boolean trial, long leaseEnd) {
            this.generation = generation;
            this.trial = trial;
            this.leaseEnd = leaseEnd;
        }

        boolean trial() {
            return trial;
        }
    }

    private final BreakerSettings settings;
    private final long slowCall;

    private BreakerState state = BreakerState.CLOSED;
    private long generation;
    private long since;
    private long openings;
    private long rejected;
    private long stale;

    private final List<Result> results = new ArrayList<>();
    private BigInteger newestBucket = BigInteger.ZERO;
    private int consecutive;

    private boolean ramped;
    private BigInteger credit = BigInteger.ZERO;

    private final List<Ticket> trials = new ArrayList<>();
    private int won;

    NaiveBreaker(BreakerSettings settings) {
        this.settings = settings;
        this.slowCall = settings.slowRatePercent() == 0 ? Long.MAX_VALUE : settings.slowCallNanos();
    }

    boolean rejects(long now) {
        return switch (state) {
            case CLOSED -> false;
            case OPEN -> now < until();
            case HALF_OPEN -> running(now) + won >= settings.trials();
            case FORCED_OPEN -> true;
        };
    }

    /** Null where it refuses. */
    @Nullable
    Ticket tryAdmit(long now, long leaseEnd) {
        boolean refused = state == BreakerState.CLOSED ? !passesRamp(now) : rejects(now);
        if (refused) {
            rejected++;
            return null;
        }
        if (state == BreakerState.OPEN) {
            enter(BreakerState.HALF_OPEN, now);
        }
        boolean trial = state == BreakerState.HALF_OPEN;
        Ticket ticket = new Ticket(generation, trial, leaseEnd);
        if (trial) {
            // A lease that an admission found over is over, for late threads too.
            trials.removeIf(other -> now >= other.leaseEnd);
            trials.add(ticket);
        }
        return ticket;
    }

    private boolean passesRamp(long now) {
        if (!ramped || now >= until()) {
            return true;
        }
        credit = credit.add(shareInMillionths(now));
        boolean passes = credit.compareTo(MILLION) >= 0;
        if (passes) {
            credit = credit.subtract(MILLION);
        }
        return passes;
    }

    private BigInteger shareInMillionths(long now) {
        BigInteger elapsed =
                BigInteger.valueOf(now).subtract(BigInteger.valueOf(since)).max(BigInteger.ZERO);
        return BigInteger.valueOf(900_000)
                .multiply(elapsed)
                .divide(BigInteger.valueOf(settings.openPeriodNanos()))
                .add(BigInteger.valueOf(100_000));
    }

    void record(Ticket ticket, Verdict verdict, long now, long duration) {
        boolean current = ticket.generation == generation && (!ticket.trial || holdsPlace(ticket, now));
        if (!current) {
            stale++;
        } else if (ticket.trial) {
            recordTrial(ticket, verdict, now, duration);
        } else if (verdict != Verdict.NEUTRAL) {
            recordClosed(verdict, now, duration);
        }
    }

    private void recordTrial(Ticket ticket, Verdict verdict, long now, long duration) {
        ticket.placeKept = false;
        if (verdict == Verdict.FAILURE || (verdict == Verdict.SUCCESS && duration >= slowCall)) {
            enter(BreakerState.OPEN, now);
        } else if (verdict == Verdict.SUCCESS) {
            won++;
            if (won == settings.trials()) {
                enter(BreakerState.CLOSED, now);
                ramped = true;
                credit = MILLION.subtract(BigInteger.valueOf(100_000));
            }
        }
    }

    private void recordClosed(Verdict verdict, long now, long duration) {
        Kind kind = verdict == Verdict.FAILURE ? Kind.FAILED : duration >= slowCall ? Kind.SLOW : Kind.GOOD;
        newestBucket = newestBucket.max(bucketOf(now));
        results.add(new Result(newestBucket, kind));
        consecutive = kind == Kind.FAILED ? consecutive + 1 : 0;
        boolean inARow = settings.consecutiveFailures() > 0 && consecutive >= settings.consecutiveFailures();
        if (inARow || shareReached()) {
            enter(BreakerState.OPEN, now);
        }
    }

    private boolean shareReached() {
        List<Result> window = window(newestBucket);
        if (window.size() < settings.minimumCalls()) {
            return false;
        }
        long failed = count(window, Kind.FAILED);
        long slow = count(window, Kind.SLOW);
        return reached(failed, settings.failureRatePercent(), window.size())
                || reached(failed + slow, settings.slowRatePercent(), window.size());
    }

    private static boolean reached(long bad, int percent, int calls) {
        return percent > 0 && bad * 100 >= (long) percent * calls;
    }

    private static long count(List<Result> window, Kind kind) {
        return window.stream().filter(result -> result.kind == kind).count();
    }

    private List<Result> window(BigInteger bucket) {
        if (settings.windowCalls() > 0) {
            return results.subList(Math.max(0, results.size() - settings.windowCalls()), results.size());
        }
        BigInteger gone = bucket.subtract(BigInteger.TEN);
        return results.stream()
                .filter(result -> result.bucket.compareTo(gone) > 0)
                .toList();
    }

    private BigInteger bucketOf(long now) {
        if (settings.windowCalls() > 0) {
            return BigInteger.ZERO;
        }
        BigInteger width = BigInteger.valueOf(settings.windowNanos())
                .add(BigInteger.valueOf(9))
                .divide(BigInteger.TEN);
        return BigInteger.valueOf(now).divide(width);
    }

    void forceOpen(long now) {
        if (state != BreakerState.FORCED_OPEN) {
            enter(BreakerState.FORCED_OPEN, now);
        }
    }

    void close(long now) {
        if (state != BreakerState.CLOSED || (ramped && now < until())) {
            enter(BreakerState.CLOSED, now);
        }
    }

    private void enter(BreakerState next, long now) {
        state = next;
        generation++;
        since = now;
        openings += next == BreakerState.OPEN || next == BreakerState.FORCED_OPEN ? 1 : 0;
        results.clear();
        newestBucket = BigInteger.ZERO;
        consecutive = 0;
        ramped = false;
        trials.clear();
        won = 0;
    }

    private boolean holdsPlace(Ticket ticket, long now) {
        return ticket.placeKept && trials.contains(ticket) && now < ticket.leaseEnd;
    }

    private int running(long now) {
        return (int) trials.stream().filter(trial -> holdsPlace(trial, now)).count();
    }

    /** The end of the open period or of the ramp. */
    long until() {
        if (state != BreakerState.OPEN && !(state == BreakerState.CLOSED && ramped)) {
            return 0;
        }
        return BigInteger.valueOf(since)
                .add(BigInteger.valueOf(settings.openPeriodNanos()))
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValueExact();
    }

    BreakerFigures figures(long now) {
        boolean closed = state == BreakerState.CLOSED;
        List<Result> window = closed ? window(newestBucket.max(bucketOf(now))) : List.of();
        int percent =
                !closed ? 0 : ramped && now < until() ? shareInMillionths(now).intValueExact() / 10_000 : 100;
        return new BreakerFigures(
                state,
                generation,
                since,
                until(),
                percent,
                openings,
                rejected,
                stale,
                window.size(),
                count(window, Kind.FAILED),
                count(window, Kind.SLOW),
                consecutive,
                running(now),
                won);
    }
}
