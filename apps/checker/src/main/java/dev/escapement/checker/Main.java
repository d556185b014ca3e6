package dev.escapement.checker;

import dev.escapement.call.Client;
import dev.escapement.metadata.Preset;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;

/** Starts the program: {@code java -jar escapement-checker.jar [options] [FILE]}. */
public final class Main {

    private static final int WRONG_USAGE = 2;
    private static final int FAILED = 1;

    /** Where a client logs what its policies advise against; {@link Program} tells that in its own words. Kept, so that it stays off. */
    private static final Logger CLIENT_LOG = Logger.getLogger(Client.class.getName());

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        CLIENT_LOG.setLevel(Level.OFF);
        System.exit(commandLine(new CheckerCommand()).execute(args));
    }

    /** The command with all its options, and one line on standard error for whatever is wrong. */
    static CommandLine commandLine(CheckerCommand command) {
        CommandLine line = new CommandLine(command);
        UpstreamOptions.addTo(line.getCommandSpec());
        return line.registerConverter(Duration.class, new DurationConverter())
                .registerConverter(Preset.class, new WordConverter<>(Preset.class))
                .setExpandAtFiles(false)
                .setParameterExceptionHandler((e, args) -> complain(e.getCommandLine(), String.valueOf(e.getMessage())))
                .setExecutionExceptionHandler((e, parsing, parsed) -> failed(e, parsing));
    }

    private static int failed(Exception e, CommandLine line) {
        if (e instanceof WrongUsage) {
            return complain(line, String.valueOf(e.getMessage()));
        }
        e.printStackTrace(line.getErr());
        return FAILED;
    }

    private static int complain(CommandLine line, String message) {
        line.getErr().println(CheckerCommand.NAME + ": " + Printable.line(message));
        return WRONG_USAGE;
    }
}
