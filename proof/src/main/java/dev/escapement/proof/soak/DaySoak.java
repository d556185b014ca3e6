package dev.escapement.proof.soak;

import java.io.PrintStream;

/**
 * Lives through simulated days, one after the other and each with a seed of its own, and watches what is retained.
 *
 * <pre>{@code
 * java -Xmx512m -cp proof/target/escapement-stress.jar dev.escapement.proof.soak.DaySoak --days 1 --seed 1
 * }</pre>
 *
 * <p>Prints a line for each hour, and for each day its digest, which is the same whenever the seed is. What is wrong is thrown,
 * with the seed; exit code 1 then, 2 on wrong usage.
 */
public final class DaySoak {

    private DaySoak() {}

    public static void main(String[] args) {
        Quiet.adviceOff();
        long days = 1;
        long seed = 1;
        for (int i = 0; i + 1 < args.length; i += 2) {
            long value = Long.parseLong(args[i + 1]);
            switch (args[i]) {
                case "--days" -> days = value;
                case "--seed" -> seed = value;
                default -> {
                    System.err.println("usage: DaySoak [--days N] [--seed N]");
                    System.exit(2);
                }
            }
        }
        for (long day = 0; day < days; day++) {
            day(seed + day, System.out);
        }
        System.out.println("PASSED days=" + days);
    }

    /**
     * One day with a look at the heap each hour.
     *
     * @return the digest of all that happened
     */
    static String day(long seed, PrintStream out) {
        SimulatedDay day = new SimulatedDay(seed);
        Flatness flatness = new Flatness();
        try {
            for (int hour = 0; hour < SimulatedDay.hours(); hour++) {
                day.hour(hour);
                Gauges all = Gauges.read();
                // The rest of the process is not the day's.
                flatness.add(new Gauges(all.heapBytes(), 0, 0, 0));
                out.println("hour=" + hour + " calls=" + day.begun() + " attempts=" + day.attempts() + " heap_kb="
                        + all.heapBytes() / 1024);
            }
            flatness.growth().ifPresent(grown -> {
                throw new AssertionError("L3 not flat: " + grown);
            });
        } catch (AssertionError wrong) {
            throw new AssertionError("the day of seed " + seed + ": " + wrong.getMessage(), wrong);
        }
        String digest = day.digest();
        out.println("seed=" + seed + " calls=" + day.begun() + " digest=" + digest + " " + day.outcomes());
        return digest;
    }
}
