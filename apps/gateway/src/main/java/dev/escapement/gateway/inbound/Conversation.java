package dev.escapement.gateway.inbound;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.InboundConfig;
import dev.escapement.gateway.config.InboundConfig.HalfClose;
import dev.escapement.gateway.inbound.Responder.Gone;
import dev.escapement.gateway.inbound.Watchdog.Watch;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One request of a connection after the other: its head is read, it is answered, what nobody wanted of its body is dropped, and the next
 * one begins; until something ends it. Confined to its connection's loop.
 *
 * <pre>
 *   (idle ─▶ head ─▶ exchange ─▶ rest of the body)*
 * </pre>
 */
final class Conversation implements ClientBody.Source {

    /** A limit that all connections met at once would have all of them closed at once. */
    private static final double SPREAD = 0.1;

    private final ServerState server;
    private final ClientHandler connection;
    private final RequestDecoder decoder;
    private final HeldBytes held = new HeldBytes();
    private final Watchdog watchdog;
    private final ConnectionEnd end;
    private final long bornNanos;
    private final double spread =
            1 - SPREAD + 2 * SPREAD * ThreadLocalRandom.current().nextDouble();

    private boolean advancing;
    private boolean closesWhenIdle;
    private int ordinal;

    /** All bytes read, and how many it were when more of a body was waited for. */
    private long received;

    private long receivedBeforeWait;

    // The request at hand; nothing of it before its first byte.
    private @Nullable GatewayConfig config;
    private @Nullable Exchange exchange;
    private long firstByteNanos;
    private long arrivedMillis;

    // The rest of its body, that nobody wants.
    private long droppedBytes;
    private boolean restAwaited;

    Conversation(ServerState server, ClientHandler connection, String scheme, Watchdog watchdog, ConnectionEnd end) {
        this.server = server;
        this.connection = connection;
        this.watchdog = watchdog;
        this.end = end;
        decoder = new RequestDecoder(scheme);
        bornNanos = server.clock.nanos();
    }

    // What comes from outside.

    /** The client may speak. */
    void begin() {
        watchdog.watch(Watch.FIRST_BYTE, after(settings().headTimeout()));
    }

    /** Takes over what the client said. */
    void read(ByteBuf bytes) {
        received += bytes.readableBytes();
        held.add(bytes);
        advance();
    }

    /** Whether more is to be read: little is held, and nobody would see otherwise that the client has gone. */
    boolean takesMore() {
        return held.size() <= HeldBytes.LOW_BYTES && !end.hasInputEnded();
    }

    /** The client says no more. It may have gone, or may still listen: which of the two it is, nobody can tell. */
    void inputEnded() {
        Exchange running = exchange;
        if (running == null || running.isAnswered()) {
            closeGently();
        } else if (settings().halfClose() == HalfClose.FINISH && (!decoder.isInBody() || held.size() > 0)) {
            running.closeAfter();
            advance();
        } else {
            lose(Gone.CLOSED, "the client closed its connection");
        }
    }

    /** The socket has room again. */
    void writable() {
        Exchange running = exchange;
        if (running != null) {
            running.writable();
        }
        advance();
    }

    /** The client is lost. */
    void lose(Gone why, String what) {
        Exchange running = exchange;
        exchange = null;
        close();
        if (running != null) {
            running.lose(why, what);
        }
    }

    /** Something did not happen in time. */
    void expired(Watch what) {
        switch (what) {
            case FIRST_BYTE -> close();
            case KEEP_ALIVE -> closeGently();
            case HEAD -> refuse(decoder.partialHead(), Refusal.HEAD_TIMEOUT);
            case BODY -> refuseBody(Refusal.BODY_IDLE);
            case LINGER -> lingeredEnough();
        }
        advance();
    }

    private void lingeredEnough() {
        Exchange running = exchange;
        if (running == null) {
            close();
        } else if (running.isAnswered()) {
            closeGently();
        } else {
            running.cut();
        }
    }

    /** Closes when it is idle, now or after the request at hand. */
    void closeWhenIdle() {
        closesWhenIdle = true;
        Exchange running = exchange;
        if (running != null) {
            running.closeAfter();
        } else if (held.size() == 0 && firstByteNanos == 0) {
            closeGently();
        }
    }

    /** The grace of a stop is over. */
    void graceOver() {
        closesWhenIdle = true;
        Exchange running = exchange;
        if (running == null) {
            closeGently();
        } else if (running.isHeadless()) {
            running.closeAfter();
            watchdog.watch(Watch.LINGER, after(settings().lingerTime()));
            running.graceOver();
        } else if (!running.isAnswered()) {
            lose(Gone.SHUTTING_DOWN, "the gateway stops");
        }
    }

    // One step after the other.

    /** Does what can be done. Asked for from inside itself, it goes on by itself. */
    void advance() {
        if (advancing) {
            return;
        }
        advancing = true;
        try {
            while (end.isOpen() && step()) {
                // until there is nothing to do
            }
        } finally {
            advancing = false;
        }
        connection.wrote();
    }

    private boolean step() {
        Exchange running = exchange;
        if (running == null) {
            return readHead();
        }
        if (!running.isAnswered()) {
            running.body().look();
            return running.isAnswered();
        }
        return finish(running);
    }

    private boolean readHead() {
        // Who does not take answers is asked no further questions.
        ByteBuf in = connection.isWritable() ? held.first() : null;
        if (in == null) {
            return false;
        }
        if (config == null) {
            config = server.config.get();
            decoder.begin(config);
        }
        int before = in.readableBytes();
        RequestDecoder.Event event = decoder.next(in);
        held.read(before - in.readableBytes());
        if (firstByteNanos == 0 && (event != RequestDecoder.Event.MORE || decoder.isHeadBegun())) {
            firstByteNanos = server.clock.nanos();
            arrivedMillis = System.currentTimeMillis();
            connection.is(ClientHandler.Phase.ACTIVE);
        }
        switch (event) {
            case MORE -> awaitHead();
            case HEAD -> accept(decoder.head());
            case REFUSED -> refuse(decoder.partialHead(), decoder.refusal());
            case DATA, END -> throw new IllegalStateException("a body before a head");
        }
        return true;
    }

    private void awaitHead() {
        if (firstByteNanos != 0) {
            watchdog.watch(Watch.HEAD, firstByteNanos + settings().headTimeout().toNanos());
        }
    }

    private void accept(RequestHead head) {
        Exchange begun = exchange(head, head.persists() && !closesWhenIdle && !end.hasInputEnded());
        try {
            server.handler.accept(request(head, begun), begun);
        } catch (Throwable thrown) {
            threw(thrown, begun);
        }
    }

    private void refuse(RequestHead head, Refusal why) {
        server.count(why);
        held.release();
        Exchange begun = exchange(head, false);
        try {
            server.handler.refused(request(head, begun), why, begun);
        } catch (Throwable thrown) {
            threw(thrown, begun);
        }
        if (begun.isHeadless()) {
            begun.cut();
        }
    }

    private Exchange exchange(RequestHead head, boolean persists) {
        watchdog.rest();
        ordinal++;
        droppedBytes = 0;
        restAwaited = false;
        ClientBody body = new ClientBody(this, connection.loop(), settings().maxBodyBytes());
        Exchange begun = new Exchange(this, head, body, persists);
        exchange = begun;
        return begun;
    }

    private ReceivedRequest request(RequestHead head, Exchange begun) {
        return new ReceivedRequest(
                head, begun.body(), connection, ordinal, firstByteNanos, server.clock.nanos(), arrivedMillis);
    }

    private static void threw(Throwable thrown, Exchange begun) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        begun.cut();
    }

    /** The answer is complete: what nobody read of the request is dropped, if it is little, and the next one may begin. */
    private boolean finish(Exchange answered) {
        Rest rest = answered.persists() ? dropRest() : Rest.TOO_MUCH;
        switch (rest) {
            case TO_COME -> {
                if (!restAwaited) {
                    restAwaited = true;
                    watchdog.watch(Watch.LINGER, after(settings().lingerTime()));
                }
            }
            case TOO_MUCH -> closeGently();
            case NONE -> {
                exchange = null;
                config = null;
                firstByteNanos = 0;
                connection.is(ClientHandler.Phase.IDLE);
                watchdog.watch(Watch.KEEP_ALIVE, after(settings().keepAliveTimeout()));
            }
        }
        return rest == Rest.NONE;
    }

    /** What there is of a body that nobody wants. */
    private enum Rest {
        NONE,
        TO_COME,
        TOO_MUCH
    }

    private Rest dropRest() {
        while (decoder.isInBody()) {
            ByteBuf in = held.first();
            if (in == null) {
                return end.hasInputEnded() ? Rest.TOO_MUCH : Rest.TO_COME;
            }
            int before = in.readableBytes();
            RequestDecoder.Event event = decoder.next(in);
            if (event == RequestDecoder.Event.DATA) {
                droppedBytes += decoder.dataBytes();
                in.skipBytes(decoder.dataBytes());
                decoder.took(decoder.dataBytes());
            }
            held.read(before - in.readableBytes());
            if (event == RequestDecoder.Event.REFUSED
                    || droppedBytes > settings().lingerBytes()) {
                return Rest.TOO_MUCH;
            }
        }
        return Rest.NONE;
    }

    private void closeGently() {
        exchange = null;
        held.release();
        connection.is(ClientHandler.Phase.CLOSING);
        end.gently();
        connection.wrote();
    }

    private void close() {
        held.release();
        end.close();
    }

    // What an exchange asks for.

    Outgoing outgoing() {
        return connection.outgoing();
    }

    DateLine date() {
        return server.date;
    }

    boolean isWritable() {
        return connection.isWritable();
    }

    boolean isDraining() {
        return server.isDraining();
    }

    long bodyBytesIn() {
        return decoder.bodyBytes();
    }

    /** Whether a request may follow the one at hand. */
    boolean mayPersist() {
        InboundConfig limits = settings();
        return !server.isDraining()
                && !closesWhenIdle
                && ordinal < limits.maxRequests() * spread
                && server.clock.nanos() - bornNanos < limits.maxAge().toNanos() * spread;
    }

    /** Whether more of the body is to come than is dropped for the sake of the connection. */
    boolean isTooMuchToDrop() {
        return decoder.isInBody() && decoder.bytesToCome() > settings().lingerBytes();
    }

    /** Something was written, or the answer is complete. */
    void wrote() {
        connection.wrote();
    }

    /** The answer was cut where only the end of the connection could tell its end. */
    void reset() {
        exchange = null;
        held.release();
        end.reset();
    }

    // What a body asks for.

    @Override
    public RequestDecoder decoder() {
        return decoder;
    }

    @Override
    public HeldBytes held() {
        return held;
    }

    @Override
    public void awaitsBody(boolean wanted) {
        if (end.hasInputEnded() && decoder.isInBody() && held.size() == 0) {
            lose(Gone.CLOSED, "the client closed its connection");
            return;
        }
        if (!wanted) {
            watchdog.rest(Watch.BODY);
        } else if (!watchdog.isWatching(Watch.LINGER)
                && (!watchdog.isWatching(Watch.BODY) || receivedBeforeWait != received)) {
            // Asking again is no reason to wait longer; bytes are.
            receivedBeforeWait = received;
            watchdog.watch(Watch.BODY, after(settings().bodyIdleTimeout()));
        }
        connection.readsOn();
    }

    @Override
    public void refuseBody(Refusal why) {
        server.count(why);
        watchdog.rest(Watch.BODY);
        Exchange running = exchange;
        if (running != null) {
            running.refuseBody(why);
        }
    }

    @Override
    public void bodyLeft() {
        watchdog.rest(Watch.BODY);
    }

    /** By which the request at hand goes; between requests those that hold for the next. */
    InboundConfig settings() {
        GatewayConfig known = config;
        return (known == null ? server.config.get() : known).inbound();
    }

    private long after(Duration time) {
        return server.clock.nanos() + time.toNanos();
    }
}
