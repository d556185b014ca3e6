package dev.escapement.gateway.inbound;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The listening socket: lets connections in while there is room, and closes in the end.
 *
 * <p>It closes once the kernel has nothing queued any more: closing it at once would reset those who have connected and were
 * not accepted. A loop looks at its sockets before it runs what is due, so that a socket at rest for a few rounds has nothing queued. If
 * clients go on coming, it is closed all the same. Confined to the socket's loop, but for {@link #stop}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the end of a close
final class Listening extends ChannelInboundHandlerAdapter {

    private static final long ROUND_MILLIS = 10;
    private static final int ROUNDS_AT_REST = 3;
    private static final int MOST_ROUNDS = 100;

    private final ServerState state;

    private @Nullable ChannelHandlerContext context;
    private int accepted;
    private int acceptedBefore;
    private int atRest;
    private int rounds;

    Listening(ServerState state) {
        this.state = state;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext here) {
        context = here;
    }

    @Override
    public void channelRead(ChannelHandlerContext here, Object client) {
        accepted++;
        Channel connection = (Channel) client;
        if (state.admit()) {
            connection.closeFuture().addListener(closed -> state.left());
            here.fireChannelRead(client);
        } else {
            connection.unsafe().closeForcibly();
        }
    }

    /** Closes it, in a while. Any thread; harmless when repeated. */
    void stop() {
        ChannelHandlerContext here = context;
        if (here != null) {
            here.executor().execute(() -> {
                if (rounds == 0) {
                    nextRound(here);
                }
            });
        }
    }

    private void nextRound(ChannelHandlerContext here) {
        rounds++;
        acceptedBefore = accepted;
        here.executor().schedule(() -> look(here), ROUND_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look(ChannelHandlerContext here) {
        atRest = accepted == acceptedBefore ? atRest + 1 : 0;
        if (atRest == ROUNDS_AT_REST || rounds == MOST_ROUNDS) {
            here.close();
        } else {
            nextRound(here);
        }
    }
}
