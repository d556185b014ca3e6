package dev.escapement.proof.stress;

import java.util.SortedMap;
import java.util.TreeMap;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;

/**
 * What a race was seen to end in: how often each outcome came, and which of them its test does not list. One thread's.
 */
public final class Sightings {

    private final TestInfo test;
    private final SortedMap<String, Long> counts = new TreeMap<>();

    /** Rounds that ended otherwise than in outcomes. */
    private final SortedMap<String, Long> broken = new TreeMap<>();

    private long total;

    Sightings(TestInfo test) {
        this.test = test;
    }

    void add(TestResult round) {
        if (round.status() != Status.NORMAL) {
            // What an actor threw, or that it never came to an end; and no test lists that.
            broken.merge(round.status() + " " + round.getMessages(), 1L, Long::sum);
        }
        for (String outcome : round.getStateKeys()) {
            counts.merge(outcome, round.getCount(outcome), Long::sum);
            total += round.getCount(outcome);
        }
    }

    /** How many races there were. */
    public long total() {
        return total;
    }

    /** How often each outcome came. */
    public SortedMap<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    /** What came and is not allowed, with how often it did: outcomes, and rounds that broke. */
    public SortedMap<String, Long> forbidden() {
        SortedMap<String, Long> forbidden = new TreeMap<>(counts);
        forbidden.keySet().removeIf(outcome -> allows(expectationOf(outcome)));
        forbidden.putAll(broken);
        return forbidden;
    }

    private static boolean allows(Expect expect) {
        return expect == Expect.ACCEPTABLE || expect == Expect.ACCEPTABLE_INTERESTING;
    }

    /** As jcstress grades: what is written out goes before patterns, and what no case matches is forbidden. */
    private Expect expectationOf(String outcome) {
        return test.cases().stream()
                .filter(listed -> listed.matchesExactly(outcome))
                .findFirst()
                .or(() -> test.cases().stream()
                        .filter(listed -> listed.matches(outcome))
                        .findFirst())
                .map(StateCase::expect)
                .orElse(test.unmatched().expect());
    }

    @Override
    public String toString() {
        return test.name() + " " + counts + (broken.isEmpty() ? "" : " " + broken);
    }
}
