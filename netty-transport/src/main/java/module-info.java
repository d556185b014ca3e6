/** Escapement's transport and schedulers over Netty. */
module dev.escapement.netty {
    requires transitive dev.escapement.core;
    requires transitive io.netty.buffer;
    requires transitive io.netty.common;
    requires transitive io.netty.transport;
    requires io.netty.codec;
    requires io.netty.handler;

    exports dev.escapement.netty;
}
