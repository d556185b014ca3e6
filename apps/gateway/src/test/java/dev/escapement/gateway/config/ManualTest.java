package dev.escapement.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.gateway.inbound.Refusal;
import dev.escapement.gateway.record.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The manual page against the program. */
class ManualTest {

    private static final String MANUAL = read();

    private static String read() {
        try {
            return Files.readString(Path.of("README.md"));
        } catch (IOException e) {
            throw new AssertionError("run in the module's directory", e);
        }
    }

    private static ConfigResult configuration(String text) {
        return ConfigReader.read("README.md", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Settings and the cells of their defaults, from all tables that begin with {@code setting}. */
    private static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        Matcher row = Pattern.compile("(?m)^\\| `([a-z*.\\[\\]-]+)` \\| (.*?) \\| ")
                .matcher(MANUAL.substring(MANUAL.indexOf("## Settings"), MANUAL.indexOf("## Errors")));
        while (row.find()) {
            assertThat(settings.put(row.group(1), row.group(2)))
                    .as(row.group(1))
                    .isNull();
        }
        return settings;
    }

    @Test
    @DisplayName("The examples have no faults, and nothing that would be warned of")
    void theExamplesAreGood() {
        Matcher block = Pattern.compile("(?s)```yaml\n(.*?)```").matcher(MANUAL);
        int examples = 0;
        while (block.find()) {
            ConfigResult result = configuration(block.group(1));
            assertThat(result).isInstanceOf(ConfigResult.Good.class);
            assertThat(result.warnings()).isEmpty();
            examples++;
        }
        assertThat(examples).isEqualTo(2);
    }

    /** Where a key that is unknown everywhere stands in each section. */
    private static final String EVERY_SECTION = """
            qqqqqqqqqq: 1
            inbound: {qqqqqqqqqq: 1, tls: {qqqqqqqqqq: 1}}
            headers: {qqqqqqqqqq: 1}
            policies: {n: {timeout: 1s, qqqqqqqqqq: 1}}
            upstreams: {n: {endpoints: "https://h", qqqqqqqqqq: 1, tls: {qqqqqqqqqq: 1}, host: {qqqqqqqqqq: 1}}}
            routes: [{qqqqqqqqqq: 1, match: {qqqqqqqqqq: 1}}]
            access-log: {qqqqqqqqqq: 1}
            shutdown: {qqqqqqqqqq: 1}
            """;

    /** Every setting that the reader asks for, sections left out. */
    private static Set<String> known() {
        Set<String> known = new TreeSet<>();
        Set<String> sections = new TreeSet<>();
        for (Fault fault : ((ConfigResult.Bad) configuration(EVERY_SECTION)).faults()) {
            Matcher told = Pattern.compile("unknown key; known are (.*)").matcher(fault.message());
            if (!told.matches()) {
                continue;
            }
            String section = fault.path()
                    .replace("qqqqqqqqqq", "")
                    .replaceAll("\\.n\\.", ".*.")
                    .replaceAll("\\[0\\]", "[]");
            sections.add(section.isEmpty() ? "" : section.substring(0, section.length() - 1));
            Arrays.stream(told.group(1).split(", ")).forEach(key -> known.add(section + key));
        }
        assertThat(sections).hasSize(12);
        known.removeAll(sections);
        known.removeAll(Set.of("policies", "upstreams", "routes"));
        known.add("upstreams.*.host");
        return known;
    }

    @Test
    @DisplayName("Every setting that is read is explained, and none that is not")
    void everySettingIsExplained() {
        assertThat(settings().keySet()).containsExactlyInAnyOrderElementsOf(known());
    }

    @Test
    @DisplayName("Every default is the one that holds")
    void everyDefaultHolds() {
        Map<String, String> effective = new LinkedHashMap<>();
        flatten(
                "",
                EffectiveConfig.of(((ConfigResult.Good) configuration(EffectiveConfig.defaults())).config()),
                effective);
        List<String> told = new ArrayList<>();
        settings().forEach((setting, cell) -> {
            Matcher plain = Pattern.compile("`([^`]*)`").matcher(cell);
            String value = effective.get(setting);
            if (plain.matches() && value != null) {
                assertThat(plain.group(1)).as(setting).isEqualTo(value);
                told.add(setting);
            } else if (cell.equals("none")) {
                assertThat(Optional.ofNullable(value).orElse("[]")).as(setting).isEqualTo("[]");
            }
        });
        assertThat(told)
                .contains("inbound.head-timeout", "policies.*.retries", "shutdown.grace")
                .hasSizeGreaterThan(60);
    }

    private static void flatten(String path, Object value, Map<String, String> to) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, below) ->
                    flatten(path.isEmpty() ? key.toString() : path + "." + (isNamed(path) ? "*" : key), below, to));
        } else if (value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Map) {
            list.forEach(item -> flatten(path + "[]", item, to));
        } else {
            to.put(path, value.toString());
        }
    }

    private static boolean isNamed(String path) {
        return path.equals("policies") || path.equals("upstreams");
    }

    @Test
    @DisplayName("Every reason of an own answer has its row: status, word, and whether it may be sent again")
    void everyReasonIsExplained() {
        Set<String> rows = new TreeSet<>();
        Matcher row = Pattern.compile(
                        "(?m)^\\| ([0-9]{3}) \\| `([a-z-]+)` \\| [^|]+ \\| [^|]+ \\| (yes|no) \\| [^|]*\\|$")
                .matcher(MANUAL);
        while (row.find()) {
            rows.add(row.group(1) + " " + row.group(2) + " " + row.group(3));
        }

        Set<String> reasons = Arrays.stream(Reason.values())
                .filter(reason -> reason.status() > 0)
                .map(reason -> reason.status() + " " + reason.word() + " " + (reason.repeatable() ? "yes" : "no"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(rows).isEqualTo(reasons);
    }

    @Test
    @DisplayName("Every rule by which a request is refused, and every reason of a cut, is named")
    void everyRuleIsNamed() {
        for (Refusal refusal : Refusal.values()) {
            String status = refusal.status() == 400 ? "" : "(" + refusal.status() + ")";
            String text = MANUAL.replaceAll("\\s+", " ");
            assertThat(text).contains("`" + refusal.rule() + "`" + (status.isEmpty() ? "" : " " + status));
        }
        for (Reason reason : Reason.values()) {
            if (reason.status() == 0) {
                assertThat(MANUAL).contains("`" + reason.word() + "` (");
            }
        }
    }
}
