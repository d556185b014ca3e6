package dev.escapement.checker;

import dev.escapement.policy.UpstreamSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options of policy and breakers, one for each {@link Knob}, and the file that may stand in for them. */
final class UpstreamOptions {

    private static final String FILE = "--policy";

    private UpstreamOptions() {}

    /** Adds the options to a command. */
    static void addTo(CommandSpec command) {
        ArgGroupSpec.Builder policy = group("%nPolicy:%n")
                .addArg(OptionSpec.builder(FILE)
                        .type(Path.class)
                        .paramLabel("FILE")
                        .description(
                                "Reads settings from a properties file: the options here and under Breakers, without"
                                        + " the hyphens in front, policy-version being version. What the command line gives"
                                        + " wins; what neither gives has the default told here. Default: none.")
                        .build());
        ArgGroupSpec.Builder breakers = group("%nBreakers:%n");
        add(policy, knob -> !knob.isOfBreakers());
        add(breakers, Knob::isOfBreakers);
        command.addArgGroup(policy.build());
        command.addArgGroup(breakers.build());
    }

    private static ArgGroupSpec.Builder group(String heading) {
        return ArgGroupSpec.builder().validate(false).heading(heading);
    }

    private static void add(ArgGroupSpec.Builder group, Predicate<Knob> which) {
        List<Knob> knobs = Arrays.stream(Knob.values()).filter(which).toList();
        for (Knob knob : knobs) {
            group.addArg(OptionSpec.builder(knob.option)
                    .type(String.class)
                    .paramLabel(knob.label)
                    .description(knob.description + " Default: " + Defaults.told(knob) + ".")
                    .build());
        }
    }

    /**
     * The settings that a command line asks for; the standard ones where something is wrong with them, which the complaints
     * are told.
     *
     * @param detail what reports hold unless said
     */
    static UpstreamSettings read(ParseResult parsed, Defaults defaults, String detail, Complaints complaints) {
        SettingLayers layers = new SettingLayers(defaults.settings());
        layers.put(Map.of(Knob.REPORT_DETAIL.key, detail));
        if (parsed.hasMatchedOption(FILE)) {
            Path file = parsed.matchedOptionValue(FILE, Path.of(""));
            PolicyFile.read(file, complaints).ifPresent(settings -> layers.putFile(file, settings));
        }
        layers.putCommandLine(given(parsed), complaints);
        return layers.read(complaints);
    }

    private static Map<Knob, String> given(ParseResult parsed) {
        Map<Knob, String> given = new EnumMap<>(Knob.class);
        for (Knob knob : Knob.values()) {
            if (parsed.hasMatchedOption(knob.option)) {
                given.put(knob, knob.text(parsed.matchedOptionValue(knob.option, "")));
            }
        }
        return given;
    }
}
