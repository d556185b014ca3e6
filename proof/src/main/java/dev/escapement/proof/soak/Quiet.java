package dev.escapement.proof.soak;

import dev.escapement.call.Client;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Turns off what clients log about their policies (P5): right, and asked for by a soak each time it replaces one. */
final class Quiet {

    /** Held here: a logger that nobody holds forgets its level. */
    private static final Logger LOGGER = Logger.getLogger(Client.class.getName());

    private Quiet() {}

    static void adviceOff() {
        LOGGER.setLevel(Level.OFF);
    }
}
