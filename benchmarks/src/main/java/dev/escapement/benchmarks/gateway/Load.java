package dev.escapement.benchmarks.gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Clients on one event loop that send one GET at a time each: as fast as they are answered, or at a rate, each measured from the instant
 * at which it was to start, whether or not a connection was free then. Answers tell their length. One thread outside, all else on the loop.
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class Load implements AutoCloseable {

    private static final byte[] REQUEST =
            "GET /bench HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: load\r\nAccept: */*\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final List<Channel> channels = new ArrayList<>();

    // The loop's.
    private final ArrayDeque<Client> free = new ArrayDeque<>();
    private final ArrayDeque<Long> late = new ArrayDeque<>();
    private Histogram latencies = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
    private long failures;
    private boolean closedLoop;

    /** What came of a run. */
    record Result(long answers, long failures, Histogram latencies) {}

    Load(InetSocketAddress address, int connections) throws InterruptedException {
        for (int i = 0; i < connections; i++) {
            Client client = new Client();
            channels.add(new Bootstrap()
                    .group(loop)
                    .channel(EpollSocketChannel.class)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .handler(client)
                    .connect(address)
                    .sync()
                    .channel());
        }
    }

    /** Each connection sends its next request when the last is answered. */
    Result closed(Duration length) {
        begin(true);
        loop.execute(() -> {
            for (Client client = free.poll(); client != null; client = free.poll()) {
                client.send(System.nanoTime());
            }
        });
        return end(length);
    }

    /** So many a second, evenly. */
    Result open(double perSecond, Duration length) {
        begin(false);
        loop.execute(new Pace(perSecond));
        return end(length);
    }

    private void begin(boolean closed) {
        on(() -> {
            closedLoop = closed;
            failures = 0;
            late.clear();
            latencies = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
        });
    }

    private Result end(Duration length) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        loop.schedule(
                () -> {
                    closedLoop = false;
                    paused = true;
                    result.complete(new Result(latencies.getTotalCount(), failures, latencies.copy()));
                },
                length.toNanos(),
                TimeUnit.NANOSECONDS);
        Result told = result.join();
        on(() -> paused = false);
        // What is still under way comes back to the free ones.
        CompletableFuture<Void> rest = new CompletableFuture<>();
        loop.schedule(() -> rest.complete(null), 200, TimeUnit.MILLISECONDS);
        rest.join();
        return told;
    }

    private boolean paused;

    private void on(Runnable step) {
        CompletableFuture.runAsync(step, loop).join();
    }

    /** Starts what is due, and comes back for the next. */
    private final class Pace implements Runnable {

        private final double intervalNanos;
        private final long startNanos = System.nanoTime();
        private long started;

        Pace(double perSecond) {
            intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        }

        @Override
        public void run() {
            if (paused) {
                return;
            }
            long nowNanos = System.nanoTime();
            long dueNanos = dueNanos();
            for (; dueNanos <= nowNanos; dueNanos = dueNanos()) {
                started++;
                Client client = free.poll();
                if (client == null) {
                    late.add(dueNanos);
                } else {
                    client.send(dueNanos);
                }
            }
            loop.schedule(this, dueNanos - nowNanos, TimeUnit.NANOSECONDS);
        }

        private long dueNanos() {
            return startNanos + (long) (started * intervalNanos);
        }
    }

    /** One connection. Reads heads for their length; nothing else of them matters. */
    private final class Client extends ChannelInboundHandlerAdapter {

        private static final String LENGTH = "\ncontent-length:";

        private final StringBuilder head = new StringBuilder();
        private Channel channel;
        private long intendedNanos;
        private long bodyLeft = -1;

        @SuppressWarnings("NullAway.Init") // Set when the channel is there.
        Client() {}

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
            free.add(this);
        }

        void send(long atNanos) {
            intendedNanos = atNanos;
            channel.writeAndFlush(Unpooled.wrappedBuffer(REQUEST));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            while (bytes.isReadable()) {
                if (bodyLeft < 0) {
                    head(bytes);
                }
                if (bodyLeft >= 0) {
                    int part = (int) Math.min(bodyLeft, bytes.readableBytes());
                    bytes.skipBytes(part);
                    bodyLeft -= part;
                    if (bodyLeft == 0) {
                        bodyLeft = -1;
                        answered();
                    }
                }
            }
            bytes.release();
        }

        private void head(ByteBuf bytes) {
            while (bytes.isReadable()) {
                head.append((char) (bytes.readByte() | 0));
                int length = head.length();
                if (length >= 4 && head.charAt(length - 1) == '\n' && head.charAt(length - 3) == '\n') {
                    String text = head.toString().toLowerCase(java.util.Locale.ROOT);
                    if (!text.startsWith("http/1.1 200 ")) {
                        failures++;
                    }
                    int at = text.indexOf(LENGTH) + LENGTH.length();
                    bodyLeft = Long.parseLong(
                            text.substring(at, text.indexOf('\r', at)).strip());
                    head.setLength(0);
                    return;
                }
            }
        }

        private void answered() {
            long nowNanos = System.nanoTime();
            latencies.recordValue(Math.max(0, nowNanos - intendedNanos));
            Long waiting = closedLoop ? (Long) nowNanos : late.poll();
            if (waiting == null || paused) {
                free.add(this);
            } else {
                send(waiting);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            failures++;
        }
    }

    @Override
    public void close() {
        channels.forEach(Channel::close);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
