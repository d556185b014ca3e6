package dev.escapement.benchmarks;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server of its own process, so that its memory and its threads are not the client's: answers every request head with
 * one 200, in the clear or over TLS, as cheaply as Netty allows. Ends when its standard input does, that is with its parent.
 */
public final class LoopbackServer implements AutoCloseable {

    private final Process process;
    private final URI uri;

    private LoopbackServer(Process process, URI uri) {
        this.process = process;
        this.uri = uri;
    }

    /**
     * Starts the process and waits until it listens.
     *
     * @param bodyBytes of each answer
     * @param keys a key store with a certificate for 127.0.0.1, whose password is {@link TestKeys#PASSWORD}; null: in the clear
     */
    static LoopbackServer start(int bodyBytes, @Nullable Path keys) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xms256m",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoopbackServer.class.getName(),
                        Integer.toString(bodyBytes),
                        keys == null ? "" : keys.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
        return new LoopbackServer(
                process, URI.create((keys == null ? "http" : "https") + "://127.0.0.1:" + out.readLine() + "/"));
    }

    /** Starts one that answers in the clear. */
    public static LoopbackServer start(int bodyBytes) throws IOException {
        return start(bodyBytes, null);
    }

    URI uri() {
        return uri;
    }

    /** Where it listens. */
    public int port() {
        return uri.getPort();
    }

    @Override
    public void close() {
        process.destroy();
    }

    /** The process. */
    public static void main(String[] args) throws Exception {
        int bodyBytes = Integer.parseInt(args[0]);
        byte[] bytes = ("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: " + bodyBytes + "\r\n\r\n"
                        + "x".repeat(bodyBytes))
                .getBytes(StandardCharsets.US_ASCII);
        ByteBuf answer = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(bytes.length).writeBytes(bytes).asReadOnly());
        SslContext tls = args[1].isEmpty() ? null : TestKeys.server(Path.of(args[1]));
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        Channel channel = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel child) {
                        if (tls != null) {
                            child.pipeline().addLast(tls.newHandler(child.alloc()));
                        }
                        child.pipeline().addLast(new Answers(answer));
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
        System.out.println(((InetSocketAddress) channel.localAddress()).getPort());
        while (System.in.read() >= 0) {
            // The parent writes nothing; the end of input is its end.
        }
        group.shutdownGracefully();
    }

    /** Counts heads by their empty line and answers each. */
    private static final class Answers extends ChannelInboundHandlerAdapter {

        private static final int EMPTY_LINE = 0x0d0a0d0a;

        private final ByteBuf answer;
        private int lastFour;

        Answers(ByteBuf answer) {
            this.answer = answer;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            while (bytes.isReadable()) {
                lastFour = lastFour << 8 | bytes.readUnsignedByte();
                if (lastFour == EMPTY_LINE) {
                    context.write(answer.duplicate());
                }
            }
            bytes.release();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
