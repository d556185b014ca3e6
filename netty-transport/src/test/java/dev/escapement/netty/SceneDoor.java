package dev.escapement.netty;

import dev.escapement.time.MonotonicClock;

/** What scenes, which live in a package of their own, need of this one. */
public final class SceneDoor {

    private SceneDoor() {}

    /** The transport's calls, limits of idleness and lifetimes go by this clock. */
    public static NettyTransportBuilder onClock(NettyTransportBuilder builder, MonotonicClock clock) {
        return builder.clock(clock);
    }
}
