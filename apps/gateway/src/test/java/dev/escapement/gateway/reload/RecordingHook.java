package dev.escapement.gateway.reload;

import dev.escapement.gateway.config.GatewayConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prepares nothing and tells what it was asked; the prepared version is the configuration's name. */
class RecordingHook implements VersionHook<String> {

    final List<String> told = new ArrayList<>();

    /** The name that cannot be prepared. */
    String unpreparable = "";

    @Override
    public String prepare(GatewayConfig config, Optional<String> running) {
        told.add("prepare " + config.name() + " after " + running.orElse("nothing"));
        if (config.name().equals(unpreparable)) {
            throw new IllegalStateException("cannot make " + config.name());
        }
        return config.name();
    }

    @Override
    public void commit(String next) {
        told.add("commit " + next);
    }
}
