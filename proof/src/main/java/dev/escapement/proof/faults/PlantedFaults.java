package dev.escapement.proof.faults;

import dev.escapement.call.Client;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Searches for every planted fault and writes the page about them to standard output, and to standard error what was seen of each. Where one
 * is not seen at all, that is said there too, and the exit code is 1.
 *
 * <p>A program of its own, so that it can have a virtual machine of its own: each fault's world is new and short, and what the second compiler
 * makes of it comes too late ({@code -XX:TieredStopAtLevel=1} halves the cost). An argument says how many scenarios to try at most.
 */
public final class PlantedFaults {

    /** Random policies are full of what is advised against. A field: a logger that nobody holds forgets its level. */
    private static final Logger SILENCED = Logger.getLogger(Client.class.getName());

    private PlantedFaults() {}

    /** See the class. */
    public static void main(String[] args) throws InterruptedException {
        SILENCED.setLevel(Level.OFF);
        Census census = Census.take(FaultReader.readAll(), Long.parseLong(args[0]));
        System.out.print(FaultTable.of(census.seen()));
        census.seen().forEach(System.err::println);
        census.unseen().forEach(fault -> System.err.println("not seen: " + fault));
        // Not by returning: the thread of a world without end would go on.
        System.exit(census.unseen().isEmpty() ? 0 : 1);
    }
}
