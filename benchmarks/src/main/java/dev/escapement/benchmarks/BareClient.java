package dev.escapement.benchmarks;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The least that speaks HTTP over Netty: one connection, Netty's codec, no pool, no deadline, no limit, no report. What
 * any client on Netty costs at least.
 */
final class BareClient extends ChannelInboundHandlerAdapter {

    private final URI uri;
    private final String host;
    private Channel channel;

    /** Of all bodies. */
    private long bytes;

    /** Called on the loop for each whole answer. */
    Runnable whenAnswered = () -> {};

    private BareClient(URI uri) {
        this.uri = uri;
        this.host = uri.getHost() + ":" + uri.getPort();
    }

    /** A connection, in the clear where there is no TLS given. */
    static BareClient connect(EventLoopGroup group, URI uri, @Nullable SslContext tls) throws InterruptedException {
        BareClient client = new BareClient(uri);
        client.channel = new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel child) {
                        if (tls != null) {
                            child.pipeline().addLast(tls.newHandler(child.alloc(), uri.getHost(), uri.getPort()));
                        }
                        child.pipeline().addLast(new HttpClientCodec()).addLast(client);
                    }
                })
                .connect(uri.getHost(), uri.getPort())
                .sync()
                .channel();
        return client;
    }

    /** Sends one GET; the answer comes to {@link #whenAnswered}. */
    void send() {
        DefaultFullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, uri.getPath(), Unpooled.EMPTY_BUFFER);
        request.headers().set(HttpHeaderNames.HOST, host);
        channel.writeAndFlush(request);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        boolean last = message instanceof LastHttpContent;
        bytes += message instanceof HttpContent content ? content.content().readableBytes() : 0;
        ReferenceCountUtil.release(message);
        if (last) {
            whenAnswered.run();
        }
    }

    long bytes() {
        return bytes;
    }

    void close() {
        channel.close();
    }
}
