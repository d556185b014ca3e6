package dev.escapement.checker;

import dev.escapement.netty.SettingsException;
import dev.escapement.policy.AttemptFit;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.FailureRule;
import dev.escapement.policy.Jitter;
import dev.escapement.policy.PermitScope;
import dev.escapement.policy.PolicyException;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Starts the program: {@code java -jar escapement-checker.jar [options] [FILE]}. */
public final class Main {

    private static final int WRONG_USAGE = 2;
    private static final int FAILED = 1;

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine(new CheckerCommand()).execute(args));
    }

    /** The command with its converters, and one line on standard error for whatever is wrong. */
    static CommandLine commandLine(CheckerCommand command) {
        return convert(new CommandLine(command))
                .setExpandAtFiles(false)
                .setParameterExceptionHandler((e, args) -> complain(e.getCommandLine(), String.valueOf(e.getMessage())))
                .setExecutionExceptionHandler((e, line, parsed) -> failed(e, line));
    }

    /** Teaches a command line the types of our options. */
    static CommandLine convert(CommandLine line) {
        return line.registerConverter(Duration.class, new DurationConverter())
                .registerConverter(Methods.class, Methods::parse)
                .registerConverter(Statuses.class, Statuses::parse)
                .registerConverter(Jitter.class, Main::jitter)
                .registerConverter(AttemptFit.class, new WordConverter<>(AttemptFit.class))
                .registerConverter(PermitScope.class, new WordConverter<>(PermitScope.class))
                .registerConverter(DeadlineOrigin.class, new WordConverter<>(DeadlineOrigin.class))
                .registerConverter(FailureRule.class, new WordConverter<>(FailureRule.class));
    }

    private static Jitter jitter(String word) {
        return Jitter.ofWord(word)
                .orElseThrow(() -> new TypeConversionException(Printable.shown(word) + ": expected " + Jitter.WORDS));
    }

    private static int failed(Exception e, CommandLine line) {
        if (e instanceof WrongUsage) {
            return complain(line, String.valueOf(e.getMessage()));
        }
        if (e instanceof PolicyException refusal) {
            return complain(line, Complaint.of(refusal));
        }
        if (e instanceof SettingsException refusal) {
            return complain(line, Complaint.of(refusal));
        }
        e.printStackTrace(line.getErr());
        return FAILED;
    }

    private static int complain(CommandLine line, String message) {
        line.getErr().println(CheckerCommand.NAME + ": " + Printable.line(message));
        return WRONG_USAGE;
    }
}
