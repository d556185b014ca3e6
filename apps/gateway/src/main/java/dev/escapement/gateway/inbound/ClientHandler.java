package dev.escapement.gateway.inbound;

import dev.escapement.gateway.config.InboundConfig;
import dev.escapement.gateway.inbound.Responder.Gone;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection, as its channel tells of it: what is read goes to the {@link Conversation} until the {@link ConnectionEnd} is
 * near, and what is written is flushed once for each turn of the loop.
 *
 * <p>Bytes are read only while few are held, so that pipelined requests and bodies wait in the client's socket. Confined to its channel's
 * loop, but for {@link #phase} and what does not change.
 */
final class ClientHandler extends ChannelInboundHandlerAdapter implements ClientConnection {

    /** What figures tell of a connection. */
    enum Phase {
        IDLE,
        ACTIVE,
        CLOSING
    }

    private final ServerState server;
    private final SocketChannel channel;
    private final @Nullable SslHandler tls;
    private final Outgoing outgoing;
    private final Watchdog watchdog;
    private final WriteWatch writing;
    private final ConnectionEnd end;
    private final Conversation conversation;
    private final InetSocketAddress peer;
    private final InetSocketAddress local;
    private final long id;

    /** Set by the loop, read by whoever asks for figures. */
    private volatile Phase phase = Phase.IDLE;

    /** Whether this is running in a call of the channel's, or of a turn, at whose end there will be a flush. */
    private boolean inTurn;

    private boolean turnComes;

    /**
     * For a channel that is registered with its loop.
     *
     * @param tls spoken before this; null in the clear
     */
    ClientHandler(ServerState server, SocketChannel channel, @Nullable SslHandler tls) {
        this.server = server;
        this.channel = channel;
        this.tls = tls;
        outgoing = new Outgoing(channel);
        watchdog = new Watchdog(channel.eventLoop(), server.clock, this::expired, this::lookAtWriting);
        writing = new WriteWatch(channel, server.clock, () -> settings().writeIdleTimeout(), this::stuck);
        end = new ConnectionEnd(channel, tls, outgoing, watchdog, server.clock, this::settings);
        conversation = new Conversation(server, this, tls == null ? "http" : "https", watchdog, end);
        peer = channel.remoteAddress();
        local = channel.localAddress();
        id = server.nextId();
    }

    private InboundConfig settings() {
        return conversation.settings();
    }

    // What the channel tells.

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        server.opened(this);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (tls == null) {
            conversation.begin();
        }
        context.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        inTurn = true;
        if (end.isOpen()) {
            conversation.read(bytes);
        } else {
            end.drop(bytes);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        endTurn();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                conversation.begin();
            } else {
                end.close();
            }
        } else if (event instanceof ChannelInputShutdownEvent || event instanceof SslCloseCompletionEvent) {
            inputEnded();
        }
    }

    private void inputEnded() {
        if (!end.hasInputEnded()) {
            end.inputEnded();
            if (end.isOpen()) {
                conversation.inputEnded();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable() && end.isOpen()) {
            conversation.writable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        conversation.lose(Gone.CLOSED, "the client closed its connection");
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        conversation.lose(Gone.CLOSED, "the client closed its connection");
        server.closed(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A broken connection tells it so; nothing is left to say.
        conversation.lose(Gone.CLOSED, "the connection broke: " + cause);
    }

    // What time tells.

    private void expired(Watchdog.Watch what) {
        if (end.isOpen()) {
            conversation.expired(what);
        } else {
            end.close();
        }
    }

    private void lookAtWriting() {
        writing.look(watchdog);
    }

    private void stuck() {
        conversation.lose(Gone.WRITE_IDLE, "the client takes no more of its answer");
    }

    // What a stop tells.

    /** Closes when it is idle, now or after the request at hand. */
    void closeWhenIdle() {
        if (end.isOpen()) {
            conversation.closeWhenIdle();
        }
    }

    /** The grace is over. */
    void graceOver() {
        if (end.isOpen()) {
            conversation.graceOver();
        }
    }

    // Turns.

    /** Something was written, or can go on: that is looked after when the loop has finished what it is doing. */
    void wrote() {
        if (!inTurn && !turnComes && !end.isClosed()) {
            turnComes = true;
            loop().execute(this::turn);
        }
    }

    private void turn() {
        turnComes = false;
        inTurn = true;
        outgoing.flush();
        conversation.advance();
        endTurn();
    }

    private void endTurn() {
        inTurn = false;
        outgoing.flush();
        writing.flushed(watchdog);
        readsOn();
    }

    /** Reads more, if more is wanted; inside a turn at its end. */
    void readsOn() {
        if (!inTurn && (end.isOpen() ? conversation.takesMore() : end.isLingering())) {
            channel.read();
        }
    }

    // What the others ask for.

    Outgoing outgoing() {
        return outgoing;
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    /** What waits for the socket. */
    long pendingBytes() {
        return writing.pendingBytes();
    }

    /** What is held of what was read. */
    HeldBytes held() {
        return conversation.held();
    }

    void is(Phase now) {
        phase = now;
    }

    Phase phase() {
        return phase;
    }

    // As requests see it.

    @Override
    public long id() {
        return id;
    }

    @Override
    public InetSocketAddress peer() {
        return peer;
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public Optional<String> tlsVersion() {
        return tls == null
                ? Optional.empty()
                : Optional.of(tls.engine().getSession().getProtocol());
    }

    @Override
    public EventLoop loop() {
        return channel.eventLoop();
    }
}
