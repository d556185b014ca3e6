package dev.escapement.gateway;

/**
 * What SIGHUP does. Installed before anything else, since the machine's own answer is to exit; until somebody can reload, it does nothing.
 * Any thread.
 */
final class Hangup {

    /** Replaced once, by whoever starts the gateway. */
    private volatile Runnable action = () -> {};

    /** Returns whether the signal comes here from now on. */
    boolean install() {
        return Signals.handle("HUP", () -> action.run());
    }

    void becomes(Runnable next) {
        action = next;
    }
}
