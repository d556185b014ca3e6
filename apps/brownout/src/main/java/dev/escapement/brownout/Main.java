package dev.escapement.brownout;

import java.io.PrintStream;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/** Starts the program: {@code java -jar escapement-brownout.jar [SEED]}. */
public final class Main {

    private static final long DEFAULT_SEED = 1;
    private static final int WRONG_USAGE = 2;

    private Main() {}

    /** Plays the brownout with each choice of guards and prints the chart; the seed is a whole number, 1 unless given. */
    public static void main(String[] args) {
        long seed;
        try {
            seed = args.length == 0 ? DEFAULT_SEED : Long.parseLong(args[0]);
        } catch (NumberFormatException e) {
            seed = 0;
        }
        if (args.length > 1 || seed <= 0) {
            System.err.println("usage: java -jar escapement-brownout.jar [SEED], a whole number from 1 on");
            System.exit(WRONG_USAGE);
        }
        print(Scenario.standard(), seed, System.out);
    }

    /** Writes the chart of that scenario and seed; the same bytes each time. */
    static void print(Scenario scenario, long seed, PrintStream out) {
        List<Trace> runs = Stream.of(Guards.values())
                .map(guards -> new Simulation(scenario, guards, seed).run())
                .toList();
        for (String line : new Chart(runs, EnumSet.of(Guards.NONE, Guards.BOTH)).lines()) {
            out.print(line + '\n');
        }
        out.flush();
    }
}
