package dev.escapement.gateway.inbound;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.InboundConfig;
import dev.escapement.gateway.config.InboundConfig.HalfClose;
import dev.escapement.gateway.inbound.Responder.Gone;
import dev.escapement.gateway.inbound.Watchdog.Watch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: reads one request at a time, has it answered, and goes on or closes.
 *
 * <pre>
 *   OPEN: (idle ─▶ head ─▶ exchange ─▶ rest of the body)*
 *     │ what was written is written
 *     ▼
 *   LINGERING: output shut, input read and dropped until the client's last word, or long enough (RFC 9112 §9.6)
 *     ▼
 *   CLOSED
 * </pre>
 *
 * Bytes are read only while few are held, so that pipelined requests and bodies wait in the client's socket; but some are always read,
 * or nobody would see that the client has gone.
 *
 * <p>Confined to its channel's loop, but for {@link #phase}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the end of a close
final class ClientHandler extends ChannelInboundHandlerAdapter implements ClientConnection, ClientBody.Source {

    /** What figures tell of a connection. */
    enum Phase {
        IDLE,
        ACTIVE,
        CLOSING
    }

    private enum Mode {
        OPEN,
        FLUSHING,
        LINGERING,
        CLOSED
    }

    /** A limit that all connections meet at once would have all of them closed at once. */
    private static final double SPREAD = 0.1;

    private static final int WRITE_LOOKS = 4;

    private final ServerState server;
    private final @Nullable SslHandler tls;
    private final RequestDecoder decoder;
    private final HeldBytes held = new HeldBytes();
    private final double spread =
            1 - SPREAD + 2 * SPREAD * ThreadLocalRandom.current().nextDouble();

    /** Set by the loop, read by whoever asks for figures. */
    private volatile Phase phase = Phase.IDLE;

    // Set when the channel is active.
    private @Nullable ChannelHandlerContext context;
    private @Nullable Outgoing outgoing;
    private @Nullable Watchdog watchdog;
    private @Nullable InetSocketAddress peer;
    private @Nullable InetSocketAddress local;
    private long id;
    private long bornNanos;

    private Mode mode = Mode.OPEN;
    private boolean advancing;
    private boolean reading;
    private boolean turnComes;
    private boolean inputEnded;

    /** All bytes read, and how many it were when more of a body was waited for. */
    private long received;

    private long receivedBeforeWait;

    // The request at hand.
    private @Nullable GatewayConfig config;
    private @Nullable Exchange exchange;
    private int ordinal;
    private long firstByteNanos;
    private long arrivedMillis;
    private boolean closesWhenIdle;

    /** Read and dropped: of a body that nobody wanted, then of a connection that is closing. */
    private long dropped;

    /** Whether the rest of a body is waited for that nobody wants. */
    private boolean restAwaited;

    // What the last look at writing saw.
    private long pendingSeen;
    private long progressSeen;
    private int looksWithoutProgress;

    ClientHandler(ServerState server, @Nullable SslHandler tls) {
        this.server = server;
        this.tls = tls;
        decoder = new RequestDecoder(tls == null ? "http" : "https");
    }

    // What the channel tells.

    @Override
    public void handlerAdded(ChannelHandlerContext here) {
        context = here;
        outgoing = new Outgoing(here);
        watchdog = new Watchdog(here.channel().eventLoop(), server.clock, this::expired, this::lookAtWriting);
        id = server.opened(this);
        bornNanos = server.clock.nanos();
        peer = (InetSocketAddress) here.channel().remoteAddress();
        local = (InetSocketAddress) here.channel().localAddress();
    }

    @Override
    public void channelActive(ChannelHandlerContext here) {
        if (tls == null) {
            watchdog().watch(Watch.FIRST_BYTE, after(settings().headTimeout()));
        }
        here.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext here, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        switch (mode) {
            case OPEN -> {
                received += bytes.readableBytes();
                held.add(bytes);
                reading = true;
                advance();
            }
            case FLUSHING, LINGERING -> drop(bytes);
            case CLOSED -> bytes.release();
        }
    }

    private void drop(ByteBuf bytes) {
        dropped += bytes.readableBytes();
        bytes.release();
        if (dropped > settings().lingerBytes()) {
            close();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext here) {
        reading = false;
        outgoing().flush();
        watchWriting();
        readOn();
    }

    private void readOn() {
        boolean wants = switch (mode) {
            case OPEN -> held.size() <= HeldBytes.LOW_BYTES && !inputEnded;
            case LINGERING -> !inputEnded;
            case FLUSHING, CLOSED -> false;
        };
        if (wants) {
            context().read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext here, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                watchdog().watch(Watch.FIRST_BYTE, after(settings().headTimeout()));
            } else {
                close();
            }
        } else if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent) {
            inputEnded();
        }
    }

    /** The client sends no more. It may have gone, or may still listen: which of the two it is, nobody can tell. */
    private void inputEnded() {
        if (inputEnded) {
            return;
        }
        inputEnded = true;
        Exchange running = exchange;
        if (mode == Mode.LINGERING) {
            close();
        } else if (mode == Mode.OPEN && running == null) {
            closeGently();
        } else if (mode == Mode.OPEN && running != null) {
            boolean whole = !decoder.isInBody() || held.size() > 0;
            if (running.isAnswered()) {
                closeGently();
            } else if (whole && settings().halfClose() == HalfClose.FINISH) {
                running.closeAfter();
                advance();
            } else {
                lose(Gone.CLOSED, "the client closed its connection");
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext here) {
        if (here.channel().isWritable()) {
            Exchange running = exchange;
            if (running != null) {
                running.writable();
            }
            advance();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext here) {
        lose(Gone.CLOSED, "the client closed its connection");
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext here) {
        lose(Gone.CLOSED, "the client closed its connection");
        server.closed(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext here, Throwable cause) {
        // A broken connection tells it so; nothing is left to say.
        lose(Gone.CLOSED, "the connection broke: " + cause);
    }

    // One request after the other.

    private void advance() {
        if (advancing) {
            return;
        }
        advancing = true;
        try {
            while (mode == Mode.OPEN && step()) {
                // until there is nothing to do
            }
        } finally {
            advancing = false;
        }
        if (!reading) {
            turn();
        }
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
        ByteBuf in = isWritable() ? held.first() : null;
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
            phase = Phase.ACTIVE;
        }
        switch (event) {
            case MORE -> {
                if (firstByteNanos != 0) {
                    watchdog()
                            .watch(
                                    Watch.HEAD,
                                    firstByteNanos + settings().headTimeout().toNanos());
                }
            }
            case HEAD -> begin(decoder.head());
            case REFUSED -> refuse(decoder.partialHead(), decoder.refusal());
            case DATA, END -> throw new IllegalStateException("a body before a head");
        }
        return true;
    }

    private void begin(RequestHead head) {
        watchdog().rest();
        ordinal++;
        boolean persists = head.persists() && !closesWhenIdle && !inputEnded;
        Exchange begun = exchange(head, persists);
        try {
            server.handler.accept(request(head, begun), begun);
        } catch (Throwable thrown) {
            threw(thrown, begun);
        }
    }

    private void refuse(RequestHead head, Refusal why) {
        watchdog().rest();
        server.count(why);
        ordinal++;
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
        ClientBody body = new ClientBody(this, loop(), settings().maxBodyBytes());
        Exchange begun = new Exchange(this, head, body, persists);
        exchange = begun;
        dropped = 0;
        restAwaited = false;
        return begun;
    }

    private ReceivedRequest request(RequestHead head, Exchange begun) {
        return new ReceivedRequest(
                head, begun.body(), this, ordinal, firstByteNanos, server.clock.nanos(), arrivedMillis);
    }

    private void threw(Throwable thrown, Exchange begun) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        begun.cut();
    }

    /** The answer is complete: what nobody read of the request is dropped, if it is little, and the next one begins. */
    private boolean finish(Exchange answered) {
        if (!answered.persists() || !dropsRest()) {
            if (answered.persists() && dropped <= settings().lingerBytes() && !inputEnded) {
                awaitRest();
                return false;
            }
            exchange = null;
            closeGently();
            return false;
        }
        exchange = null;
        config = null;
        firstByteNanos = 0;
        phase = Phase.IDLE;
        watchdog().watch(Watch.KEEP_ALIVE, after(server.config.get().inbound().keepAliveTimeout()));
        return true;
    }

    private void awaitRest() {
        if (!restAwaited) {
            restAwaited = true;
            watchdog().watch(Watch.LINGER, after(settings().lingerTime()));
        }
    }

    /** Whether the request is read to its end. */
    private boolean dropsRest() {
        while (decoder.isInBody() && dropped <= settings().lingerBytes()) {
            ByteBuf in = held.first();
            if (in == null) {
                return false;
            }
            int before = in.readableBytes();
            RequestDecoder.Event event = decoder.next(in);
            if (event == RequestDecoder.Event.DATA) {
                int count = decoder.dataBytes();
                in.skipBytes(count);
                decoder.took(count);
                dropped += count;
            }
            held.read(before - in.readableBytes());
            if (event == RequestDecoder.Event.REFUSED) {
                dropped = Long.MAX_VALUE;
            }
        }
        return !decoder.isInBody() && dropped != Long.MAX_VALUE;
    }

    // What an exchange asks for.

    Outgoing outgoing() {
        return known(outgoing);
    }

    DateLine date() {
        return server.date;
    }

    boolean isWritable() {
        return context().channel().isWritable();
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
    boolean isTooMuchToDrain() {
        return decoder.isInBody() && decoder.bytesToCome() > settings().lingerBytes();
    }

    /** Something was written: it is flushed when the loop has finished what it is doing. */
    void wrote() {
        if (!reading) {
            turn();
        }
    }

    /** The answer is complete, or was cut. */
    void answered() {
        wrote();
    }

    private void turn() {
        if (!turnComes && mode != Mode.CLOSED) {
            turnComes = true;
            loop().execute(this::endOfTurn);
        }
    }

    private void endOfTurn() {
        turnComes = false;
        if (mode != Mode.CLOSED) {
            outgoing().flush();
            watchWriting();
            reading = true;
            advance();
            reading = false;
            outgoing().flush();
            readOn();
        }
    }

    // The body.

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
        if (inputEnded && decoder.isInBody() && held.size() == 0) {
            lose(Gone.CLOSED, "the client closed its connection");
            return;
        }
        if (!wanted) {
            watchdog().rest();
        } else if (!watchdog().isWatching(Watch.BODY) || receivedBeforeWait != received) {
            // Asking again is no reason to wait longer; bytes are.
            receivedBeforeWait = received;
            watchdog().watch(Watch.BODY, after(settings().bodyIdleTimeout()));
        }
        if (!reading) {
            readOn();
        }
    }

    @Override
    public void refuseBody(Refusal why) {
        server.count(why);
        watchdog().rest();
        Exchange running = exchange;
        if (running != null) {
            running.refuseBody(why, new IOException("the request's body was refused: " + why.rule()));
        }
    }

    @Override
    public void bodyLeft() {
        watchdog().rest();
    }

    // Time.

    private void expired(Watch what) {
        switch (what) {
            case FIRST_BYTE -> close();
            case KEEP_ALIVE -> closeGently();
            case HEAD -> refuseSlowHead();
            case BODY -> {
                refuseBody(Refusal.BODY_IDLE);
                advance();
            }
            case LINGER -> lingeredEnough();
        }
    }

    private void refuseSlowHead() {
        refuse(decoder.partialHead(), Refusal.HEAD_TIMEOUT);
        advance();
    }

    private void lingeredEnough() {
        Exchange running = exchange;
        if (mode != Mode.OPEN || running == null) {
            close();
        } else if (running.isAnswered()) {
            exchange = null;
            closeGently();
        } else {
            running.cut();
        }
    }

    /** Looks, after a flush, whether the socket has taken everything; if not, when it is time to see whether it takes more. */
    private void watchWriting() {
        if (!watchdog().isWatchingWriting() && pendingBytes() > 0) {
            looksWithoutProgress = 0;
            remember();
            watchdog().lookAtWriting(nextLook());
        }
    }

    private void lookAtWriting() {
        if (pendingBytes() == 0) {
            return;
        }
        boolean same = pendingSeen == pendingBytes() && progressSeen == progress();
        looksWithoutProgress = same ? looksWithoutProgress + 1 : 0;
        if (looksWithoutProgress == WRITE_LOOKS) {
            lose(Gone.WRITE_IDLE, "the client takes no more of its answer");
            return;
        }
        remember();
        watchdog().lookAtWriting(nextLook());
    }

    private void remember() {
        pendingSeen = pendingBytes();
        progressSeen = progress();
    }

    private long nextLook() {
        return server.clock.nanos() + settings().writeIdleTimeout().toNanos() / WRITE_LOOKS;
    }

    /** What waits for the socket. */
    long pendingBytes() {
        ChannelOutboundBuffer buffer = context().channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    private long progress() {
        ChannelOutboundBuffer buffer = context().channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.currentProgress();
    }

    // The end.

    /** Sends what there is, says that nothing follows, and listens until the client has said the same. */
    private void closeGently() {
        if (mode != Mode.OPEN) {
            return;
        }
        mode = Mode.FLUSHING;
        phase = Phase.CLOSING;
        watchdog().rest();
        held.release();
        dropped = 0;
        outgoing().flush();
        watchWriting();
        context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> {
            if (inputEnded || !sent.isSuccess()) {
                close();
            } else {
                shutOutput();
            }
        });
    }

    private void shutOutput() {
        if (mode != Mode.FLUSHING) {
            return;
        }
        mode = Mode.LINGERING;
        watchdog().watch(Watch.LINGER, after(settings().lingerTime()));
        if (tls != null) {
            tls.closeOutbound().addListener(told -> shutSocket());
        } else {
            shutSocket();
        }
        readOn();
    }

    private void shutSocket() {
        if (context().channel() instanceof DuplexChannel socket && socket.isActive()) {
            socket.shutdownOutput();
        }
    }

    private void close() {
        if (mode != Mode.CLOSED) {
            mode = Mode.CLOSED;
            watchdog().stop();
            held.release();
            outgoing().release();
            context().close();
        }
    }

    /** Ends the connection so that nobody takes its end for the end of an answer. */
    void reset() {
        Channel channel = context().channel();
        outgoing().flush();
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        ChannelHandlerContext first = channel.pipeline().firstContext();
        Exchange running = exchange;
        exchange = null;
        if (running != null) {
            running.body().breakOff(new IOException("the answer was cut"));
        }
        if (first != null) {
            // Past TLS, which would say that all was sent.
            first.close();
        }
        close();
    }

    private void lose(Gone why, String what) {
        Exchange running = exchange;
        exchange = null;
        close();
        if (running != null) {
            running.lose(why, new IOException(what));
        }
    }

    // A stop.

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

    /** The grace is over. */
    void graceOver() {
        closesWhenIdle = true;
        Exchange running = exchange;
        if (running == null) {
            closeGently();
        } else if (running.isHeadless()) {
            running.closeAfter();
            watchdog().watch(Watch.LINGER, after(settings().lingerTime()));
            running.graceOver();
        } else if (!running.isAnswered()) {
            lose(Gone.SHUTTING_DOWN, "the gateway stops");
        }
    }

    // As requests see it.

    @Override
    public long id() {
        return id;
    }

    @Override
    public InetSocketAddress peer() {
        return known(peer);
    }

    @Override
    public InetSocketAddress local() {
        return known(local);
    }

    @Override
    public Optional<String> tlsVersion() {
        return tls == null
                ? Optional.empty()
                : Optional.of(tls.engine().getSession().getProtocol());
    }

    @Override
    public EventLoop loop() {
        return context().channel().eventLoop();
    }

    Phase phase() {
        return phase;
    }

    private InboundConfig settings() {
        GatewayConfig known = config;
        return (known == null ? server.config.get() : known).inbound();
    }

    private long after(Duration time) {
        return server.clock.nanos() + time.toNanos();
    }

    private ChannelHandlerContext context() {
        return known(context);
    }

    private Watchdog watchdog() {
        return known(watchdog);
    }

    private static <T> T known(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("not connected");
        }
        return value;
    }
}
