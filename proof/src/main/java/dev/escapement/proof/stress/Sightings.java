package dev.escapement.proof.stress;

import java.util.SortedMap;
import java.util.TreeMap;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;

/**
 * What a race was seen to end in: how often each outcome came, and which of them its test does not list. One thread's.
 */
public final class Sightings {

    private final TestInfo test;
    private final SortedMap<String, Long> counts = new TreeMap<>();
    private long total;

    Sightings(TestInfo test) {
        this.test = test;
    }

    void add(TestResult round) {
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

    /** The outcomes that came and are not allowed, with how often they did. */
    public SortedMap<String, Long> forbidden() {
        SortedMap<String, Long> forbidden = new TreeMap<>(counts);
        forbidden.keySet().removeIf(outcome -> allows(expectationOf(outcome)));
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
        return test.name() + " " + counts;
    }
}
