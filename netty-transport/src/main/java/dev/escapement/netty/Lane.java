package dev.escapement.netty;

import dev.escapement.http.Body;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.transport.Attempt;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.TransportFailure;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt on its way through this transport: an explicit state machine, driven by its pool and its connection.
 *
 * <pre>
 *              leased              last byte accepted            response whole
 *   WAITING ───────────▶ SENDING ─────────────────────▶ SENT ─────────────────────▶ ANSWERED ──▶ OVER
 *      ▲  stale: once       │  │      response whole (early answer)                  ▲
 *      └────────────────────┘  ├─────────────────────────────────────────────────────┤
 *                              │ a write failed                     response whole   │
 *                              └──────────────────▶ SPOILED ─────────────────────────┘
 * </pre>
 *
 * From every state but OVER a failure, the connection's end or {@link #abandon} leads to OVER, and there the lane holds nothing: no
 * place in a queue, no connection, no timer. ANSWERED lasts until the end of the present burst of reading, so that bytes that
 * follow the response are seen before the connection is lent again.
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
        SENDING,
        SENT,
        SPOILED,
        ANSWERED,
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
    private @Nullable Connection connection;
    private @Nullable RequestWrite write;

    /** A body that can be read once and was, whole: a replaced connection needs it again (R8, R10). */
    private @Nullable ByteBuffer takenBody;

    private boolean replaced;
    private boolean replyStarted;
    private long receivedBytes;
    private long surplusBytes;
    private @Nullable Future<?> earlyAnswerTimer;

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
    private LoopPools pools() {
        ConnectionPool pool = place();
        return pool == null ? start : pool.pools();
    }

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
        switch (state) {
            case WAITING -> {
                state = State.OVER;
                leavePool();
                exchange.clean(ConnectionFate.NONE, 0);
            }
            case SENDING, SENT, SPOILED -> giveUp(Poison.ABANDONED);
            case ANSWERED -> {
                // The response is whole and nobody wants it: the connection is judged all the same (A5).
                Connection served = known(connection);
                ReuseRule rule = judge(served);
                long discarded = receivedBytes;
                settle(served, rule);
                exchange.clean(rule.fate(), discarded);
            }
            case OVER -> {}
        }
    }

    // What the pool tells.

    Method method() {
        return request.method();
    }

    /** A connection is this lane's now. */
    void leased(Connection leased) {
        connection = leased;
        try {
            exchange.connected(leased.isReused());
            RequestEncoder encoder = pools().encoder();
            ByteBuffer body = body();
            ByteBuf first = encoder.first(request, body);
            if (!exchange.tryWrite()) {
                first.release();
                state = State.OVER;
                connection = null;
                leased.giveBack();
                exchange.clean(ConnectionFate.REUSED, 0);
                return;
            }
            state = State.SENDING;
            RequestWrite starting = new RequestWrite(
                    this, exchange, leased, encoder, (long) first.readableBytes() + body.remaining(), body);
            write = starting;
            leased.serve(this, starting);
            starting.start(first);
        } catch (Throwable t) {
            broke(t);
        }
    }

    private ByteBuffer body() {
        Body content = request.body();
        ByteBuffer body = takenBody != null ? takenBody : content.length() == 0 ? NOTHING : content.content();
        if (content.isConsumed()) {
            takenBody = body.duplicate();
        }
        return body;
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

    // What the way out tells.

    /** Goes on handing over a body. */
    void pumping(Runnable pump) {
        try {
            pump.run();
        } catch (Throwable t) {
            broke(t);
        }
    }

    void requestSent() {
        if (state == State.SENDING) {
            state = State.SENT;
        }
    }

    void writeFailed() {
        if (state != State.SENDING) {
            return;
        }
        RequestWrite failed = known(write);
        if (failed.isUntouched()) {
            ended(false, failed.failure());
            return;
        }
        // What was accepted is fixed now. The server may have answered before it stopped reading (a 413, a 400): read
        // on to
        // the connection's end, or for a moment.
        state = State.SPOILED;
        failed.handNothingMore();
        earlyAnswerTimer =
                pools().schedule(this::noEarlyAnswer, pools().settings().earlyAnswerWaitNanos());
    }

    private void noEarlyAnswer() {
        if (state == State.SPOILED) {
            ended(false, known(write).failure());
        }
    }

    // The way back.

    /** Bytes arrived; the connection releases them afterwards. */
    void received(ByteBuf in) {
        receivedBytes += in.readableBytes();
        if (state == State.ANSWERED) {
            surplusBytes += in.readableBytes();
            return;
        }
        Connection from = known(connection);
        if (known(write).isUntouched()) {
            endBy(EndRule.spokeFirst(from.isReused(), replaced), "spoke before the request", null);
            return;
        }
        if (!replyStarted) {
            replyStarted = true;
            exchange.replyStarted();
        }
        read(from.reader(), in);
    }

    private void read(ResponseReader reader, ByteBuf in) {
        ResponseDecoder.Event event = reader.read(in);
        while (event == ResponseDecoder.Event.INTERIM) {
            event = reader.read(in);
        }
        switch (event) {
            case MORE -> {}
            case END -> {
                answered();
                surplusBytes = in.readableBytes();
            }
            case MALFORMED ->
                fail(Kind.MALFORMED, Poison.MALFORMED, reader.decoder().fault(), null);
            case TOO_LARGE ->
                fail(Kind.TOO_LARGE, Poison.TOO_LARGE, reader.decoder().fault(), null);
            case TOO_MANY_INTERIM ->
                fail(
                        Kind.TOO_MANY_INTERIM,
                        Poison.TOO_MANY_INTERIM,
                        reader.decoder().fault(),
                        null);
            case INTERIM, HEAD, DATA -> throw new IllegalStateException("no end of a reading: " + event);
        }
    }

    private void answered() {
        state = State.ANSWERED;
        known(write).handNothingMore();
    }

    /** The burst of reading is over. */
    void readComplete() {
        if (state == State.ANSWERED) {
            succeed();
        }
    }

    /** The connection has ended: in order, or broken. */
    void ended(boolean orderly, @Nullable Throwable cause) {
        if (state == State.ANSWERED) {
            succeed();
            return;
        }
        Connection from = known(connection);
        RequestWrite out = known(write);
        boolean whole = replyStarted && from.reader().decoder().end(orderly) == ResponseDecoder.Event.END;
        endBy(
                EndRule.ended(
                        out.isUntouched(),
                        from.isReused(),
                        replaced,
                        whole,
                        from.reader().decoder().finalAnswerBegun()),
                orderly ? "was closed" : "broke",
                cause != null ? cause : out.failure());
    }

    private void endBy(EndRule rule, String how, @Nullable Throwable cause) {
        switch (rule) {
            case WHOLE -> {
                answered();
                succeed();
            }
            case REPLACE -> replace();
            case STALE, RESET, TRUNCATED, UNSOLICITED -> fail(rule.kind(), rule.poison(), how, cause);
        }
    }

    /** R10: the pool finds another connection for this attempt, whose tryWrite is asked again. */
    private void replace() {
        Connection stale = known(connection);
        long discarded = receivedBytes;
        forgetConnection();
        replaced = true;
        receivedBytes = 0;
        state = State.WAITING;
        known(place()).replace(stale, discarded, this);
    }

    // The ends.

    private ReuseRule judge(Connection served) {
        return served.judge(known(write).isSent(), surplusBytes);
    }

    private void succeed() {
        Connection served = known(connection);
        ReuseRule rule = judge(served);
        Response response = served.reader().take();
        long discarded = surplusBytes;
        settle(served, rule);
        exchange.clean(rule.fate(), discarded);
        if (!exchange.succeed(response)) {
            response.release();
        }
    }

    /** Lets go of a connection whose response is complete, as the rule says. */
    private void settle(Connection served, ReuseRule rule) {
        state = State.OVER;
        long surplus = surplusBytes;
        forgetConnection();
        Poison poison = rule.poison();
        if (rule == ReuseRule.KEEP) {
            served.giveBack();
        } else if (poison == null) {
            served.close();
        } else {
            served.poison(poison, surplus);
        }
    }

    private void fail(Kind kind, Poison poison, String what, @Nullable Throwable cause) {
        if (state == State.OVER) {
            return;
        }
        String message = known(connection).describe() + " " + what + " (" + (write == null ? "nothing written" : write)
                + ", " + receivedBytes + " read)";
        giveUp(poison);
        exchange.fail(failure(kind, message, cause));
    }

    /** Ends with the connection poisoned, and says that nothing is held. */
    private void giveUp(Poison poison) {
        Connection lost = known(connection);
        long discarded = receivedBytes;
        state = State.OVER;
        forgetConnection();
        lost.poison(poison, discarded);
        exchange.clean(ConnectionFate.POISONED, discarded);
    }

    /** The transport closes at once. */
    void closeLocally() {
        if (state == State.WAITING) {
            refused(pools().closedFailure());
        } else if (state == State.ANSWERED) {
            succeed();
        } else if (state != State.OVER) {
            fail(Kind.CLOSED_LOCALLY, Poison.CLOSED_LOCALLY, "was closed with its transport", null);
        }
    }

    /** Something of ours or of the request's threw: nothing is kept, and the attempt says so. */
    private void broke(Throwable t) {
        if (state == State.OVER) {
            return;
        }
        if (connection != null) {
            fail(Kind.CLOSED_LOCALLY, Poison.CLOSED_LOCALLY, "was given up: " + t, t);
        } else {
            refused(TransportFailure.of(Kind.CLOSED_LOCALLY, "the attempt was given up: " + t, t));
        }
    }

    private void leavePool() {
        ConnectionPool from = place();
        if (from != null) {
            from.forget(this);
        }
    }

    private void forgetConnection() {
        known(connection).served();
        connection = null;
        RequestWrite ending = write;
        if (ending != null) {
            ending.stop();
            write = null;
        }
        replyStarted = false;
        Future<?> timer = earlyAnswerTimer;
        if (timer != null) {
            timer.cancel(false);
            earlyAnswerTimer = null;
        }
    }

    static TransportFailure failure(Kind kind, String message, @Nullable Throwable cause) {
        return cause == null ? TransportFailure.of(kind, message) : TransportFailure.of(kind, message, cause);
    }

    private static <T> T known(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("missing in this state");
        }
        return value;
    }
}
