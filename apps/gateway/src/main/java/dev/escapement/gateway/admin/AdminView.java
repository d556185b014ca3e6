package dev.escapement.gateway.admin;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** What the operators' port shows of a gateway, and the two things that it can ask of it. Called on that port's threads, at any time. */
public interface AdminView {

    /** Where the gateway stands between its start and its end. */
    enum Stage {
        STARTING,
        /** It listens. */
        SERVING,
        /** A stop is under way. */
        DRAINING
    }

    Stage stage();

    /** For how long that event loop has not turned which has not for longest. */
    Duration longestStall();

    /** The program's version. */
    String build();

    InboundView inbound();

    /** Those of the running configuration, in its order. */
    List<UpstreamView> upstreams();

    /** The names of the running configuration's routes. */
    Collection<String> routes();

    ConfigView config();

    /** Lines of the access log that were lost. */
    long accessLogDropped();

    /** Reads the configuration again, and goes over to it if it has no fault; returns when that is decided. */
    ReloadView reload();

    /** Begins a graceful stop, if none is under way; does not wait for it. */
    void drain();
}
