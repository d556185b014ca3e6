package dev.escapement.example;

import dev.escapement.fixtures.TransportContract;
import dev.escapement.transport.Transport;

class SocketTransportTest extends TransportContract {

    @Override
    protected Transport openTransport() {
        return new SocketTransport();
    }

    @Override
    protected void closeTransport(Transport transport) {
        // It holds nothing of its own.
    }
}
