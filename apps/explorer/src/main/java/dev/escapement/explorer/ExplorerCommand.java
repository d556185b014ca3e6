package dev.escapement.explorer;

import dev.escapement.fixtures.explorer.Finding;
import dev.escapement.fixtures.explorer.ReadyTest;
import dev.escapement.fixtures.explorer.Scenario;
import dev.escapement.fixtures.explorer.Shrinker;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line: what is asked for, checked before anything is played, then played and told. */
@Command(
        name = ExplorerCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        usageHelpWidth = 100,
        customSynopsis = {
            ExplorerCommand.NAME + " --scenarios N [--seed S] [--threads T]",
            "       " + ExplorerCommand.NAME + " --replay SEED | --script FILE",
        },
        description = "Plays random scenarios to the engine, and looks where it differs from the contract.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no difference",
            "1:a difference, or not all was played",
            "2:wrong usage; nothing was played",
        },
        footerHeading = "%nOutput:%n",
        footer = {
            "  Each scenario is played twice, and the traces must be the same to the byte. After "
                    + ExplorerCommand.ENOUGH + " differences",
            "  no more are looked for; each is told with its seed, and with a small scenario that shows it",
            "  too, as the method of a test. The last line says what all came to, as in",
            "  scenarios=200000 differences=0. Progress goes to standard error. Ctrl-C ends the",
            "  run after the scenarios at hand, and tells what they came to.",
        })
final class ExplorerCommand implements Callable<Integer> {

    static final String NAME = "escapement-explorer";
    static final int ENOUGH = 3;

    private static final int SAME = 0;
    private static final int DIFFERENT = 1;
    private static final int WRONG_USAGE = 2;
    private static final int MOST_THREADS = 1_024;

    private final Function<Scenario, Finding> play;
    private final PrintStream out;
    private final PrintStream err;

    @Option(names = "--scenarios", paramLabel = "N", description = "So many: those of the seeds S to S + N - 1.")
    private @Nullable Long scenarios;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--threads", paramLabel = "T", description = "At once (default: one for each processor).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--replay",
            paramLabel = "SEED",
            description = "The scenario of one seed: its script, and all that is seen.")
    private @Nullable Long replay;

    @Option(
            names = "--script",
            paramLabel = "FILE",
            description = "The same for the scenario of a script, such as --replay prints; standard input for -.")
    private @Nullable String script;

    /** @param play explores one scenario; called by several threads */
    ExplorerCommand(Function<Scenario, Finding> play, PrintStream out, PrintStream err) {
        this.play = new Twice(play);
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws WrongUsage, InterruptedException {
        if (Stream.of(scenarios, replay, script).filter(Objects::nonNull).count() != 1) {
            throw new WrongUsage("expected one of --scenarios, --replay and --script");
        }
        if (scenarios != null) {
            return explore(scenarios);
        }
        if (replay != null) {
            return show(Scenario.random(replay));
        }
        return show(read(Objects.requireNonNull(script)));
    }

    private int explore(long count) throws WrongUsage, InterruptedException {
        require(count >= 1, "--scenarios = " + count + ": expected 1 or more");
        require(threads >= 1 && threads <= MOST_THREADS, "--threads = " + threads + ": expected 1 to " + MOST_THREADS);
        require(seed + (count - 1) >= seed, "--seed = " + seed + ": expected room for " + count + " seeds above it");
        Exploration exploration = new Exploration(play, seed, count, ENOUGH);
        Stopping stopping = new Stopping(exploration);
        try {
            new Progress(err, exploration, count).follow(exploration.start(threads));
            exploration.found().stream().limit(ENOUGH).forEach(this::tell);
            return end(exploration.played(), exploration.found().size(), exploration.played() == count);
        } finally {
            stopping.told();
        }
    }

    private void tell(Difference difference) {
        line("seed " + difference.seed() + ": " + difference.words());
        line("");
        Scenario scenario = Scenario.random(difference.seed());
        if (play.apply(scenario).difference().isPresent()) {
            out.print(ReadyTest.of("seed" + difference.seed(), Shrinker.shrink(scenario, play)));
        } else {
            line("Played once more, it shows none.");
        }
        line("");
    }

    private int show(Scenario scenario) {
        out.print(scenario);
        line("");
        Finding finding = play.apply(scenario);
        finding.trace().forEach(this::line);
        finding.difference().ifPresent(words -> line("\n" + words));
        line("");
        return end(1, finding.difference().isPresent() ? 1 : 0, true);
    }

    private int end(long played, int differences, boolean complete) {
        line("scenarios=" + played + " differences=" + differences);
        out.flush();
        return differences == 0 && complete ? SAME : DIFFERENT;
    }

    private void line(String text) {
        out.print(text + '\n');
    }

    private static Scenario read(String file) throws WrongUsage {
        try {
            byte[] bytes = file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
            return Scenario.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new WrongUsage(file + ": cannot be read: " + unreadable);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUsage(file + ": " + wrong.getMessage());
        }
    }

    private static void require(boolean holds, String otherwise) throws WrongUsage {
        if (!holds) {
            throw new WrongUsage(otherwise);
        }
    }

    /** One line for what is wrong. */
    int complain(@Nullable String message) {
        err.println(NAME + ": " + String.valueOf(message).lines().findFirst().orElse(""));
        return WRONG_USAGE;
    }
}
