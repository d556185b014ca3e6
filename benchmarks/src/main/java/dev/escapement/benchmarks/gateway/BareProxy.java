package dev.escapement.benchmarks.gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.FastThreadLocal;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What one writes in an afternoon with Netty and its codecs: requests are passed on, and their answers back, on one event loop, with
 * connections kept in a stack a loop. No deadline, no retry, no limit, no log, no rule about fields: the floor that the gateway is
 * measured against. A process of its own: {@code BareProxy LISTEN-PORT UPSTREAM-PORT}.
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class BareProxy {

    private final InetSocketAddress upstream;

    private final FastThreadLocal<ArrayDeque<Channel>> idle = new FastThreadLocal<>() {
        @Override
        protected ArrayDeque<Channel> initialValue() {
            return new ArrayDeque<>();
        }
    };

    private BareProxy(InetSocketAddress upstream) {
        this.upstream = upstream;
    }

    /** The process. */
    public static void main(String[] args) throws Exception {
        BareProxy proxy = new BareProxy(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])));
        MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(), EpollIoHandler.newFactory());
        new ServerBootstrap()
                .group(loops)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpServerCodec(), proxy.new Client());
                    }
                })
                .bind("127.0.0.1", Integer.parseInt(args[0]))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    /** A client's connection: one request at a time. */
    private final class Client extends ChannelInboundHandlerAdapter {

        private @Nullable Channel to;
        private final ArrayDeque<Object> early = new ArrayDeque<>();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                request.headers().remove(HttpHeaderNames.CONNECTION);
                Channel kept = idle.get().pollLast();
                if (kept == null) {
                    connect(context);
                } else {
                    bind(kept, context);
                }
            }
            Channel target = to;
            if (target == null) {
                early.add(message);
            } else {
                target.write(message);
            }
        }

        private void bind(Channel kept, ChannelHandlerContext context) {
            to = kept;
            kept.pipeline().get(Upstream.class).answers(context, this);
        }

        private void connect(ChannelHandlerContext context) {
            new Bootstrap()
                    .group(context.channel().eventLoop())
                    .channel(EpollSocketChannel.class)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .handler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            channel.pipeline().addLast(new HttpClientCodec(), new Upstream());
                        }
                    })
                    .connect(upstream)
                    .addListener(connected -> {
                        if (!connected.isSuccess()) {
                            early.forEach(ReferenceCountUtil::release);
                            early.clear();
                            context.writeAndFlush(new DefaultFullHttpResponse(
                                    HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_GATEWAY, Unpooled.EMPTY_BUFFER));
                            context.close();
                            return;
                        }
                        bind(((io.netty.channel.ChannelFuture) connected).channel(), context);
                        Channel target = to;
                        for (Object message = early.poll(); message != null && target != null; message = early.poll()) {
                            target.write(message);
                        }
                        if (target != null) {
                            target.flush();
                        }
                    });
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            Channel target = to;
            if (target != null) {
                target.flush();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            Channel target = to;
            if (target != null) {
                target.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }

        void answered() {
            to = null;
        }
    }

    /** A connection to the upstream, lent to one client at a time. */
    private final class Upstream extends ChannelInboundHandlerAdapter {

        private @Nullable ChannelHandlerContext answersTo;
        private @Nullable Client client;

        void answers(ChannelHandlerContext context, Client asking) {
            answersTo = context;
            client = asking;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ChannelHandlerContext target = answersTo;
            if (target == null) {
                ReferenceCountUtil.release(message);
                context.close();
                return;
            }
            boolean last = message instanceof LastHttpContent;
            target.write(message);
            if (last) {
                target.flush();
                Client served = client;
                answersTo = null;
                client = null;
                if (served != null) {
                    served.answered();
                }
                idle.get().addLast(context.channel());
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            ChannelHandlerContext target = answersTo;
            if (target != null) {
                target.flush();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            idle.get().remove(context.channel());
            ChannelHandlerContext target = answersTo;
            if (target != null) {
                target.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
