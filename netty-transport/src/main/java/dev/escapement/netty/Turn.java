package dev.escapement.netty;

import dev.escapement.http.BodyException;
import dev.escapement.http.Request;
import dev.escapement.http.Response;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.TransportFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt's turn on one connection, from the first byte of its request to the moment it lets go: an explicit state machine, driven
 * by what the connection hears.
 *
 * <pre>
 *            response whole                       the burst of reading is over
 *   ASKING ─────────────────────────▶ ANSWERED ──────────────────────────────▶ OVER
 *     │ head there, more to come          ▲
 *     └─────────▶ GIVEN ──────────────────┘
 * </pre>
 *
 * From every state but OVER a failure, the connection's end, {@link #abandon} or {@link #cut} leads to OVER, and there the turn holds
 * nothing: no connection, no timer, no buffer. The request is on its way during ASKING, and may be so later, since an answer
 * can come early: how far it is, {@link RequestWrite} knows. GIVEN is for exchanges that take parts (A8): what happens to the body then
 * is {@link GivenResponse}'s. ANSWERED lasts until the end of the present burst of reading, so that bytes that follow the response are
 * seen before the connection is lent again.
 *
 * <p>Confined to the event loop of the connection. Reports that may run the call ({@code clean}, {@code succeed}, {@code fail}) and
 * signals to a reader are made last, when the state allows anything to happen inside them.
 */
final class Turn {

    private enum State {
        ASKING,
        GIVEN,
        ANSWERED,
        OVER
    }

    private final Lane lane;
    private final Exchange exchange;
    private final Connection connection;
    private final ResponseReader reader;
    private final RequestWrite write;

    /** Whether the connection is a replacement itself (R10). */
    private final boolean replacement;

    private State state = State.ASKING;

    /** The response that the engine took at its head, from GIVEN on. */
    private @Nullable GivenResponse given;

    private boolean replyStarted;
    private long receivedBytes;
    private long surplusBytes;
    private @Nullable Future<?> earlyAnswerTimer;

    Turn(Lane lane, Request request, Exchange exchange, Connection connection, ByteBuffer body, boolean replacement) {
        this.lane = lane;
        this.exchange = exchange;
        this.connection = connection;
        this.reader = connection.reader();
        this.replacement = replacement;
        this.write = new RequestWrite(this, exchange, connection, lane.pools(), request, body);
    }

    /** Starts. The buffer with the head is the socket's from here on. */
    void start(ByteBuf first) {
        connection.serve(this);
        write.start(first);
    }

    // What the connection asks for when it begins.

    RequestWrite write() {
        return write;
    }

    boolean answersHead() {
        return lane.isHeadRequest();
    }

    boolean takesParts() {
        return exchange.takesParts();
    }

    /** A body for a response that is to be given at its head. */
    IncomingBody newBody(long length) {
        return new IncomingBody(lane.pools().loop(), length);
    }

    // What the engine asks for.

    void abandon() {
        switch (state) {
            case ASKING -> giveUp(Poison.ABANDONED, receivedBytes);
            case ANSWERED -> {
                if (given == null) {
                    // The response is whole and nobody wants it: the connection is judged all the same (A5).
                    reader.discard();
                    letGo(receivedBytes);
                }
            }
            case GIVEN, OVER -> {}
        }
    }

    void cut(BodyException why) {
        GivenResponse response = given;
        if (response != null) {
            response.cut(Poison.ABANDONED, why);
        }
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

    /** The rest of a body in memory, when it may be sent. */
    ByteBuffer body() {
        return lane.body();
    }

    void writeFailed() {
        if (state != State.ASKING) {
            // The response is on its way, and has an end of its own.
            write.handNothingMore();
        } else if (write.isUntouched()) {
            ended(false, write.failure());
        } else if (earlyAnswerTimer == null) {
            // What was accepted is fixed now. The server may have answered before it stopped reading (a 413, a 400):
            // read on to the connection's end, or for a moment.
            write.handNothingMore();
            LoopPools pools = lane.pools();
            earlyAnswerTimer =
                    pools.schedule(this::noEarlyAnswer, pools.settings().earlyAnswerWaitNanos());
        }
    }

    private void noEarlyAnswer() {
        if (state == State.ASKING) {
            ended(false, write.failure());
        }
    }

    /** The request's body will not become whole: the server sees it cut, never ended. */
    void bodyFailed(Throwable cause) {
        fail(
                Kind.CLOSED_LOCALLY,
                Poison.CLOSED_LOCALLY,
                BodyException.Kind.TRUNCATED,
                "was closed since the request's body failed",
                cause);
    }

    // The way back.

    /** Bytes arrived; the connection releases them afterwards. */
    void received(ByteBuf in) {
        receivedBytes += in.readableBytes();
        if (state == State.ANSWERED) {
            surplusBytes += in.readableBytes();
            return;
        }
        if (write.isUntouched()) {
            endBy(EndRule.spokeFirst(connection.isReused(), replacement), "spoke before the request", null);
            return;
        }
        if (!replyStarted) {
            replyStarted = true;
            exchange.replyStarted();
        }
        read(in);
        if (given != null) {
            given.moved();
        }
        if (state == State.ASKING || state == State.GIVEN) {
            stopReadingIfFull();
        }
    }

    /** One event after the other; what is told in between may end the turn. */
    private void read(ByteBuf in) {
        ResponseDecoder decoder = reader.decoder();
        while (state == State.ASKING || state == State.GIVEN) {
            switch (reader.read(in)) {
                case INTERIM -> interim(decoder.interim());
                case HEAD -> finalAnswer();
                case MORE -> {
                    return;
                }
                case END -> {
                    answered();
                    surplusBytes = in.readableBytes();
                }
                case MALFORMED ->
                    fail(Kind.MALFORMED, Poison.MALFORMED, BodyException.Kind.MALFORMED, decoder.fault(), null);
                case TOO_LARGE ->
                    fail(Kind.TOO_LARGE, Poison.TOO_LARGE, BodyException.Kind.TOO_LARGE, decoder.fault(), null);
                case TOO_MANY_INTERIM ->
                    fail(
                            Kind.TOO_MANY_INTERIM,
                            Poison.TOO_MANY_INTERIM,
                            BodyException.Kind.MALFORMED,
                            decoder.fault(),
                            null);
                case DATA -> throw new IllegalStateException("data is the reader's");
            }
        }
    }

    private void interim(ResponseHead head) {
        if (exchange.takesInterim()) {
            exchange.interim(head.status, head.headers);
        }
        if (head.status == ResponseHead.CONTINUE) {
            write.leave();
        }
    }

    private void finalAnswer() {
        if (write.isHeld()) {
            // RFC 9110 §10.1.1: who answers finally does not want the body.
            write.handNothingMore();
        }
    }

    private void answered() {
        state = State.ANSWERED;
        write.handNothingMore();
    }

    private void stopReadingIfFull() {
        IncomingBody body = reader.stream();
        if (body != null && body.isFull()) {
            connection.read(false);
        }
    }

    /** The burst of reading is over. */
    void readComplete() {
        if (state == State.ANSWERED) {
            finish();
        } else if (state == State.ASKING && reader.stream() != null) {
            give();
        }
    }

    /** A8: the engine gets the response at its head. */
    private void give() {
        state = State.GIVEN;
        cancelTimer();
        write.tellNothingMore();
        GivenResponse response = new GivenResponse(this, exchange, connection, lane.pools());
        given = response;
        response.give();
    }

    /** The connection has ended: in order, or broken. */
    void ended(boolean orderly, @Nullable Throwable cause) {
        if (state == State.ANSWERED) {
            finish();
            return;
        }
        ResponseDecoder decoder = reader.decoder();
        boolean whole = replyStarted && decoder.end(orderly) == ResponseDecoder.Event.END;
        endBy(
                EndRule.ended(
                        write.isUntouched(), connection.isReused(), replacement, whole, decoder.finalAnswerBegun()),
                orderly ? "was closed" : "broke",
                cause != null ? cause : write.failure());
    }

    private void endBy(EndRule rule, String how, @Nullable Throwable cause) {
        switch (rule) {
            case WHOLE -> {
                answered();
                finish();
            }
            case REPLACE -> {
                end();
                lane.replace(connection, receivedBytes);
            }
            case STALE, RESET, TRUNCATED, UNSOLICITED ->
                fail(rule.kind(), rule.poison(), BodyException.Kind.TRUNCATED, how, cause);
        }
    }

    // The ends.

    /** The response is whole, and the burst is over. */
    private void finish() {
        GivenResponse told = given;
        if (told != null) {
            told.finish(reader.decoder().trailers());
            return;
        }
        Response response = reader.take();
        letGo(surplusBytes);
        if (!exchange.succeed(response)) {
            response.release();
        }
    }

    /** Lets go of a connection whose response is complete, as the rule says, and says that nothing is held. */
    void letGo(long discardedBytes) {
        ReuseRule rule = connection.judge(write.isSent(), surplusBytes);
        end();
        lane.over();
        Poison poison = rule.poison();
        if (rule == ReuseRule.KEEP) {
            connection.giveBack();
        } else if (poison == null) {
            connection.close();
        } else {
            connection.poison(poison, surplusBytes);
        }
        exchange.clean(rule.fate(), discardedBytes);
    }

    /** Ends short of a whole response: with a failure, or, where the head was given, with the body broken off. */
    private void fail(Kind kind, Poison poison, BodyException.Kind ofBody, String what, @Nullable Throwable cause) {
        if (state == State.OVER) {
            return;
        }
        String message = describe(what);
        if (given != null) {
            given.breakOff(poison, new BodyException(ofBody, message, cause));
        } else {
            giveUp(poison, receivedBytes);
            exchange.fail(Lane.failure(kind, message, cause));
        }
    }

    private String describe(String what) {
        return connection.describe() + " " + what + " (" + write + ", " + receivedBytes + " read)";
    }

    /** Ends with the connection poisoned, and says that nothing is held. */
    void giveUp(Poison poison, long discardedBytes) {
        if (given == null) {
            reader.discard();
        }
        end();
        lane.over();
        connection.poison(poison, discardedBytes);
        exchange.clean(ConnectionFate.POISONED, discardedBytes);
    }

    boolean isOver() {
        return state == State.OVER;
    }

    boolean isAnswered() {
        return state == State.ANSWERED;
    }

    boolean isRequestSent() {
        return write.isSent();
    }

    long surplusBytes() {
        return surplusBytes;
    }

    /** The transport closes at once. */
    void closeLocally() {
        if (state == State.ANSWERED) {
            finish();
        } else if (given != null && !isOver()) {
            given.cut(
                    Poison.CLOSED_LOCALLY,
                    new BodyException(BodyException.Kind.SHUTTING_DOWN, describe("was closed with its transport")));
        } else {
            fail(
                    Kind.CLOSED_LOCALLY,
                    Poison.CLOSED_LOCALLY,
                    BodyException.Kind.SHUTTING_DOWN,
                    "was closed with its transport",
                    null);
        }
    }

    /** Something of ours or of the request's threw: nothing is kept, and the attempt says so. */
    void broke(Throwable t) {
        fail(Kind.CLOSED_LOCALLY, Poison.CLOSED_LOCALLY, BodyException.Kind.TRUNCATED, "was given up: " + t, t);
    }

    private void end() {
        state = State.OVER;
        connection.served();
        write.stop();
        cancelTimer();
    }

    private void cancelTimer() {
        Future<?> running = earlyAnswerTimer;
        if (running != null) {
            running.cancel(false);
            earlyAnswerTimer = null;
        }
    }
}
