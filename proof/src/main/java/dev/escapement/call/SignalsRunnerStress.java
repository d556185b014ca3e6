package dev.escapement.call;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two signals meet an idle word: exactly one signaller is made the machine's owner, and both bits are there to take. */
@JCStressTest
@Outcome(id = "1, 0, 6", expect = ACCEPTABLE, desc = "the first signaller runs the machine")
@Outcome(id = "0, 1, 6", expect = ACCEPTABLE, desc = "the second signaller runs the machine")
@State
public class SignalsRunnerStress {

    private final Word word = new Word();

    public SignalsRunnerStress() {
        word.goIdle();
    }

    @Actor
    public void completed(III_Result r) {
        r.r1 = word.set(Signals.COMPLETED) ? 1 : 0;
    }

    @Actor
    public void woken(III_Result r) {
        r.r2 = word.set(Signals.WOKEN) ? 1 : 0;
    }

    @Arbiter
    public void taken(III_Result r) {
        r.r3 = word.take();
    }
}
