package dev.escapement.netty;

import dev.escapement.http.Body;
import dev.escapement.http.BodyException;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt on its way through this transport: it waits for a connection, has its {@link Turn} on it, and is over.
 *
 * <pre>
 *              leased            the turn is over
 *   WAITING ───────────▶ SERVED ──────────────────▶ OVER
 *      ▲  stale: once      │
 *      └───────────────────┘
 * </pre>
 *
 * From WAITING a refusal or {@link #abandon} leads to OVER too, and there the lane holds nothing: no place in a queue, no connection.
 *
 * <p><b>Ownership.</b> All state is confined to one event loop: at first the one it starts on, and, if it has to wait and
 * another loop serves it, that one from then on ({@link Waiter}). An exchange whose home is another scheduler, or another
 * loop by now, is served the same way: its start and its abandonment hop to the loop; {@link Exchange#tryWrite} makes that safe.
 *
 * <p>Reports that may run the call ({@code clean}, {@code succeed}, {@code fail}) are made last, in state OVER.
 */
final class Lane extends Waiter<Lane, ConnectionPool> implements Attempt, Runnable {

    private enum State {
        WAITING,
        SERVED,
        OVER
    }

    /** Stands for every absent body: it has no byte and no state to change. */
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final LoopPools start;
    private final Request request;
    private final Exchange exchange;

    /** The connect that is for this lane alone, while it waits for a replacement (R10). */
    @Nullable
    Connecting dedicated;

    // Confined to the loop.
    private State state = State.WAITING;

    /** What happens on the connection that it has, in state SERVED. */
    private @Nullable Turn turn;

    /** A body that can be read once and was, whole: a replaced connection needs it again (R8, R10). */
    private @Nullable ByteBuffer takenBody;

    private boolean replaced;

    Lane(LoopPools start, Request request, Exchange exchange) {
        this.start = start;
        this.request = request;
        this.exchange = exchange;
    }

    /** The start, on the loop. */
    @Override
    public void run() {
        try {
            if (state == State.OVER) {
                return;
            }
            if (exchange.abandoned()) {
                state = State.OVER;
                exchange.clean(ConnectionFate.NONE, 0);
                return;
            }
            start.poolFor(exchange.endpoint(), request.uri()).acquire(this);
        } catch (Throwable t) {
            ConnectionPool pool = place();
            if (pool == null || pool.origin().limit().leave(this) || pools() == start) {
                broke(t);
            }
        }
    }

    /** What the lane's loop has: where it started, or where it was taken out of the queue. */
    LoopPools pools() {
        ConnectionPool pool = place();
        return pool == null ? start : pool.pools();
    }

    // What the engine asks for.

    @Override
    public void abandon() {
        ConnectionPool pool = place();
        if (pool != null && pool.origin().limit().leave(this)) {
            // Out of the queue by this thread's hand, whichever it is: no loop gets it any more.
            state = State.OVER;
            exchange.clean(ConnectionFate.NONE, 0);
            return;
        }
        LoopPools here = pools();
        if (here.inLoop()) {
            abandonInLoop();
        } else if (!here.tryExecute(this::abandon)) {
            // The loop has ended, and with it every connection; nothing of this lane runs any more.
            abandonInLoop();
        }
    }

    private void abandonInLoop() {
        Turn running = turn;
        if (running != null) {
            running.abandon();
        } else if (state == State.WAITING) {
            state = State.OVER;
            leavePool();
            exchange.clean(ConnectionFate.NONE, 0);
        }
    }

    @Override
    public void cut(BodyException why) {
        // With a response taken the lane has a connection, and is on its last loop.
        LoopPools here = pools();
        if (here.inLoop() || !here.tryExecute(() -> cutInLoop(why))) {
            cutInLoop(why);
        }
    }

    private void cutInLoop(BodyException why) {
        Turn running = turn;
        if (running != null) {
            running.cut(why);
        }
    }

    // What the pool tells.

    /** A connection is this lane's now. */
    void leased(Connection leased) {
        try {
            exchange.connected(leased.isReused());
            ByteBuffer body = request.expectsContinue() ? NOTHING : body();
            ByteBuf first = pools().encoder().first(request, body);
            if (!exchange.tryWrite()) {
                first.release();
                state = State.OVER;
                leased.giveBack();
                exchange.clean(ConnectionFate.REUSED, 0);
                return;
            }
            state = State.SERVED;
            Turn starting = new Turn(this, request, exchange, leased, body, replaced);
            turn = starting;
            starting.start(first);
        } catch (Throwable t) {
            if (turn == null) {
                lost(leased, t);
            } else {
                turn.broke(t);
            }
        }
    }

    /** Something threw before the connection saw anything of the request. */
    private void lost(Connection leased, Throwable t) {
        state = State.OVER;
        leased.poison(Poison.CLOSED_LOCALLY, 0);
        exchange.clean(ConnectionFate.POISONED, 0);
        exchange.fail(TransportFailure.of(
                Kind.CLOSED_LOCALLY, leased.describe() + " was given up: " + t + " (nothing written)", t));
    }

    /** There will be no connection. */
    void refused(TransportFailure failure) {
        if (state != State.WAITING) {
            return;
        }
        state = State.OVER;
        leavePool();
        TransportFailure told = replaced && failure.kind() != Kind.CLOSED_LOCALLY
                ? failure(
                        Kind.STALE,
                        "a stale connection could not be replaced: " + failure.message(),
                        failure.cause().orElse(null))
                : failure;
        exchange.clean(ConnectionFate.NONE, 0);
        exchange.fail(told);
    }

    private void broke(Throwable t) {
        refused(TransportFailure.of(Kind.CLOSED_LOCALLY, "the attempt was given up: " + t, t));
    }

    private void leavePool() {
        ConnectionPool from = place();
        if (from != null) {
            from.forget(this);
        }
    }

    // What the turn asks for and tells.

    boolean isHeadRequest() {
        return request.method().equals(Method.HEAD);
    }

    /** What a body in memory holds, or nothing of one that comes in parts. */
    ByteBuffer body() {
        Body content = request.body();
        if (content.length() == 0 || content.isStreamed()) {
            return NOTHING;
        }
        ByteBuffer body = takenBody != null ? takenBody : content.content();
        if (content.isConsumed()) {
            takenBody = body.duplicate();
        }
        return body;
    }

    /** R10: the turn has met a stale connection. The pool finds another one, and tryWrite is asked again. */
    void replace(Connection stale, long discardedBytes) {
        turn = null;
        replaced = true;
        state = State.WAITING;
        ConnectionPool from = place();
        if (from == null) {
            throw new IllegalStateException("a connection without a pool");
        }
        from.replace(stale, discardedBytes, this);
    }

    /** The turn is over, and nothing is held. */
    void over() {
        turn = null;
        state = State.OVER;
    }

    static TransportFailure failure(Kind kind, String message, @Nullable Throwable cause) {
        return cause == null ? TransportFailure.of(kind, message) : TransportFailure.of(kind, message, cause);
    }
}
