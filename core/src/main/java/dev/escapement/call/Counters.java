package dev.escapement.call;

import java.util.concurrent.atomic.LongAdder;

/** What a client counts beside its reports; any thread adds. All of it is rare, none of it stands on the path of a good call. */
final class Counters {

    final LongAdder lateResults = new LongAdder();
    final LongAdder slowSends = new LongAdder();
    final LongAdder forcedCleanups = new LongAdder();
    final LongAdder failedCallbacks = new LongAdder();
    final LongAdder failedCallOuts = new LongAdder();
    final LongAdder delayedCleanups = new LongAdder();
    final LongAdder delayedCleanupNanos = new LongAdder();

    Counters() {}
}
