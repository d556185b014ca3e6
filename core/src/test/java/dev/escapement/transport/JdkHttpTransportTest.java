package dev.escapement.transport;

import dev.escapement.fixtures.TransportContract;

/** A transport that cannot see its sockets keeps the contract, with unknown progress. */
class JdkHttpTransportTest extends TransportContract {

    @Override
    protected Transport openTransport() {
        return new JdkHttpTransport();
    }

    @Override
    protected void closeTransport(Transport transport) {
        // The client ends with its last reference.
    }

    @Override
    protected boolean countsBytes() {
        return false;
    }

    @Override
    protected boolean goesElsewhere() {
        return false;
    }
}
