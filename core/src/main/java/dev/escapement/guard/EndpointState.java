package dev.escapement.guard;

import dev.escapement.transport.Endpoint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of one endpoint: its breaker, and how many attempts are there.
 *
 * <p>Got from an {@link EndpointTable} for one attempt and kept until that is clean; for the next one, ask again, because the table may
 * have forgotten this one.
 *
 * <p>Thread-safety: any thread, lock-free; nothing is allocated.
 */
public final class EndpointState extends EndpointStateRightPadding {

    EndpointState(Endpoint endpoint, @Nullable CircuitBreaker breaker) {
        super(endpoint, breaker);
    }

    /** One that no table has a place for: not guarded. */
    static EndpointState outside(Endpoint endpoint) {
        EndpointState state = new EndpointState(endpoint, null);
        state.outside = true;
        return state;
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Its breaker; null where the endpoint is not guarded, asked for at every attempt. */
    public @Nullable CircuitBreaker breaker() {
        return breaker;
    }

    /** Counts an attempt that starts. Called where somebody wants to know, and then with {@link #attemptClean()} for each. */
    public void attemptStarted() {
        addInFlight(1);
    }

    /** Counts an attempt that owns nothing any more. */
    public void attemptClean() {
        addInFlight(-1);
    }

    /** How many attempts are there now. */
    public int inFlight() {
        return inFlight;
    }

    /** Says that it is wanted, so that it gets a second chance. */
    void touch() {
        if (!used) {
            used = true;
        }
    }

    /** Whether it was wanted since it was asked last; forgets it. */
    boolean takeUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    /**
     * Takes it out of use, unless something would be lost with it: an attempt that is there, a breaker that is not closed,
     * a ramp. By the one thread that took it out of the table's queue.
     */
    boolean evict(long nowNanos) {
        if (inFlight > 0 || (breaker != null && !breaker.retire(nowNanos))) {
            return false;
        }
        leave();
        return true;
    }

    /** Says that it is of no use any more, which is final. By whoever evicts it, or meets it half evicted. */
    void leave() {
        outside = true;
    }

    boolean isOutside() {
        return outside;
    }

    @Override
    public String toString() {
        return "EndpointState[" + endpoint + ", " + inFlight + " in flight, "
                + (breaker == null ? "no breaker" : breaker) + "]";
    }
}

/** What every look-up reads and few write. */
abstract class EndpointStateReadMostly extends Padding {

    final Endpoint endpoint;
    final @Nullable CircuitBreaker breaker;

    /** Set by whoever looks it up, cleared by evictors; a flag that is lost is a chance that is lost. */
    volatile boolean used = true;

    /** Whether no table holds it. Set for good by {@link EndpointState#leave}, before the table forgets it. */
    volatile boolean outside;

    EndpointStateReadMostly(Endpoint endpoint, @Nullable CircuitBreaker breaker) {
        this.endpoint = endpoint;
        this.breaker = breaker;
    }
}

/** Keeps the count off the line that look-ups read. */
abstract class EndpointStateMiddlePadding extends EndpointStateReadMostly {
    long m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14;

    EndpointStateMiddlePadding(Endpoint endpoint, @Nullable CircuitBreaker breaker) {
        super(endpoint, breaker);
    }
}

/** The count. */
abstract class EndpointStateInFlight extends EndpointStateMiddlePadding {

    private static final VarHandle IN_FLIGHT;

    static {
        try {
            IN_FLIGHT = MethodHandles.lookup().findVarHandle(EndpointStateInFlight.class, "inFlight", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Any thread; atomic additions. */
    volatile int inFlight;

    EndpointStateInFlight(Endpoint endpoint, @Nullable CircuitBreaker breaker) {
        super(endpoint, breaker);
    }

    /** Opaque would do in another world: a count orders nothing. There is no weaker addition than the one with acquire. */
    final void addInFlight(int delta) {
        IN_FLIGHT.getAndAddAcquire(this, delta);
    }
}

/** Keeps what follows the state in the heap off the count. */
abstract class EndpointStateRightPadding extends EndpointStateInFlight {
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14;

    EndpointStateRightPadding(Endpoint endpoint, @Nullable CircuitBreaker breaker) {
        super(endpoint, breaker);
    }
}
