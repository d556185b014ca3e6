package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.policy.UpstreamSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The command line wins over a file, a file over the defaults, and a group of settings has one meaning. */
class SettingLayersTest {

    private final SettingLayers layers = new SettingLayers(Defaults.LIST.settings());
    private final Complaints complaints = new Complaints();

    @Test
    @DisplayName("P7 key by key, the command line wins over the file and the file over the defaults")
    void layersWin() throws WrongUsage {
        file("max-retries", "3", "max-backoff", "7s", "version", "filed");
        line(Knob.MAX_RETRIES, "4");

        Map<String, String> settings = settings();

        assertThat(settings)
                .containsEntry("max-retries", "4")
                .containsEntry("max-backoff", "7s")
                .containsEntry("version", "filed")
                .containsEntry("attempt-fit", "whole")
                .containsEntry("attempt-timeout", "4s");
    }

    @Test
    @DisplayName("G1 one part of a group is enough to have it, and keeps the parts below")
    void aPartAsksForItsGroup() throws WrongUsage {
        file("budget-floor", "9");
        line(Knob.BUDGET_RATIO, "0.5");

        assertThat(settings())
                .containsEntry("budget-ratio", "0.5")
                .containsEntry("budget-floor", "9")
                .containsEntry("budget-window", "10s")
                .containsEntry("breaker", "none");
    }

    @Test
    @DisplayName("G2 none above takes the group away, standard starts it from the library's defaults")
    void aGroupIsTakenAwayAndStarted() throws WrongUsage {
        file("budget-floor", "9", "breaker-trials", "5");
        line(Knob.BUDGET, "none", Knob.BREAKER, "standard");

        assertThat(settings())
                .containsEntry("budget", "none")
                .doesNotContainKey("budget-floor")
                .containsEntry("breaker-trials", "1")
                .containsEntry("breaker-consecutive-failures", "5");
    }

    @Test
    @DisplayName("G2 of the two windows the upper layer's stands")
    void oneWindowStands() throws WrongUsage {
        file("breaker-time-window", "3s");
        line(Knob.BREAKER_COUNT_WINDOW, "70");

        assertThat(settings()).containsEntry("breaker-count-window", "70").doesNotContainKey("breaker-time-window");
    }

    @Test
    @DisplayName("P1 a file that says everything leaves nothing of the checker's own choices")
    void aWholePolicyIsItself() throws WrongUsage {
        UpstreamSettings gateway = UpstreamSettings.of(Map.of("overall-timeout", "3s", "max-retries", "2"));
        layers.putFile(Path.of("f"), gateway.toMap());
        layers.putCommandLine(Map.of(), complaints);

        UpstreamSettings read = layers.read(complaints);

        complaints.throwIfAny();
        assertThat(read).isEqualTo(gateway);
    }

    private void file(String... pairs) {
        Map<String, String> settings = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            settings.put(pairs[i], pairs[i + 1]);
        }
        layers.putFile(Path.of("f"), settings);
    }

    private void line(Knob knob, String text) {
        layers.putCommandLine(Map.of(knob, text), complaints);
    }

    private void line(Knob one, String text, Knob other, String otherText) {
        layers.putCommandLine(Map.of(one, text, other, otherText), complaints);
    }

    private Map<String, String> settings() throws WrongUsage {
        Map<String, String> settings = layers.read(complaints).toMap();
        complaints.throwIfAny();
        return settings;
    }
}
