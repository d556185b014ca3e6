package dev.escapement.time;

/** A timer that counts how often it fired, and notes what the test armed it for. Confined to one thread. */
final class CountingTimer extends Timer {

    int fired;
    long deadlineNanos;

    @Override
    public void fire() {
        fired++;
    }
}
