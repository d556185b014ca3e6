package dev.escapement.netty;

import dev.escapement.http.Body;
import dev.escapement.http.BodyException;
import dev.escapement.http.Headers;
import dev.escapement.http.Response;
import dev.escapement.transport.Exchange;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A response that the engine took at its head (A8), while its body still comes: reading goes by the reader's demand, and the turn ends when
 * the body was read from the socket, dropped and drained, broken off, or cut.
 *
 * <p>A reader may drop the body. Then the rest is read for a little while and for nobody, so that the connection can serve again
 * (E6); with more to come, or the request not yet out, that is not worth it. Confined to the event loop of the connection.
 */
final class GivenResponse implements IncomingBody.Source {

    /** What is read of a response that nobody wants, to save its connection. */
    static final long DRAIN_BYTES = 64 * 1024;

    private static final long DRAIN_NANOS = 50_000_000;

    private final Turn turn;
    private final Exchange exchange;
    private final Connection connection;
    private final LoopPools pools;
    private final ResponseDecoder decoder;
    private final IncomingBody body;

    private boolean draining;

    /** What had been thrown away when draining began. */
    private long drainedBefore;

    private @Nullable Future<?> drainTimer;

    GivenResponse(Turn turn, Exchange exchange, Connection connection, LoopPools pools) {
        this.turn = turn;
        this.exchange = exchange;
        this.connection = connection;
        this.pools = pools;
        this.decoder = connection.reader().decoder();
        IncomingBody stream = connection.reader().stream();
        if (stream == null) {
            throw new IllegalStateException("no body in parts");
        }
        this.body = stream;
    }

    /** Hands it to the engine; anything may happen inside. */
    void give() {
        body.comesFrom(this);
        Response response = connection.reader().head(body);
        if (!exchange.succeed(response)) {
            response.release();
        }
    }

    /** Parts have arrived: the reader gets what it asked for. */
    void moved() {
        body.look();
        if (draining && !turn.isOver() && !turn.isAnswered() && body.droppedBytes() - drainedBefore > DRAIN_BYTES) {
            giveUp(Poison.DROPPED);
        }
    }

    // What the reader brings about.

    @Override
    public void bodyWantsMore() {
        connection.read(true);
    }

    @Override
    public void bodyMoved() {
        exchange.bodyMoved();
    }

    @Override
    public void bodyDropped() {
        if (turn.isAnswered()) {
            return;
        }
        draining = true;
        drainedBefore = body.droppedBytes();
        boolean tooMuch = decoder.bodyLength() != Body.UNKNOWN_LENGTH && decoder.bytesToCome() > DRAIN_BYTES;
        if (tooMuch || !turn.isRequestSent()) {
            giveUp(Poison.DROPPED);
            return;
        }
        drainTimer = pools.schedule(this::drainedLongEnough, DRAIN_NANOS);
        connection.read(true);
    }

    private void drainedLongEnough() {
        if (!turn.isOver() && !turn.isAnswered()) {
            giveUp(Poison.DROPPED);
        }
    }

    // The ends. The reader is told last.

    /** The response is whole, and the burst of reading over. */
    void finish(Headers trailers) {
        leave();
        turn.letGo(turn.surplusBytes() + body.droppedBytes());
        body.finish(trailers);
    }

    /** There is no more of it; what has come is the reader's still. */
    void breakOff(Poison poison, BodyException why) {
        giveUp(poison);
        body.breakOff(why);
    }

    /** It ends here, whatever has come. One that is whole keeps its connection. */
    void cut(Poison poison, BodyException why) {
        body.drop();
        if (!turn.isAnswered()) {
            giveUp(poison);
        }
        body.breakOff(why);
    }

    private void giveUp(Poison poison) {
        leave();
        turn.giveUp(poison, body.droppedBytes());
    }

    private void leave() {
        body.detach();
        Future<?> running = drainTimer;
        if (running != null) {
            running.cancel(false);
            drainTimer = null;
        }
    }
}
