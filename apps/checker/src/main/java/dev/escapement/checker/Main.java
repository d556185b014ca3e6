package dev.escapement.checker;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Prints its usage; the checks are still to come. */
@Command(name = "escapement-checker", mixinStandardHelpOptions = true, description = "Checks an HTTP upstream.")
public final class Main implements Runnable {

    /** Runs the command line and exits with its code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }
}
