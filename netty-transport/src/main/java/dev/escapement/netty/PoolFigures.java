package dev.escapement.netty;

/** What one pool holds, and how much its connections have done. What lies idle the {@link IdleStack} tells itself. */
final class PoolFigures extends Figures {

    /** Connections that serve a lane. */
    static final int ACTIVE = 0;

    /** Connections on their way up. */
    static final int CONNECTING = 1;

    /** How often a connection was lent. */
    static final int USES = 2;

    /** When the oldest connection was opened; {@link #NONE} if there is none. */
    static final int OLDEST_OPENED_NANOS = 3;

    static final long NONE = Long.MAX_VALUE;

    PoolFigures() {
        super(OLDEST_OPENED_NANOS + 1);
        set(OLDEST_OPENED_NANOS, NONE);
    }
}
