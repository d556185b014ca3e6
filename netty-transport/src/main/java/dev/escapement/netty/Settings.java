package dev.escapement.netty;

import dev.escapement.time.MonotonicClock;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;

/** What a transport was built with: checked by {@link NettyTransport.Builder}, immutable, read by every loop. */
record Settings(
        long connectTimeoutNanos,
        long connectStaggerNanos,
        long tlsHandshakeTimeoutNanos,
        long idleLimitNanos,
        long lifetimeLimitNanos,
        long earlyAnswerWaitNanos,
        long continueWaitNanos,
        int maxConnections,
        int maxWaiters,
        int maxHeadBytes,
        int maxBodyBytes,
        int maxInterimAnswers,
        ByteBufAllocator allocator,
        ChannelFactory<? extends SocketChannel> channels,
        SslContext tls,
        MonotonicClock clock) {}
