package dev.escapement.call;

/** A signal word without a machine: its owner is the test. */
final class Word extends Signals {

    @Override
    public void fire() {}
}
