package dev.escapement.netty;

import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection on its way up: name, address after address, TLS. Ends once, in {@link ConnectionPool#cameUp} or
 * {@link ConnectionPool#failed}, and never inside {@link #start}.
 *
 * <p>Name and addresses share the connect timeout, TLS has its own. It belongs to no attempt: one that is abandoned leaves it
 * alone (E7), so that the work is not lost. Confined to its event loop; the name's answer is brought there.
 */
// What becomes of a channel is told by its events; a future beside them has nothing to add.
@SuppressWarnings("FutureReturnValueIgnored")
final class Connecting {

    /** A connection's lifetime varies by a tenth either way, so that those opened together do not close together. */
    private static final double LIFETIME_SPREAD = 0.1;

    private final ConnectionPool pool;
    private final long startedNanos;

    private @Nullable Lane only;
    private InetAddress[] addresses = {};
    private int next;
    private @Nullable SocketChannel channel;
    private @Nullable Future<?> timer;
    private boolean over;

    Connecting(ConnectionPool pool, @Nullable Lane only) {
        this.pool = pool;
        this.only = only;
        this.startedNanos = pool.nowNanos();
    }

    /** The lane it is for, or null where it is for whoever waits longest. */
    @Nullable
    Lane only() {
        return only;
    }

    /** The lane it was for has gone. */
    void giveToAnyone() {
        only = null;
    }

    void start() {
        pool.pools().execute(this::lookUp);
    }

    /** The transport closes. */
    void abort() {
        fail(pool.pools().closedFailure());
    }

    private void lookUp() {
        if (over) {
            return;
        }
        timer = pool.pools().schedule(() -> timedOut("connect"), pool.settings().connectTimeoutNanos());
        String host = pool.destination().address();
        InetAddress literal = Lookup.literal(host);
        if (literal != null) {
            found(new InetAddress[] {literal});
            return;
        }
        pool.pools().lookup().resolve(host, new Lookup.Answer() {
            @Override
            public void found(InetAddress[] addresses) {
                bring(() -> Connecting.this.found(addresses));
            }

            @Override
            public void failed(Exception cause) {
                bring(() -> fail(TransportFailure.of(Kind.NAME_RESOLUTION, "no address for " + host, cause)));
            }
        });
    }

    private void bring(Runnable answer) {
        try {
            pool.pools().execute(answer);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and everything on it with it.
            over = true;
        }
    }

    private void found(InetAddress[] found) {
        addresses = found;
        if (!over) {
            dial();
        }
    }

    private void dial() {
        InetSocketAddress address = new InetSocketAddress(
                addresses[next++], pool.destination().endpoint().port());
        SocketChannel dialed;
        Connection connection;
        SslHandler tls;
        try {
            dialed = pool.settings().channels().newChannel();
            channel = dialed;
            configure(dialed.config());
            tls = pool.destination().endpoint().secure() ? tls(dialed) : null;
            CiphertextCounter ciphertext = tls == null ? null : new CiphertextCounter();
            connection = new Connection(pool, dialed, ciphertext, pool.nowNanos(), lifetimeNanos());
            if (tls != null) {
                dialed.pipeline().addLast(ciphertext, tls);
            }
            dialed.pipeline().addLast(connection);
        } catch (RuntimeException e) {
            closeChannel();
            fail(TransportFailure.of(Kind.REFUSED, "no socket for " + pool.destination(), e));
            return;
        }
        pool.pools().loop().register(dialed).addListener(registered -> {
            if (!registered.isSuccess()) {
                refused(dialed, registered.cause());
                return;
            }
            dialed.connect(address).addListener(connected -> {
                if (!connected.isSuccess()) {
                    refused(dialed, connected.cause());
                } else if (dialed == channel && !over) {
                    connected(connection, tls);
                }
            });
        });
    }

    private void configure(ChannelConfig config) {
        config.setAllocator(pool.settings().allocator());
        config.setOption(ChannelOption.TCP_NODELAY, true);
        config.setOption(ChannelOption.SO_KEEPALIVE, true);
        // The time for connecting is kept here, for the name, all addresses and TLS together.
        config.setConnectTimeoutMillis(0);
        // A failed write must not close the way in: the server's answer may be lying there.
        config.setAutoClose(false);
    }

    private SslHandler tls(SocketChannel dialed) {
        // The peer's name is what SNI carries (names only) and what the certificate is checked against.
        SslHandler handler = pool.settings()
                .tls()
                .newHandler(
                        dialed.alloc(),
                        pool.destination().peerName(),
                        pool.destination().peer().port());
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    private long lifetimeNanos() {
        double spread = 1 + LIFETIME_SPREAD * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        return (long) (pool.settings().lifetimeLimitNanos() * spread);
    }

    private void connected(Connection connection, @Nullable SslHandler tls) {
        if (tls == null) {
            succeed(connection);
            return;
        }
        stopTimer();
        timer = pool.pools()
                .schedule(() -> timedOut("TLS handshake"), pool.settings().tlsHandshakeTimeoutNanos());
        tls.handshakeFuture().addListener(shaken -> {
            if (over) {
                return;
            }
            if (shaken.isSuccess()) {
                succeed(connection);
            } else {
                handshakeFailed(shaken.cause());
            }
        });
    }

    private void succeed(Connection connection) {
        if (!connection.channel().isActive()) {
            fail(TransportFailure.of(Kind.RESET, "connection to " + pool.destination() + " ended as it came up"));
            return;
        }
        over = true;
        stopTimer();
        pool.cameUp(this, connection);
    }

    private void refused(SocketChannel dialed, Throwable cause) {
        dialed.close();
        if (over || dialed != channel) {
            return;
        }
        if (next < addresses.length) {
            dial();
        } else {
            fail(TransportFailure.of(
                    Kind.REFUSED,
                    "no connection to " + pool.destination() + " after " + millis() + " ms: " + cause.getMessage(),
                    cause));
        }
    }

    private void handshakeFailed(Throwable cause) {
        // A peer that goes away in the middle says nothing about certificates; the next try may find another.
        boolean broken = cause instanceof IOException && !(cause instanceof SSLException);
        fail(TransportFailure.of(
                broken ? Kind.RESET : Kind.TLS,
                "TLS handshake with " + pool.destination() + " failed after " + millis() + " ms: " + cause.getMessage(),
                cause));
    }

    private void timedOut(String what) {
        fail(TransportFailure.of(
                Kind.CONNECT_TIMEOUT, what + " to " + pool.destination() + " not done after " + millis() + " ms"));
    }

    private void fail(TransportFailure failure) {
        if (!over) {
            over = true;
            stopTimer();
            closeChannel();
            pool.failed(this, failure);
        }
    }

    private void closeChannel() {
        SocketChannel opened = channel;
        if (opened != null) {
            channel = null;
            // From the head, so that TLS does not wait for anybody.
            if (opened.isRegistered()) {
                opened.unsafe().close(opened.voidPromise());
            } else {
                opened.unsafe().closeForcibly();
            }
        }
    }

    private void stopTimer() {
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
            timer = null;
        }
    }

    private long millis() {
        return (pool.nowNanos() - startedNanos) / 1_000_000;
    }
}
