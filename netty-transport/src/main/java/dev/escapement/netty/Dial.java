package dev.escapement.netty;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;

/**
 * One TCP connect: a channel without handlers, on its pool's loop, that either connects or is closed. Tells its race, later and on the
 * loop; confined to it.
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class Dial implements DialRace.Dial {

    private final InetSocketAddress address;
    private final SocketChannel channel;

    private Dial(InetSocketAddress address, SocketChannel channel) {
        this.address = address;
        this.channel = channel;
    }

    /**
     * Starts.
     *
     * @throws RuntimeException if the system gives no socket
     */
    static Dial start(LoopPools pools, InetSocketAddress address, DialRace told) {
        Settings settings = pools.settings();
        SocketChannel channel = settings.channels().newChannel();
        Dial dial = new Dial(address, channel);
        try {
            configure(channel.config(), settings);
            dial.register(pools, told);
        } catch (RuntimeException e) {
            dial.close();
            throw e;
        }
        return dial;
    }

    private static void configure(ChannelConfig config, Settings settings) {
        config.setAllocator(settings.allocator());
        config.setOption(ChannelOption.TCP_NODELAY, true);
        config.setOption(ChannelOption.SO_KEEPALIVE, true);
        // The time for connecting is kept by the owner of the race, for the name and all addresses together.
        config.setConnectTimeoutMillis(0);
        // A failed write must not close the way in: the server's answer may be lying there.
        config.setAutoClose(false);
    }

    private void register(LoopPools pools, DialRace told) {
        pools.loop().register(channel).addListener(registered -> {
            if (!registered.isSuccess()) {
                told.failed(this, registered.cause());
                return;
            }
            channel.connect(address).addListener(connected -> {
                if (connected.isSuccess()) {
                    told.connected(this);
                } else {
                    told.failed(this, connected.cause());
                }
            });
        });
    }

    SocketChannel channel() {
        return channel;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        if (channel.isRegistered()) {
            channel.close();
        } else {
            channel.unsafe().closeForcibly();
        }
    }
}
