package dev.escapement.placements;

import dev.escapement.call.Client;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Policies made for coincidences are rightly advised against, each time that a client is made (P5): not to be read here. */
final class QuietAdvice implements BeforeAllCallback, AfterAllCallback {

    /** Held here: a logger that nobody holds forgets its level. */
    private static final Logger LOGGER = Logger.getLogger(Client.class.getName());

    private @Nullable Level before;

    @Override
    public void beforeAll(ExtensionContext context) {
        before = LOGGER.getLevel();
        LOGGER.setLevel(Level.OFF);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        LOGGER.setLevel(before);
    }
}
