/** Escapement's transport and schedulers over Netty. */
module dev.escapement.netty {
    requires transitive dev.escapement.core;
    requires transitive io.netty.buffer;
    requires transitive io.netty.common;
    requires transitive io.netty.transport;
    requires io.netty.codec;
    requires io.netty.handler;

    // Used where they are there.
    requires static io.netty.codec.dns;
    requires static io.netty.resolver.dns;
    requires static io.netty.transport.classes.epoll;
    requires static io.netty.transport.classes.io_uring;

    exports dev.escapement.netty;
}
