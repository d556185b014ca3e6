package dev.escapement.netty;

import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection on its way up: name, race of addresses, TLS. Ends once, in {@link ConnectionPool#cameUp} or
 * {@link ConnectionPool#failed}, and never inside {@link #start}.
 *
 * <p>Name and addresses share the connect timeout, TLS has its own. It belongs to no attempt: one that is abandoned leaves it
 * alone (E7), so that the work is not lost. Confined to its event loop; the name's answer is brought there.
 */
final class Connecting implements DialRace.Course {

    /** A connection's lifetime varies by a tenth either way, so that those opened together do not close together. */
    private static final double LIFETIME_SPREAD = 0.1;

    private final ConnectionPool pool;
    private final LoopPools pools;
    private final Settings settings;
    private final long startedNanos;

    private @Nullable Lane only;
    private @Nullable Future<?> timer;
    private @Nullable DialRace race;

    /** The winner of the race, while it shakes hands. */
    private @Nullable SocketChannel channel;

    private int addresses;
    private boolean over;

    Connecting(ConnectionPool pool, @Nullable Lane only) {
        this.pool = pool;
        this.pools = pool.pools();
        this.settings = pool.settings();
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
        pools.execute(this::lookUp);
    }

    /** The transport closes. */
    void abort() {
        fail(pools.closedFailure());
    }

    // The name.

    private void lookUp() {
        if (over) {
            return;
        }
        timer = pools.schedule(() -> timedOut("connect"), settings.connectTimeoutNanos());
        String host = pool.destination().address();
        InetAddress literal = Lookup.literal(host);
        if (literal != null) {
            race(List.of(literal));
            return;
        }
        pools.lookup().find(host, known -> bring(() -> found(host, known)));
    }

    private void bring(Runnable answer) {
        if (pools.inLoop()) {
            answer.run();
            return;
        }
        try {
            pools.execute(answer);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and everything on it with it.
            over = true;
        }
    }

    private void found(String host, Lookup.Known known) {
        if (over) {
            return;
        }
        Throwable failure = known.failure();
        if (failure == null) {
            race(known.addresses());
        } else {
            fail(TransportFailure.of(
                    Kind.NAME_RESOLUTION, "no address for " + host + ": " + failure.getMessage(), failure));
        }
    }

    // The addresses.

    private void race(List<InetAddress> found) {
        AddressOrder order = pools.lookup().order();
        List<InetSocketAddress> ordered =
                order.of(found, pool.destination().endpoint().port());
        addresses = ordered.size();
        DialRace starting = new DialRace(this, order, ordered);
        race = starting;
        starting.start();
    }

    @Override
    public DialRace.Dial dial(InetSocketAddress address, DialRace told) {
        return Dial.start(pools, address, told);
    }

    @Override
    public DialRace.Delayed afterStagger(Runnable task) {
        Future<?> delayed = pools.schedule(task, settings.connectStaggerNanos());
        return () -> delayed.cancel(false);
    }

    @Override
    public void lost(Throwable last) {
        fail(TransportFailure.of(
                Kind.REFUSED,
                "no connection to " + pool.destination() + " by " + addresses
                        + (addresses == 1 ? " address" : " addresses") + " after " + millis() + " ms: "
                        + last.getMessage(),
                last));
    }

    @Override
    public void won(DialRace.Dial dial) {
        SocketChannel connected = ((Dial) dial).channel();
        channel = connected;
        stopTimer();
        // Before the channel says that it is active, so that no handler misses it.
        try {
            if (pool.destination().endpoint().secure()) {
                shakeHands(connected);
            } else {
                Connection connection = connection(connected, null);
                connected.pipeline().addLast(connection);
                cameUp(connection);
            }
        } catch (RuntimeException e) {
            fail(TransportFailure.of(Kind.REFUSED, "no connection to " + pool.destination() + ": " + e, e));
        }
    }

    private Connection connection(SocketChannel connected, @Nullable CiphertextCounter ciphertext) {
        double spread = 1 + LIFETIME_SPREAD * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        long lifetimeNanos = (long) (settings.lifetimeLimitNanos() * spread);
        return new Connection(pool, connected, ciphertext, pool.nowNanos(), lifetimeNanos);
    }

    // TLS.

    private void shakeHands(SocketChannel connected) {
        timer = pools.schedule(() -> timedOut("TLS handshake"), settings.tlsHandshakeTimeoutNanos());
        // The peer's name is what SNI carries (names only) and what the certificate is checked against.
        SslHandler tls = settings.tls()
                .newHandler(
                        connected.alloc(),
                        pool.destination().peerName(),
                        pool.destination().peer().port());
        tls.setHandshakeTimeoutMillis(0);
        CiphertextCounter ciphertext = new CiphertextCounter();
        Connection connection = connection(connected, ciphertext);
        connected.pipeline().addLast(ciphertext, tls, connection);
        tls.handshakeFuture().addListener(shaken -> {
            if (over) {
                return;
            }
            if (shaken.isSuccess()) {
                cameUp(connection);
            } else {
                handshakeFailed(shaken.cause());
            }
        });
    }

    private void handshakeFailed(Throwable cause) {
        // A peer that goes away in the middle says nothing about certificates; the next try may find another.
        boolean broken = cause instanceof IOException && !(cause instanceof SSLException);
        fail(TransportFailure.of(
                broken ? Kind.RESET : Kind.TLS,
                "TLS handshake with " + pool.destination() + " failed after " + millis() + " ms: " + cause.getMessage(),
                cause));
    }

    // The ends.

    private void cameUp(Connection connection) {
        if (!connection.channel().isActive()) {
            fail(TransportFailure.of(Kind.RESET, "connection to " + pool.destination() + " ended as it came up"));
            return;
        }
        over = true;
        stopTimer();
        pool.cameUp(this, connection);
    }

    private void timedOut(String what) {
        fail(TransportFailure.of(
                Kind.CONNECT_TIMEOUT, what + " to " + pool.destination() + " not done after " + millis() + " ms"));
    }

    private void fail(TransportFailure failure) {
        if (!over) {
            over = true;
            stopTimer();
            DialRace running = race;
            if (running != null) {
                running.end();
            }
            closeChannel();
            pool.failed(this, failure);
        }
    }

    private void closeChannel() {
        SocketChannel opened = channel;
        if (opened != null) {
            channel = null;
            // From the head, so that TLS does not wait for anybody.
            opened.unsafe().close(opened.voidPromise());
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
