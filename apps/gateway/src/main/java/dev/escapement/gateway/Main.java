package dev.escapement.gateway;

import dev.escapement.call.Client;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;

/** Starts the program: {@code java -jar escapement-gateway.jar [options]}. */
public final class Main {

    /** Where a client logs what its policies advise against; the configuration's reader tells that with its place. Kept, so that it stays off. */
    private static final Logger CLIENT_LOG = Logger.getLogger(Client.class.getName());

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        Hangup hangup = new Hangup();
        if (!hangup.install()) {
            System.err.println(GatewayCommand.NAME + ": no SIGHUP (-Xrs?): reload by the file or the admin port");
        }
        CLIENT_LOG.setLevel(Level.OFF);
        System.exit(commandLine(new GatewayCommand(hangup)).execute(args));
    }

    /** The command, and a line on standard error for what is wrong. */
    static CommandLine commandLine(GatewayCommand command) {
        return new CommandLine(command)
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(
                        (e, args) -> complain(e.getCommandLine(), String.valueOf(e.getMessage()), GatewayCommand.WRONG))
                .setExecutionExceptionHandler((e, line, parsed) -> failed(e, line));
    }

    private static int failed(Exception e, CommandLine line) {
        if (e instanceof IOException) {
            return complain(line, String.valueOf(e.getMessage()), GatewayCommand.FAILED);
        }
        e.printStackTrace(line.getErr());
        return GatewayCommand.FAILED;
    }

    private static int complain(CommandLine line, String message, int code) {
        line.getErr().println(GatewayCommand.NAME + ": " + message);
        return code;
    }
}
