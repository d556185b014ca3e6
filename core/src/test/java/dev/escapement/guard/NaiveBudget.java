package dev.escapement.guard;

import dev.escapement.policy.BudgetSettings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** A retry budget as one would write it down: every deposit and every retry by the start of its bucket, and decimal numbers. */
class NaiveBudget {

    final List<Long> deposits = new ArrayList<>();
    final List<Long> reserved = new ArrayList<>();
    long refused;

    private final BigDecimal ratio;
    private final BigDecimal floor;
    private final long windowNanos;
    private long latestNanos;

    NaiveBudget(BudgetSettings settings, long nowNanos) {
        ratio = BigDecimal.valueOf(settings.ratioPartsPerMillion(), 6);
        floor = BigDecimal.valueOf(settings.floorPerSecond()).multiply(BigDecimal.valueOf(settings.windowNanos(), 9));
        windowNanos = settings.windowNanos();
        latestNanos = nowNanos;
    }

    void deposit(long nowNanos) {
        forget(nowNanos);
        deposits.add(bucketStart(latestNanos));
    }

    boolean tryReserve(long nowNanos) {
        forget(nowNanos);
        if (affordable().compareTo(BigDecimal.valueOf(reserved.size() + 1L)) < 0) {
            refused++;
            return false;
        }
        takeUnasked(nowNanos);
        return true;
    }

    /** A retry, whether or not it can be afforded. */
    void takeUnasked(long nowNanos) {
        forget(nowNanos);
        reserved.add(bucketStart(latestNanos));
    }

    void giveBack(long reservedNanos) {
        long start = bucketStart(reservedNanos);
        if (!isForgotten(start)) {
            reserved.stream().filter(other -> other >= start).findFirst().ifPresent(reserved::remove);
        }
    }

    BudgetFigures figures(long nowNanos) {
        forget(nowNanos);
        long available = affordable().longValue() - reserved.size();
        return new BudgetFigures(deposits.size(), reserved.size(), Math.max(0, available), refused);
    }

    private BigDecimal affordable() {
        return ratio.multiply(BigDecimal.valueOf(deposits.size())).add(floor);
    }

    private void forget(long nowNanos) {
        latestNanos = Math.max(latestNanos, nowNanos);
        deposits.removeIf(this::isForgotten);
        reserved.removeIf(this::isForgotten);
    }

    private boolean isForgotten(long startNanos) {
        return latestNanos - startNanos >= windowNanos;
    }

    private long bucketStart(long nanos) {
        return nanos - nanos % (windowNanos / 10);
    }
}
