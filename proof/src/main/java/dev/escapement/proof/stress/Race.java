package dev.escapement.proof.stress;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.ResourceEstimator;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * One jcstress test, to be run here and now instead of in a JVM of its own: without jcstress's probing and forking, which take
 * longer than the races, and with the classes that a class loader gives.
 *
 * <p>A race starts in the interpreter and is compiled while it runs, so that a short run has seen a little of each. Which compilers
 * and flags there are besides is what the long form tries.
 */
public final class Race {

    /** How many races two threads run through before they wait for each other. */
    private static final int STRIDE = 32;

    /** How many strides before the objects are made anew: 1,024 at a time, of which the largest hold 25 kB each. */
    private static final int STRIDES = 32;

    private final TestInfo test;

    private Race(TestInfo test) {
        this.test = test;
    }

    /** All that were compiled with this module, by name. */
    public static List<Race> all() {
        return TestList.tests().stream()
                .sorted()
                .map(name -> new Race(TestList.getInfo(name)))
                .toList();
    }

    /** The one of a test class, compiled with this module. */
    public static Race of(Class<?> test) {
        return new Race(TestList.getInfo(test.getCanonicalName()));
    }

    /** The name of its test class. */
    public String name() {
        return test.name();
    }

    /**
     * Runs it in rounds until something was seen that is forbidden, or {@code rounds} are over.
     *
     * @param classes where the test's classes, and those that it stresses, come from
     */
    public Sightings run(ClassLoader classes, int rounds, int roundMillis) {
        Sightings seen = new Sightings(test);
        for (int round = 0; round < rounds && seen.forbidden().isEmpty(); round++) {
            TestResult result = runner(classes, roundMillis).run();
            seen.add(result);
        }
        return seen;
    }

    private Runner<?> runner(ClassLoader classes, int roundMillis) {
        try {
            return Class.forName(test.generatedRunner(), true, classes)
                    .asSubclass(Runner.class)
                    .getConstructor(ForkedTestConfig.class)
                    .newInstance(settings(roundMillis));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(test.name() + " has no runner", e);
        }
    }

    /** A runner's settings can only be had from their form on the wire, in which forked JVMs get them. */
    private ForkedTestConfig settings(int roundMillis) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(wire)) {
            out.writeInt(List.of(SpinLoopStyle.values()).indexOf(SpinLoopStyle.THREAD_YIELD));
            out.writeInt(roundMillis);
            out.writeInt(1); // iterations
            out.writeUTF(test.generatedRunner());
            out.writeInt(0); // megabytes: of no interest where strides are fixed
            out.writeInt(STRIDE);
            out.writeInt(STRIDES);
            out.writeBoolean(false); // no affinity
            return new FixedStrides(new DataInputStream(new ByteArrayInputStream(wire.toByteArray())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Settings that are not to be adjusted: to find out how much fits into a heap takes longer than a short round. */
    private static final class FixedStrides extends ForkedTestConfig {

        FixedStrides(DataInputStream wire) throws IOException {
            super(wire);
        }

        @Override
        public void adjustStrideCount(ResourceEstimator estimator) {}
    }
}
