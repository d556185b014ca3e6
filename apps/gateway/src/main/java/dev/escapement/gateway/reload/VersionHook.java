package dev.escapement.gateway.reload;

import dev.escapement.gateway.config.GatewayConfig;
import java.util.Optional;

/**
 * What the rest of the gateway makes of a configuration before it comes into force. Called by one thread at a time.
 *
 * @param <V> a configuration with all that was built for it; immutable
 */
public interface VersionHook<V> {

    /**
     * Builds what a configuration needs, without effect on what runs.
     *
     * @param running empty at the start
     * @throws RuntimeException saying what cannot be built; nothing of it is left then
     */
    V prepare(GatewayConfig config, Optional<V> running);

    /** Lets what was prepared take effect; the version comes into force when this returns. */
    void commit(V next);
}
