package dev.escapement.netty;

import dev.escapement.fixtures.StreamingTransportContract;
import dev.escapement.transport.Transport;

/** The contract of every transport for attempts whose home is no event loop: they are carried to one and reported from it. */
class CarriedContractTest extends StreamingTransportContract {

    @Override
    protected Transport openTransport() {
        return NettyTransport.builder().eventLoopThreads(2).build();
    }

    @Override
    protected void closeTransport(Transport transport) {
        ((NettyTransport) transport).close();
    }
}
