package dev.escapement.explorer;

import dev.escapement.call.Client;
import dev.escapement.fixtures.explorer.Explorer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;

/** Starts the program: {@code java -jar escapement-explorer.jar --scenarios N}. */
public final class Main {

    /** Where a client logs what its policies advise against, which random ones often do. Kept, so that it stays off. */
    private static final Logger CLIENT_LOG = Logger.getLogger(Client.class.getName());

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        CLIENT_LOG.setLevel(Level.OFF);
        // Scripts hold any character, wherever this runs.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        int exit = commandLine(new ExplorerCommand(Explorer::explore, out, System.err))
                .execute(args);
        out.flush();
        System.exit(exit);
    }

    /** The command with one line on standard error for whatever is wrong. */
    static CommandLine commandLine(ExplorerCommand command) {
        return new CommandLine(command)
                .setExpandAtFiles(false)
                .setParameterExceptionHandler((e, args) -> command.complain(e.getMessage()))
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    if (e instanceof WrongUsage) {
                        return command.complain(e.getMessage());
                    }
                    throw e;
                });
    }
}
