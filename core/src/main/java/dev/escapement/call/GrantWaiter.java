package dev.escapement.call;

import dev.escapement.permit.PermitWaiter;

/** A call's place in the queue for permits. The signal goes through the call's home: no machine runs another's. */
final class GrantWaiter extends PermitWaiter {

    private final CallMachine call;

    /** When the backoff before this wait was over; meaningless before a first attempt. */
    final long dueNanos;

    GrantWaiter(CallMachine call, long dueNanos) {
        this.call = call;
        this.dueNanos = dueNanos;
    }

    @Override
    protected void signalled() {
        call.raiseElsewhere(Signals.GRANTED);
    }
}
