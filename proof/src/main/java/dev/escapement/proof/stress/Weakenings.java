package dev.escapement.proof.stress;

import dev.escapement.call.LaneRaces;
import dev.escapement.call.SignalsRaces;
import dev.escapement.guard.BreakerRaces;
import dev.escapement.guard.BudgetRaces;
import dev.escapement.guard.EndpointRaces;
import dev.escapement.guard.WindowRaces;
import dev.escapement.netty.SharedLimitRaces;
import dev.escapement.permit.PermitRaces;
import dev.escapement.proof.SourcePatch;
import dev.escapement.time.FiringRaces;
import dev.escapement.time.WheelRaces;
import java.util.List;
import java.util.stream.Stream;

/**
 * What each race is there to notice. A read-modify-write becomes a read and a write, a volatile store before a load becomes plain,
 * a look under a lock is left out: each can be seen on x86, where stores and loads stay in order but for a load that
 * overtakes an older store. Between a read and its write the thread yields, so that it is seen soon, on a busy machine too.
 */
public final class Weakenings {

    private Weakenings() {}

    /** All of them. */
    public static List<Weakening> all() {
        return Stream.of(
                        signals(),
                        lane(),
                        permits(),
                        time(),
                        breaker(),
                        windows(),
                        budget(),
                        endpoints(),
                        connections())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Weakening> signals() {
        String file = "dev/escapement/call/Signals.java";
        return List.of(
                Weakening.of(
                        "a bit is set by a read and a write",
                        new SourcePatch(
                                file,
                                "return ((int) WORD.getAndBitwiseOr(this, bit | RUNNING) & RUNNING) == 0;",
                                "int seen = word; Thread.yield(); word = seen | bit | RUNNING; return (seen & RUNNING) == 0;"),
                        SignalsRaces.TwoSignals.class,
                        SignalsRaces.SignalAgainstLeaving.class,
                        SignalsRaces.SignalAgainstTaking.class,
                        SignalsRaces.SignalAgainstClaim.class),
                Weakening.of(
                        "the owner leaves by a read and a write",
                        new SourcePatch(
                                file,
                                "return (int) WORD.compareAndExchangeRelease(this, RUNNING, 0) == RUNNING;",
                                "if (word != RUNNING) { return false; } Thread.yield(); word = 0; return true;"),
                        SignalsRaces.SignalAgainstLeaving.class),
                Weakening.of(
                        "bits are taken by a read and a write",
                        new SourcePatch(
                                file,
                                "return (int) WORD.getAndBitwiseAndAcquire(this, RUNNING) & ~RUNNING;",
                                "int seen = word; Thread.yield(); word = RUNNING; return seen & ~RUNNING;"),
                        SignalsRaces.SignalAgainstTaking.class),
                Weakening.of(
                        "a machine is claimed by a read and a write",
                        new SourcePatch(
                                file,
                                "return ((int) WORD.getAndBitwiseAndAcquire(this, ~HANDED_OVER) & HANDED_OVER) != 0;",
                                "int seen = word; Thread.yield(); word = seen & ~HANDED_OVER; return (seen & HANDED_OVER) != 0;"),
                        SignalsRaces.TwoClaims.class,
                        SignalsRaces.SignalAgainstClaim.class));
    }

    private static List<Weakening> lane() {
        String file = "dev/escapement/call/Lane.java";
        return List.of(
                Weakening.of(
                        "the first byte passes the gate by a read and a write",
                        new SourcePatch(
                                file,
                                "byte before = (byte) GATE.compareAndExchange(this, OPEN, WRITING);",
                                "byte before = gate; Thread.yield(); if (before == OPEN) { gate = WRITING; }"),
                        LaneRaces.FirstByteAgainstAbandonment.class,
                        LaneRaces.ReplacementAgainstAbandonment.class),
                Weakening.of(
                        "a result is set by a read and a write",
                        new SourcePatch(
                                file,
                                "if (!RESULT.compareAndSet(this, null, outcome)) {",
                                "boolean first = result == null; Thread.yield(); if (first) { result = outcome; } if (!first) {"),
                        LaneRaces.ResultAgainstAbandonment.class,
                        LaneRaces.TwoResults.class),
                Weakening.of(
                        "clean is a plain store before the load of the result",
                        new SourcePatch(file, "private volatile boolean cleaned;", "private boolean cleaned;"),
                        LaneRaces.CleanAgainstAbandonment.class));
    }

    private static List<Weakening> permits() {
        String file = "dev/escapement/permit/PermitPool.java";
        return List.of(
                Weakening.of(
                        "a free permit is taken by a read and a write",
                        new SourcePatch(
                                file,
                                "if (casWord(seen, seen - ONE_PERMIT)) { return true; }",
                                "if (word == seen) { Thread.yield(); word = seen - ONE_PERMIT; return true; }"),
                        PermitRaces.TwoAcquisitions.class),
                Weakening.of(
                        "a permit is given back by a read and a write",
                        new SourcePatch(
                                file,
                                "return (long) WORD.getAndAdd(this, delta);",
                                "long before = word; Thread.yield(); word = before + delta; return before;"),
                        PermitRaces.TwoReleases.class),
                Weakening.of(
                        "a place in the queue is taken by a read and a write",
                        new SourcePatch(
                                file,
                                "} else if (casWord(seen, (seen + ONE_WAITING) | LOCKED)) {",
                                "} else if (word == seen) { Thread.yield(); word = (seen + ONE_WAITING) | LOCKED;"),
                        PermitRaces.ReleaseAgainstJoining.class,
                        PermitRaces.JoiningAgainstClosing.class),
                Weakening.of(
                        "the queue is locked for a cancellation by a read and a write",
                        new SourcePatch(
                                file,
                                "} else if (casWord(seen, seen | LOCKED)) {",
                                "} else if (word == seen) { Thread.yield(); word = seen | LOCKED;"),
                        PermitRaces.GrantAgainstCancellation.class),
                Weakening.of(
                        "the pool is closed by a read and a write",
                        new SourcePatch(
                                file,
                                "} else if (casWord(seen, seen | CLOSED)) {",
                                "} else if (word == seen) { Thread.yield(); word = seen | CLOSED;"),
                        PermitRaces.GrantAgainstClosing.class));
    }

    private static List<Weakening> time() {
        return List.of(
                Weakening.of(
                        "the lock of a stripe is taken by a read and a write",
                        new SourcePatch(
                                "dev/escapement/time/SpinLock.java",
                                "return LOCKED.compareAndSet(this, 0, 1);",
                                "if ((int) LOCKED.getVolatile(this) != 0) { return false; }"
                                        + "Thread.yield(); LOCKED.setVolatile(this, 1); return true;"),
                        WheelRaces.TwoArmings.class),
                Weakening.of(
                        "disarming believes its glance without the lock",
                        new SourcePatch(
                                "dev/escapement/time/Stripes.java",
                                "Stripe stripe = lockHome(timer); try { return stripe.disarm(timer);",
                                "Thread.yield();"
                                        + "Stripe stripe = lockHome(timer); try { stripe.disarm(timer); return true;"),
                        WheelRaces.DisarmingAgainstFiring.class),
                Weakening.of(
                        "arming anew believes its glance without the lock",
                        new SourcePatch(
                                "dev/escapement/time/Stripes.java",
                                "Stripe stripe = timer.handle == Timer.IDLE ? lockAny() : lockHome(timer); try {",
                                "boolean armed = timer.handle != Timer.IDLE; Thread.yield();"
                                        + "Stripe stripe = armed ? lockHome(timer) : lockAny(); try {"
                                        + "if (armed && timer.handle == Timer.IDLE) { return Armed.YES; }"),
                        WheelRaces.MovingAgainstFiring.class),
                Weakening.of(
                        "arming looks for the seal without the lock",
                        new SourcePatch(
                                "dev/escapement/time/Stripes.java",
                                "Stripe stripe = timer.handle == Timer.IDLE ? lockAny() : lockHome(timer); try { if (stripe.isSealed()) {",
                                "boolean sealed = stripes[0].isSealed(); Thread.yield();"
                                        + "Stripe stripe = timer.handle == Timer.IDLE ? lockAny() : lockHome(timer); try { if (sealed) {"),
                        WheelRaces.ArmingAgainstClosing.class),
                Weakening.of(
                        "a drainer leaves after it has let go of the lock",
                        new SourcePatch(
                                "dev/escapement/time/HandOff.java",
                                "if (size == 0) { running--; } else {"
                                        + " forget(queue, head); head = (head + 1) & (queue.length - 1); size--; taken++; }"
                                        + " unlock();",
                                "boolean last = size == 0; if (!last) {"
                                        + " forget(queue, head); head = (head + 1) & (queue.length - 1); size--; taken++; }"
                                        + " unlock(); if (last) { Thread.yield(); lock(); running--; unlock(); }"),
                        FiringRaces.QueueingAgainstDraining.class),
                Weakening.of(
                        "an alarm is taken by a read and a write",
                        new SourcePatch(
                                "dev/escapement/time/Alarm.java",
                                "Timer taken = timer.getAndSet(null);",
                                "Timer taken = timer.get(); Thread.yield(); timer.set(null);"),
                        FiringRaces.RingingAgainstCancelling.class),
                Weakening.of(
                        "the executor's handle is read before the timer is taken",
                        new SourcePatch(
                                "dev/escapement/time/Alarm.java",
                                "boolean armed = take() != null; if (armed) { withdraw(); }",
                                "Future<?> early = future; Thread.yield(); boolean armed = take() != null;"
                                        + "if (armed && early != null) { early.cancel(false); }"),
                        FiringRaces.HandleAgainstCancelling.class));
    }

    private static List<Weakening> breaker() {
        return List.of(
                Weakening.of(
                        "a phase is replaced by a read and a write",
                        new SourcePatch(
                                "dev/escapement/guard/CircuitBreaker.java",
                                "return PHASE.compareAndSet(this, seen, next);",
                                "if (phase != seen) { return false; } Thread.yield(); phase = next; return true;"),
                        BreakerRaces.ResultAgainstOpeningByHand.class,
                        BreakerRaces.TrialAgainstClosingByHand.class,
                        BreakerRaces.TwoForOnePlace.class,
                        BreakerRaces.GivingBackAgainstAsking.class,
                        BreakerRaces.TwoTrialsWon.class),
                Weakening.of(
                        "failures in a row are counted by a read and a write",
                        new SourcePatch(
                                "dev/escapement/guard/ResultWindow.java",
                                "return (int) CONSECUTIVE.getAndAdd(this, 1) + 1;",
                                "int before = consecutive; Thread.yield(); consecutive = before + 1; return before + 1;"),
                        BreakerRaces.TwoAtTheThreshold.class),
                Weakening.of(
                        "the ramp's credit is spent by a read and a write",
                        new SourcePatch(
                                "dev/escapement/guard/Ramp.java",
                                "if (CREDIT.weakCompareAndSet(this, seen, passes ? sum - WHOLE : sum)) {",
                                "if (credit == seen) { Thread.yield(); credit = passes ? sum - WHOLE : sum;"),
                        BreakerRaces.TwoOnTheRamp.class));
    }

    private static List<Weakening> windows() {
        String count = "dev/escapement/guard/CountWindow.java";
        String time = "dev/escapement/guard/TimeWindow.java";
        return List.of(
                Weakening.of(
                        "a place of the ring is taken by a read and a write",
                        new SourcePatch(
                                count,
                                "long before = (long) TAKEN.getAndAdd(this, 1L);",
                                "long before = taken; Thread.yield(); taken = before + 1;"),
                        WindowRaces.LastTwoFailed.class),
                Weakening.of(
                        "the sums of a count window are corrected by a read and a write",
                        new SourcePatch(
                                count,
                                "SUMS.getAndAdd(this, weight(result) - weight(old));",
                                "long held = sums; Thread.yield(); sums = held + weight(result) - weight(old);"),
                        WindowRaces.LastTwoFailed.class,
                        WindowRaces.OneLapApart.class),
                Weakening.of(
                        "a result is put into the ring by a read and a write",
                        new SourcePatch(
                                count,
                                "if (ring.weakCompareAndSetVolatile(word, seen, seen ^ (old ^ result) << bits)) {",
                                "if (ring.get(word) == seen) { Thread.yield(); ring.set(word, seen ^ (old ^ result) << bits);"),
                        WindowRaces.LastTwoFailed.class),
                Weakening.of(
                        "failures in a time window are counted by a read and a write",
                        new SourcePatch(
                                time,
                                "FAILED.getAndAdd(this, 1L);",
                                "long before = failed; Thread.yield(); failed = before + 1;"),
                        WindowRaces.TwoFailedInTime.class),
                Weakening.of(
                        "slow answers in a time window are counted by a read and a write",
                        new SourcePatch(
                                time,
                                "SLOW.getAndAdd(this, 1L);",
                                "long before = slow; Thread.yield(); slow = before + 1;"),
                        WindowRaces.TwoSlowInTime.class),
                Weakening.of(
                        "the marks of a time window move on by a read and a write",
                        new SourcePatch(
                                time,
                                "if (MARKS.compareAndSet(this, seen, movedOn(seen, sinceStart / widthNanos))) {",
                                "if (marks == seen) { Thread.yield(); marks = movedOn(seen, sinceStart / widthNanos);"),
                        WindowRaces.TwoBeginnings.class));
    }

    private static List<Weakening> budget() {
        return List.of(
                Weakening.of(
                        "a tally is replaced by a read and a write",
                        new SourcePatch(
                                "dev/escapement/guard/Tally.java",
                                "return WORDS.weakCompareAndSetRelease(words, index, seen, next);",
                                "if ((long) WORDS.getVolatile(words, index) != seen) { return false; } Thread.yield();"
                                        + "WORDS.setVolatile(words, index, next); return true;"),
                        BudgetRaces.TwoForOne.class,
                        BudgetRaces.DepositAgainstAsking.class,
                        BudgetRaces.GivingBackAgainstAsking.class,
                        BudgetRaces.TwoDeposits.class),
                Weakening.of(
                        "reservations are written down without a seal",
                        new SourcePatch(
                                "dev/escapement/guard/BucketWindow.java",
                                "writeDown(closedReserved, from, seal(reserved, from));",
                                "long count = Tally.count(reserved.word(), from); Thread.yield();"
                                        + "writeDown(closedReserved, from, count);"),
                        BudgetRaces.TwoAtAnEdge.class),
                Weakening.of(
                        "deposits are written down without a seal",
                        new SourcePatch(
                                "dev/escapement/guard/BucketWindow.java",
                                "writeDown(closedDeposits, from, deposits.seal(from));",
                                "long paid = deposits.count(from); Thread.yield(); writeDown(closedDeposits, from, paid);"),
                        BudgetRaces.DepositsAtAnEdge.class));
    }

    private static List<Weakening> endpoints() {
        String table = "dev/escapement/guard/EndpointTable.java";
        String state = "dev/escapement/guard/EndpointState.java";
        return List.of(
                Weakening.of(
                        "an endpoint is evicted after a look at its breaker that retires nothing",
                        new SourcePatch(
                                state,
                                "(breaker != null && !breaker.retire(nowNanos))",
                                "(breaker != null && breaker.figures(nowNanos).state() != BreakerState.CLOSED)"),
                        EndpointRaces.OpeningAgainstEviction.class),
                Weakening.of(
                        "opening by hand does not ask whether the breaker is retired",
                        new SourcePatch(
                                "dev/escapement/guard/CircuitBreaker.java",
                                "if (seen instanceof ClosedPhase closed && closed.retired) { return false; }",
                                "Thread.yield();"),
                        EndpointRaces.OpeningByHandAgainstEviction.class),
                Weakening.of(
                        "a state is put without asking whether there is one",
                        new SourcePatch(
                                table,
                                "known = states.putIfAbsent(endpoint, fresh);",
                                "known = states.get(endpoint); Thread.yield(); if (known == null) { states.put(endpoint, fresh); }"),
                        EndpointRaces.TwoLookUps.class),
                Weakening.of(
                        "a place is taken by a read and a write",
                        new SourcePatch(
                                table,
                                "if (places.compareAndSet(taken, taken + 1)) {",
                                "if (places.get() == taken) { Thread.yield(); places.set(taken + 1);"),
                        EndpointRaces.TwoForOnePlace.class),
                Weakening.of(
                        "attempts in flight are counted by a read and a write",
                        new SourcePatch(
                                state,
                                "IN_FLIGHT.getAndAddAcquire(this, delta);",
                                "int before = inFlight; Thread.yield(); inFlight = before + delta;"),
                        EndpointRaces.TwoInFlight.class));
    }

    private static List<Weakening> connections() {
        String limit = "dev/escapement/netty/SharedLimit.java";
        return List.of(
                Weakening.of(
                        "a waiter for a connection leaves by a look and a step",
                        new SourcePatch(
                                limit,
                                "if (!waiter.queued) { return false; }",
                                "if (!waiter.queued) { return false; } unlock(); Thread.yield(); lock();"),
                        SharedLimitRaces.TakingAgainstLeaving.class),
                Weakening.of(
                        "a waiter for a connection is taken by a look and a step",
                        new SourcePatch(
                                limit,
                                "W first = queue.first(); if (first != null) {",
                                "W first = queue.first(); unlock(); Thread.yield(); lock(); if (first != null) {"),
                        SharedLimitRaces.TakingAgainstLeaving.class,
                        SharedLimitRaces.TwoTakings.class),
                Weakening.of(
                        "a place for a connection is reserved by a look and a step",
                        new SourcePatch(
                                limit,
                                "if (closed || open >= limit || connecting >= queue.size()) { return null; }",
                                "if (closed || open >= limit || connecting >= queue.size()) { return null; }"
                                        + " unlock(); Thread.yield(); lock();"),
                        SharedLimitRaces.PlaceAgainstWaiting.class,
                        SharedLimitRaces.TwoForOnePlace.class),
                Weakening.of(
                        "a waiter for a connection enters by a look and a step",
                        new SourcePatch(
                                limit,
                                "if (closed) { return Entry.CLOSED; }",
                                "if (closed) { return Entry.CLOSED; } unlock(); Thread.yield(); lock();"),
                        SharedLimitRaces.ClosingAgainstWaiting.class),
                Weakening.of(
                        "who waits is a plain store before the load of what lies idle",
                        new SourcePatch(limit, "private volatile int waiting;", "private int waiting;"),
                        SharedLimitRaces.IdleAgainstWaiting.class),
                Weakening.of(
                        "what lies idle is an opaque store before the load of who waits",
                        new SourcePatch(
                                "dev/escapement/netty/IdleCount.java",
                                "COUNT.setVolatile(this, now);",
                                "COUNT.setOpaque(this, now);"),
                        SharedLimitRaces.IdleAgainstWaiting.class));
    }
}
