package dev.escapement.call;

import dev.escapement.permit.PermitWaiter;

/** A call's place in the queue for permits. The signal goes through the call's home: no machine runs another's. */
final class GrantWaiter extends PermitWaiter {

    private final CallMachine call;

    GrantWaiter(CallMachine call) {
        this.call = call;
    }

    @Override
    protected void signalled() {
        call.raiseElsewhere(Signals.GRANTED);
    }
}
