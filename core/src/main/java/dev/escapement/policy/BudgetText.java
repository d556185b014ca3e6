package dev.escapement.policy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A budget in a flat map: its ratio, its floor per second and its window under three keys, or one that says that there is none. */
final class BudgetText implements SettingText<BudgetSettings> {

    private static final String RATIO = "-ratio";
    private static final String FLOOR = "-floor";
    private static final String WINDOW = "-window";
    private static final int RATIO_DECIMALS = 6;

    /** The end of the key, by the name that the settings' own faults have. */
    private static final Map<String, String> PARTS =
            Map.of("budget.ratio", RATIO, "budget.floorPerSecond", FLOOR, "budget.window", WINDOW);

    @Override
    public Optional<BudgetSettings> read(String key, MapReader from) {
        if (from.saysNone(key)) {
            return Optional.of(BudgetSettings.none());
        }
        BudgetSettings standard = BudgetSettings.standard();
        BigDecimal ratio = from.take(key + RATIO, Notation.RATIO).orElse(ratio(standard));
        int floor = from.take(key + FLOOR, Notation.COUNT).orElse(standard.floorPerSecond());
        Duration window = from.take(key + WINDOW, Notation.DURATION).orElse(Duration.ofNanos(standard.windowNanos()));
        try {
            return Optional.of(BudgetSettings.of(ratio, floor, window));
        } catch (PolicyException refusal) {
            refusal.faults().forEach(fault -> from.fault(fault.renamed(key + PARTS.get(fault.parameter()))));
            return Optional.empty();
        }
    }

    @Override
    public void write(String key, BudgetSettings value, Map<String, String> to) {
        if (value.unlimited()) {
            to.put(key, Notation.NONE);
            return;
        }
        to.put(key + RATIO, Notation.RATIO.write(ratio(value)));
        to.put(key + FLOOR, Notation.COUNT.write(value.floorPerSecond()));
        to.put(key + WINDOW, Notation.DURATION.write(Duration.ofNanos(value.windowNanos())));
    }

    private static BigDecimal ratio(BudgetSettings settings) {
        BigDecimal exact = BigDecimal.valueOf(settings.ratioPartsPerMillion(), RATIO_DECIMALS);
        return exact.signum() == 0 ? BigDecimal.ZERO : exact.stripTrailingZeros();
    }
}
