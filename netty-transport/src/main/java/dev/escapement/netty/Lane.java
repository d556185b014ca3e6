package dev.escapement.netty;

import dev.escapement.http.Body;
import dev.escapement.http.BodyException;
import dev.escapement.http.Headers;
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
 *              leased             response whole, and the burst of reading over
 *   WAITING ───────────▶ ASKING ──────────────────────────▶ ANSWERED ──▶ OVER
 *      ▲  stale: once      │ │ head there, more to come        ▲  ▲
 *      └───────────────────┘ ▼                                 │  │
 *                        STREAMING ────────────────────────────┘  │
 *                            │ the reader drops it                │
 *                            ▼                                    │
 *                        DRAINING ────────────────────────────────┘
 * </pre>
 *
 * From every state but OVER a failure, the connection's end, {@link #abandon} or {@link #cut} leads to OVER, and there the lane holds
 * nothing: no place in a queue, no connection, no timer, no buffer. The request is on its way during ASKING, and may be so
 * later, since an answer can come early (RFC 9112 §9.5): how far it is, {@link RequestWrite} knows. STREAMING and DRAINING
 * are for exchanges that take parts (A8). ANSWERED lasts until the end of the present burst of reading, so that bytes that
 * follow the response are seen before the connection is lent again.
 *
 * <p><b>Ownership.</b> All state is confined to one event loop: at first the one it starts on, and, if it has to wait and
 * another loop serves it, that one from then on ({@link Waiter}). An exchange whose home is another scheduler, or another
 * loop by now, is served the same way: its start and its abandonment hop to the loop; {@link Exchange#tryWrite} makes that safe.
 *
 * <p>Reports that may run the call ({@code clean}, {@code succeed}, {@code fail}) and signals to a reader are made last, when the state
 * allows anything to happen inside them.
 */
final class Lane extends Waiter<Lane, ConnectionPool> implements Attempt, Runnable, IncomingBody.Source {

    /** What is read of a response that nobody wants, to save its connection. */
    static final long DRAIN_BYTES = 64 * 1024;

    private static final long DRAIN_NANOS = 50_000_000;

    private enum State {
        WAITING,
        ASKING,
        STREAMING,
        DRAINING,
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

    /** The body of the response that the engine was given at its head. */
    private @Nullable IncomingBody given;

    private boolean replaced;
    private boolean replyStarted;
    private long receivedBytes;
    private long surplusBytes;

    /** What of the body was thrown away before the rest is drained. */
    private long drainedBefore;

    /** Bounds how long is waited for an answer after a failed write, or drained. */
    private @Nullable Future<?> timer;

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

    @Override
    public void cut(BodyException why) {
        // With a response taken, the lane has a connection, and so its last loop.
        LoopPools here = pools();
        if (here.inLoop() || !here.tryExecute(() -> cutInLoop(why))) {
            cutInLoop(why);
        }
    }

    private void abandonInLoop() {
        switch (state) {
            case WAITING -> {
                state = State.OVER;
                leavePool();
                exchange.clean(ConnectionFate.NONE, 0);
            }
            case ASKING -> giveUp(Poison.ABANDONED);
            case ANSWERED -> {
                // The response is whole and nobody wants it: the connection is judged all the same (A5).
                if (given == null) {
                    known(connection).reader().discard();
                    letGo(receivedBytes);
                }
            }
            case STREAMING, DRAINING, OVER -> {}
        }
    }

    private void cutInLoop(BodyException why) {
        switch (state) {
            case STREAMING, DRAINING -> breakOff(Poison.ABANDONED, why, true);
            case ANSWERED -> {
                IncomingBody body = given;
                if (body != null) {
                    body.cut(why);
                }
            }
            case WAITING, ASKING, OVER -> {}
        }
    }

    // What the pool tells.

    Method method() {
        return request.method();
    }

    boolean takesParts() {
        return exchange.takesParts();
    }

    /** A connection is this lane's now. */
    void leased(Connection leased) {
        connection = leased;
        try {
            exchange.connected(leased.isReused());
            boolean held = request.expectsContinue();
            ByteBuffer body = held ? NOTHING : body();
            ByteBuf first = pools().encoder().first(request, body);
            if (!exchange.tryWrite()) {
                first.release();
                state = State.OVER;
                connection = null;
                leased.giveBack();
                exchange.clean(ConnectionFate.REUSED, 0);
                return;
            }
            state = State.ASKING;
            RequestWrite starting = new RequestWrite(this, exchange, leased, pools(), request.body(), body, held);
            write = starting;
            leased.serve(this, starting);
            starting.start(first);
        } catch (Throwable t) {
            broke(t);
        }
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

    /** Runs a step of the request; what it throws ends the attempt, and nothing else. */
    void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable t) {
            broke(t);
        }
    }

    void writeFailed() {
        if (state == State.OVER || timer != null) {
            return;
        }
        RequestWrite failed = known(write);
        if (state != State.ASKING) {
            // The response is on its way, and has an end of its own.
            failed.handNothingMore();
            return;
        }
        if (failed.isUntouched()) {
            ended(false, failed.failure());
            return;
        }
        // What was accepted is fixed now. The server may have answered before it stopped reading (a 413, a 400): read
        // on to the connection's end, or for a moment.
        failed.handNothingMore();
        timer = pools().schedule(this::noEarlyAnswer, pools().settings().earlyAnswerWaitNanos());
    }

    private void noEarlyAnswer() {
        if (state == State.ASKING) {
            ended(false, known(write).failure());
        }
    }

    /** The request's body will not become whole: the server sees it cut, never ended. */
    void bodyFailed(Throwable cause) {
        switch (state) {
            case ASKING ->
                fail(Kind.CLOSED_LOCALLY, Poison.CLOSED_LOCALLY, "was closed since the request's body failed", cause);
            case STREAMING, DRAINING ->
                breakOff(
                        Poison.CLOSED_LOCALLY,
                        new BodyException(
                                BodyException.Kind.TRUNCATED,
                                describe("was closed since the request's body failed"),
                                cause),
                        false);
            case WAITING, ANSWERED, OVER -> {}
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
        IncomingBody body = given;
        if (body != null) {
            body.look();
        }
        stopReadingIfFull();
    }

    /** One event after the other; what is told in between may end the attempt. */
    private void read(ResponseReader reader, ByteBuf in) {
        ResponseDecoder decoder = reader.decoder();
        boolean more = true;
        while (more && state != State.OVER) {
            switch (reader.read(in)) {
                case INTERIM -> interim(decoder.interim());
                case HEAD -> finalAnswer();
                case MORE -> {
                    more = false;
                    drained();
                }
                case END -> {
                    more = false;
                    answered();
                    surplusBytes = in.readableBytes();
                }
                case MALFORMED ->
                    fault(Kind.MALFORMED, Poison.MALFORMED, BodyException.Kind.MALFORMED, decoder.fault());
                case TOO_LARGE ->
                    fault(Kind.TOO_LARGE, Poison.TOO_LARGE, BodyException.Kind.TOO_LARGE, decoder.fault());
                case TOO_MANY_INTERIM -> fail(Kind.TOO_MANY_INTERIM, Poison.TOO_MANY_INTERIM, decoder.fault(), null);
                case DATA -> throw new IllegalStateException("data is the reader's");
            }
        }
    }

    private void interim(ResponseHead head) {
        if (exchange.takesInterim()) {
            exchange.interim(head.status, head.headers);
        }
        RequestWrite out = write;
        if (out != null && head.status == ResponseHead.CONTINUE) {
            out.leave();
        }
    }

    private void finalAnswer() {
        RequestWrite out = known(write);
        if (out.isHeld()) {
            // RFC 9110 §10.1.1: who answers finally does not want the body.
            out.handNothingMore();
        }
    }

    private void fault(Kind kind, Poison poison, BodyException.Kind ofBody, String what) {
        if (given == null) {
            fail(kind, poison, what, null);
        } else {
            breakOff(poison, new BodyException(ofBody, describe(what), null), false);
        }
    }

    private void answered() {
        state = State.ANSWERED;
        known(write).handNothingMore();
    }

    /** The burst of reading is over. */
    void readComplete() {
        if (state == State.ANSWERED) {
            finish();
        } else if (state == State.ASKING) {
            IncomingBody body = known(connection).reader().stream();
            if (body != null) {
                give(body);
            }
        }
    }

    /** The connection has ended: in order, or broken. */
    void ended(boolean orderly, @Nullable Throwable cause) {
        if (state == State.ANSWERED) {
            finish();
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
                finish();
            }
            case REPLACE -> replace();
            case STALE, RESET, TRUNCATED, UNSOLICITED -> {
                if (given == null) {
                    fail(rule.kind(), rule.poison(), how, cause);
                } else {
                    breakOff(
                            rule.poison(),
                            new BodyException(BodyException.Kind.TRUNCATED, describe(how), cause),
                            false);
                }
            }
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

    // A response in parts.

    IncomingBody newBody(long length) {
        return new IncomingBody(pools().loop(), length, this);
    }

    /** The engine gets the response at its head (A8). */
    private void give(IncomingBody body) {
        state = State.STREAMING;
        given = body;
        cancelTimer();
        known(write).tellNothingMore();
        stopReadingIfFull();
        Response response = known(connection).reader().head(body);
        if (!exchange.succeed(response)) {
            response.release();
        }
    }

    private void stopReadingIfFull() {
        Connection from = connection;
        if (from != null && (state == State.ASKING || state == State.STREAMING)) {
            IncomingBody body = from.reader().stream();
            if (body != null && body.isFull()) {
                from.read(false);
            }
        }
    }

    @Override
    public void bodyWantsMore() {
        if (state == State.STREAMING) {
            known(connection).read(true);
        }
    }

    @Override
    public void bodyMoved() {
        exchange.bodyMoved();
    }

    /** E6: reads on for a little, so that the connection can serve again; with more to come, that is not worth it. */
    @Override
    public void bodyDropped() {
        if (state != State.STREAMING) {
            return;
        }
        Connection from = known(connection);
        state = State.DRAINING;
        if (!known(write).isSent() || from.reader().decoder().bytesToCome() > drainable(from)) {
            giveUp(Poison.DROPPED);
            return;
        }
        drainedBefore = known(given).droppedBytes();
        timer = pools().schedule(this::drainedLongEnough, DRAIN_NANOS);
        from.read(true);
    }

    /** How much may still come of a body of that framing. */
    private static long drainable(Connection from) {
        return from.reader().decoder().bodyLength() == Body.UNKNOWN_LENGTH ? Long.MAX_VALUE : DRAIN_BYTES;
    }

    private void drained() {
        if (state == State.DRAINING && known(given).droppedBytes() - drainedBefore > DRAIN_BYTES) {
            giveUp(Poison.DROPPED);
        }
    }

    private void drainedLongEnough() {
        if (state == State.DRAINING) {
            giveUp(Poison.DROPPED);
        }
    }

    /** Ends the body short of its end, and says that nothing is held; the reader is told last. */
    private void breakOff(Poison poison, BodyException why, boolean atOnce) {
        IncomingBody body = known(given);
        if (atOnce) {
            body.drop();
        }
        body.detach();
        giveUp(poison);
        if (atOnce) {
            body.cut(why);
        } else {
            body.breakOff(why);
        }
    }

    // The ends.

    /** The response is whole, and the burst is over. */
    private void finish() {
        IncomingBody body = given;
        ResponseReader reader = known(connection).reader();
        if (body == null) {
            Response response = reader.take();
            letGo(surplusBytes);
            if (!exchange.succeed(response)) {
                response.release();
            }
        } else {
            Headers trailers = reader.decoder().trailers();
            body.detach();
            letGo(surplusBytes + body.droppedBytes());
            body.finish(trailers);
        }
    }

    /** Lets go of a connection whose response is complete, as the rule says, and says that nothing is held. */
    private void letGo(long discardedBytes) {
        Connection served = known(connection);
        ReuseRule rule = served.judge(known(write).isSent(), surplusBytes);
        state = State.OVER;
        forgetConnection();
        Poison poison = rule.poison();
        if (rule == ReuseRule.KEEP) {
            served.giveBack();
        } else if (poison == null) {
            served.close();
        } else {
            served.poison(poison, surplusBytes);
        }
        exchange.clean(rule.fate(), discardedBytes);
    }

    private void fail(Kind kind, Poison poison, String what, @Nullable Throwable cause) {
        if (state == State.OVER) {
            return;
        }
        String message = describe(what);
        giveUp(poison);
        exchange.fail(failure(kind, message, cause));
    }

    private String describe(String what) {
        return known(connection).describe() + " " + what + " (" + (write == null ? "nothing written" : write) + ", "
                + receivedBytes + " read)";
    }

    /** Ends with the connection poisoned, and says that nothing is held. */
    private void giveUp(Poison poison) {
        Connection lost = known(connection);
        IncomingBody body = given;
        if (body == null) {
            lost.reader().discard();
        }
        long discarded = body == null ? receivedBytes : body.droppedBytes();
        state = State.OVER;
        forgetConnection();
        lost.poison(poison, discarded);
        exchange.clean(ConnectionFate.POISONED, discarded);
    }

    /** The transport closes at once. */
    void closeLocally() {
        switch (state) {
            case WAITING -> refused(pools().closedFailure());
            case ASKING -> fail(Kind.CLOSED_LOCALLY, Poison.CLOSED_LOCALLY, "was closed with its transport", null);
            case STREAMING, DRAINING ->
                breakOff(
                        Poison.CLOSED_LOCALLY,
                        new BodyException(
                                BodyException.Kind.SHUTTING_DOWN, describe("was closed with its transport"), null),
                        true);
            case ANSWERED -> finish();
            case OVER -> {}
        }
    }

    /** Something of ours or of the request's threw: nothing is kept, and the attempt says so. */
    private void broke(Throwable t) {
        if (state == State.OVER) {
            return;
        }
        if (connection == null) {
            refused(TransportFailure.of(Kind.CLOSED_LOCALLY, "the attempt was given up: " + t, t));
        } else if (given == null) {
            fail(Kind.CLOSED_LOCALLY, Poison.CLOSED_LOCALLY, "was given up: " + t, t);
        } else {
            bodyFailed(t);
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
        cancelTimer();
    }

    private void cancelTimer() {
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
            timer = null;
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
