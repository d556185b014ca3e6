package dev.escapement.permit;

import java.util.List;

/** A waiter that notes, in a list that several may share, that it was signalled. */
final class RecordingWaiter extends PermitWaiter {

    private final List<RecordingWaiter> signalled;

    RecordingWaiter(List<RecordingWaiter> signalled) {
        this.signalled = signalled;
    }

    @Override
    protected void signalled() {
        signalled.add(this);
    }
}
