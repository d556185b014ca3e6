package dev.escapement.netty;

import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real socket whose writes wait, as in front of a full send buffer, until the test lets them go. */
final class StallingChannel extends NioSocketChannel {

    /** Every channel of the test, in the order of their making. */
    static final class Made {

        private final List<StallingChannel> channels = new CopyOnWriteArrayList<>();

        StallingChannel next() {
            StallingChannel channel = new StallingChannel();
            channels.add(channel);
            return channel;
        }

        int count() {
            return channels.size();
        }

        StallingChannel get(int ordinal) {
            return channels.get(ordinal - 1);
        }
    }

    private volatile boolean stalled;

    void stall() {
        stalled = true;
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer out) throws Exception {
        if (!stalled) {
            super.doWrite(out);
        }
    }
}
