package dev.escapement.brownout;

import java.time.Duration;

/**
 * How many call how often, what the upstream can do, and when it cannot.
 *
 * <p><b>Callers</b> are open-loop: each calls at instants of its own, whether or not its former calls have ended. They stand for
 * the users behind a gateway, who know nothing of each other and do not arrive any later because the upstream is slow.
 * (Callers that wait for their answer before they think of the next call would slow down with the upstream, and spare
 * it: 500 of them could not keep this one down.)
 *
 * <p><b>The upstream</b> is a pool of workers behind a bounded queue, first come, first served. Its capacity is workers ÷
 * service time; above it the queue grows, and with it the time to an answer; once it is full, arrivals are shed with a
 * 503. It does not learn that a caller has gone and works for it all the same, as most servers do.
 *
 * @param callers how many there are
 * @param meanGap between the calls of one caller; each gap is drawn evenly from 0 to twice that. So many independent callers
 *     together are close to a Poisson process
 * @param workers how many requests are worked on at a time
 * @param service how long the work takes on average; each is drawn evenly from half to one and a half of it
 * @param queue how many requests may wait for a worker
 * @param slowness by what the work takes longer in the brownout
 * @param brownoutFrom when it begins, from the beginning of the run
 * @param brownoutTo when it is over
 * @param end when the callers stop
 * @param callBudget what a call may take overall
 */
record Scenario(
        int callers,
        Duration meanGap,
        int workers,
        Duration service,
        int queue,
        int slowness,
        Duration brownoutFrom,
        Duration brownoutTo,
        Duration end,
        Duration callBudget) {

    /**
     * 500 callers make 1,250 calls a second to an upstream that can answer 2,000: at 62 % it is neither idle nor tight. Its
     * queue holds half a second of work, a short one as servers go. For ten seconds its work takes four times as long, as
     * with a cold cache or a collector in trouble, so that it can answer 500 a second.
     *
     * <p>The policy is a gateway's default for a second: attempts of 400 ms and a single retry. Both numbers that matter follow
     * from it: twice the calls is more than the upstream can answer, and a full queue takes longer than an attempt waits.
     */
    static Scenario standard() {
        return new Scenario(
                500,
                Duration.ofMillis(400),
                40,
                Duration.ofMillis(20),
                1_000,
                4,
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofSeconds(40),
                Duration.ofSeconds(1));
    }

    /** The same where nothing slows the upstream down. */
    Scenario withoutBrownout() {
        return new Scenario(callers, meanGap, workers, service, queue, 1, brownoutFrom, brownoutTo, end, callBudget);
    }

    /** How many calls a second enter on average. */
    long callsPerSecond() {
        return callers * Duration.ofSeconds(1).toNanos() / meanGap.toNanos();
    }

    /** How many requests a second the upstream can answer when it is well. */
    long capacityPerSecond() {
        return workers * Duration.ofSeconds(1).toNanos() / service.toNanos();
    }

    /** Whether the brownout is on in that second of the run. */
    boolean isBrownedOut(int second) {
        return second >= brownoutFrom.toSeconds() && second < brownoutTo.toSeconds();
    }
}
