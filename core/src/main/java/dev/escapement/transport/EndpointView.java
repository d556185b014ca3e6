package dev.escapement.transport;

/** What an {@link EndpointPicker} may know of endpoints while it picks one for an attempt. Valid during the pick alone. */
public interface EndpointView {

    /** Whether an earlier attempt of this call went there. */
    boolean tried(Endpoint endpoint);

    /** Whether its breaker would let an attempt through now. */
    boolean admits(Endpoint endpoint);

    /** How many attempts of this client are there now, those that are not clean yet included. */
    int inFlight(Endpoint endpoint);
}
