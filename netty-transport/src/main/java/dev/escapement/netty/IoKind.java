package dev.escapement.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.Optional;

/**
 * The ways by which Netty reaches sockets that this module knows, and what follows from each: which event loops and channels go
 * together, and how well written bytes can be counted (E1).
 *
 * <p>EPOLL and IO_URING need Netty's artifacts of that name and their native part on the class path; without them they are not
 * available, and nothing else changes. Immutable, for any thread.
 */
public enum IoKind {
    /** The JDK's selectors: everywhere. Counts written bytes exactly. */
    NIO {
        @Override
        boolean probe() {
            return true;
        }

        @Override
        IoHandlerFactory handlers() {
            return NioIoHandler.newFactory();
        }

        @Override
        Class<? extends IoHandle> handle() {
            return NioIoHandle.class;
        }

        @Override
        ChannelFactory<? extends SocketChannel> channels() {
            return NioSocketChannel::new;
        }

        @Override
        boolean isExactFor(Channel channel) {
            return channel instanceof NioSocketChannel;
        }
    },

    /** Linux's epoll. Counts written bytes exactly, and wakes more precisely than selectors, which round to milliseconds. */
    EPOLL {
        @Override
        boolean probe() {
            return Epoll.isAvailable();
        }

        @Override
        IoHandlerFactory handlers() {
            return EpollIoHandler.newFactory();
        }

        @Override
        Class<? extends IoHandle> handle() {
            return EpollIoHandle.class;
        }

        @Override
        ChannelFactory<? extends SocketChannel> channels() {
            return EpollSocketChannel::new;
        }

        @Override
        boolean isExactFor(Channel channel) {
            return channel instanceof EpollSocketChannel;
        }
    },

    /**
     * Linux's io_uring: used only where asked for. Writes end in the kernel's own time there, so that one which fails may have left
     * all the same: every request counts as possibly written from its first write on, and a stale connection is never
     * replaced inside its attempt (R10 needs proof).
     */
    IO_URING {
        @Override
        boolean probe() {
            return IoUring.isAvailable();
        }

        @Override
        IoHandlerFactory handlers() {
            return IoUringIoHandler.newFactory();
        }

        @Override
        Class<? extends IoHandle> handle() {
            return IoUringIoHandle.class;
        }

        @Override
        ChannelFactory<? extends SocketChannel> channels() {
            return IoUringSocketChannel::new;
        }

        @Override
        boolean isExactFor(Channel channel) {
            return false;
        }
    };

    /** Whether this machine and class path have it. The first question may load a native library. */
    public boolean isAvailable() {
        try {
            return probe();
        } catch (LinkageError absent) {
            return false;
        }
    }

    /** What a transport's own event loops are by default: epoll where it is available. */
    static IoKind preferred() {
        return EPOLL.isAvailable() ? EPOLL : NIO;
    }

    /** The kind that these event loops say they run; none where they run something else. */
    static Optional<IoKind> of(IoEventLoopGroup loops) {
        for (IoKind kind : values()) {
            if (kind.isAvailable() && loops.isCompatible(kind.handle())) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /**
     * Whether the socket has said, once a write returns or fails, how many bytes it took; false where writes may still be under
     * way in the kernel then, and where the channel is of no kind known here.
     */
    static boolean countsExactly(Channel channel) {
        for (IoKind kind : values()) {
            if (kind.isAvailable() && kind.isExactFor(channel)) {
                return true;
            }
        }
        return false;
    }

    abstract boolean probe();

    abstract IoHandlerFactory handlers();

    abstract Class<? extends IoHandle> handle();

    abstract ChannelFactory<? extends SocketChannel> channels();

    abstract boolean isExactFor(Channel channel);
}
