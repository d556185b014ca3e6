package dev.escapement.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One socket of a pool, and the last handler of its pipeline. Serves one attempt at a time, or waits idle for the next.
 *
 * <p>Reading stops only while the reader of a streamed response is slow. An idle connection reads, so it notices at once when its peer closes it or says something nobody asked for (RFC
 * 9112 §9.5), and is closed on either. Every inbound buffer is released here and nowhere else. Confined to its event
 * loop.
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class Connection extends ChannelInboundHandlerAdapter {

    private final ConnectionPool pool;
    private final Channel channel;
    private final @Nullable CiphertextCounter ciphertext;
    private final ResponseReader reader;
    private final boolean countsExactly;
    private final long openedNanos;
    private final long lifetimeEndNanos;

    // The place among the idle ones; written by the pool.
    @Nullable
    Connection newerIdle;

    @Nullable
    Connection olderIdle;

    private @Nullable ChannelHandlerContext context;
    private @Nullable Turn turn;
    private @Nullable Throwable brokenBy;
    private boolean peerSaidClose;
    private boolean pooled;
    private boolean closed;
    private boolean gone;

    /** Whether another connection has its place in the pool's limit now. */
    private boolean placePassedOn;

    /** Where it leads; null where the channel does not tell. */
    private @Nullable InetAddress address;

    private long uses;
    private long idleSinceNanos;
    private long idleForNanos;
    private long idleLimitNanos;

    Connection(
            ConnectionPool pool,
            Channel channel,
            @Nullable CiphertextCounter ciphertext,
            long nowNanos,
            long lifetimeNanos) {
        Settings settings = pool.settings();
        this.pool = pool;
        this.channel = channel;
        this.ciphertext = ciphertext;
        this.reader = new ResponseReader(settings);
        // Where writes may be under way in the kernel when they fail, nobody can count them (E1, UNKNOWN).
        this.countsExactly = IoKind.countsExactly(channel);
        this.openedNanos = nowNanos;
        this.lifetimeEndNanos = nowNanos + lifetimeNanos;
        this.idleLimitNanos = settings.idleLimitNanos();
    }

    Channel channel() {
        return channel;
    }

    ResponseReader reader() {
        return reader;
    }

    boolean isTls() {
        return ciphertext != null;
    }

    boolean countsExactly() {
        return countsExactly;
    }

    /** Whether it has served an attempt before. */
    boolean isReused() {
        return uses > 0;
    }

    // Lending.

    /** It is one of the pool's from here on, and counted there. */
    void cameUp() {
        pooled = true;
        address = channel.remoteAddress() instanceof InetSocketAddress peer ? peer.getAddress() : null;
    }

    long openedNanos() {
        return openedNanos;
    }

    /** Its place is another connection's from here on. */
    void passPlaceOn() {
        placePassedOn = true;
    }

    /** Whether it can be lent at this instant: still up, in its idle limit and in its lifetime. */
    boolean isUsable(long nowNanos) {
        return !closed
                && channel.isActive()
                && nowNanos - idleSinceNanos < idleLimitNanos
                && nowNanos < lifetimeEndNanos;
    }

    /** Whether it is to be kept idle at this instant: can be lent, and would be opened again as it is. */
    boolean isKept(long nowNanos) {
        return isUsable(nowNanos) && isCurrent() && pool.isKeeping();
    }

    /** Whether the destination's name still stands for where it leads. */
    private boolean isCurrent() {
        InetAddress here = address;
        return here == null || pool.origin().isCurrent(here);
    }

    void idleFrom(long nowNanos) {
        idleSinceNanos = nowNanos;
    }

    void lent(long nowNanos) {
        idleForNanos = nowNanos - idleSinceNanos;
    }

    /** A request is about to be written in this turn. */
    void serve(Turn next) {
        turn = next;
        reader.begin(next.answersHead(), next.takesParts() ? next : null);
        if (ciphertext != null) {
            ciphertext.begin(next.write());
        }
    }

    /** The turn is over. */
    void served() {
        turn = null;
        uses++;
        if (!closed) {
            read(true);
        }
        if (ciphertext != null) {
            ciphertext.end();
        }
    }

    /** The rule of reuse with what this connection knows. */
    ReuseRule judge(boolean requestSent, long surplusBytes) {
        ResponseHead head = reader.decoder().head();
        long nowNanos = pool.nowNanos();
        if (head.keepAliveSeconds != ResponseHead.NO_TIMEOUT) {
            // A second less than the server's own limit, so that this side is the one to close.
            idleLimitNanos = Math.min(pool.settings().idleLimitNanos(), (head.keepAliveSeconds - 1L) * 1_000_000_000L);
        }
        return ReuseRule.judge(
                requestSent,
                surplusBytes,
                reader.decoder().isContradicted(),
                head,
                closed
                        || peerSaidClose
                        || brokenBy != null
                        || reader.decoder().endsWithConnection()
                        || !channel.isActive(),
                pool.isKeeping() && isCurrent(),
                idleLimitNanos,
                lifetimeEndNanos - nowNanos);
    }

    /** Returns to the pool, which lends it on or keeps it. */
    void giveBack() {
        pool.giveBack(this);
    }

    /** Whether it reads on, whenever something comes; else whoever is slow is noticed by the peer. */
    void read(boolean on) {
        if (channel.config().isAutoRead() != on) {
            channel.config().setAutoRead(on);
        }
    }

    /** Writes at once; the buffer is the channel's from here on. */
    void write(ByteBuf buffer, ChannelPromise promise) {
        ChannelHandlerContext here = context;
        if (here == null) {
            buffer.release();
            promise.tryFailure(new IllegalStateException("a write before the pipeline stands"));
        } else {
            here.writeAndFlush(buffer, promise);
        }
    }

    // Ending.

    /** Closes in good order, with TLS saying so. */
    void close() {
        if (!closed) {
            closed = true;
            if (pooled) {
                pool.leaves(this);
            }
            channel.close();
        }
    }

    /** Closes at once, and is counted. */
    void poison(Poison reason, long discardedBytes) {
        if (!closed) {
            closed = true;
            if (pooled) {
                pool.poisoned(this, reason, discardedBytes);
            }
            if (ciphertext == null) {
                channel.close();
            } else {
                ciphertext.closeAbruptly();
            }
        }
    }

    /** The transport closes now. */
    void closeLocally() {
        Turn serving = turn;
        if (serving != null) {
            serving.closeLocally();
        }
        close();
    }

    // What the channel tells.

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext here, Object message) {
        try {
            if (message instanceof ByteBuf in && !closed && in.isReadable()) {
                Turn serving = turn;
                if (serving != null) {
                    serving.received(in);
                } else {
                    poison(Poison.UNSOLICITED, in.readableBytes());
                }
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext here) {
        Turn serving = turn;
        if (serving != null) {
            serving.readComplete();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext here, Object event) {
        // TLS tells the orderly end by close_notify, before the socket's.
        if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
            peerSaidClose = true;
            ended(true);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext here, Throwable cause) {
        brokenBy = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        ended(false);
    }

    @Override
    public void channelInactive(ChannelHandlerContext here) {
        // Plain TCP ends in order by its FIN; after an error, exceptionCaught came first. Under TLS only close_notify
        // counts.
        ended(ciphertext == null);
        gone();
    }

    /** The socket is gone, and the attempt that it served, if any, has let go. */
    void gone() {
        if (pooled && !gone) {
            gone = true;
            pool.gone(this, !placePassedOn);
        }
    }

    private void ended(boolean orderly) {
        Turn serving = turn;
        if (serving != null) {
            serving.ended(orderly, brokenBy);
        }
        close();
    }

    /** The endpoint, and the connection's age, uses and idle time (E9). */
    String describe() {
        long nowNanos = pool.nowNanos();
        return "connection to " + pool.destination() + " (age " + millis(nowNanos - openedNanos) + ", uses " + uses
                + ", idle before " + millis(idleForNanos) + ")";
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
