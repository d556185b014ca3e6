package dev.escapement.gateway.reload;

import dev.escapement.gateway.config.GatewayConfig;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** How many versions of the configuration somebody still holds: more than a few are a leak. As of the last collection of garbage. Any thread. */
final class LivingVersions {

    /** Guarded by this. */
    private final List<WeakReference<GatewayConfig>> versions = new ArrayList<>();

    synchronized void add(GatewayConfig version) {
        versions.add(new WeakReference<>(version));
    }

    synchronized int count() {
        versions.removeIf(version -> version.refersTo(null));
        return versions.size();
    }
}
