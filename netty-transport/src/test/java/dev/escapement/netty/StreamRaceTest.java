package dev.escapement.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.fixtures.RecordingExchange.Fact;
import dev.escapement.fixtures.ScriptedServer;
import dev.escapement.http.Body;
import dev.escapement.http.BodyException;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Exchanges in parts both ways that are abandoned, cut, released, cancelled or left alone at whatever moment the threads bring about: each is clean
 * once, and no connection, buffer or violation is left, which {@link World} and {@link LeakWatch} see to.
 */
@ExtendWith(LeakWatch.class)
class StreamRaceTest {

    private static final long SEED = 11;
    private static final int EXCHANGES = 140;

    private enum Ending {
        READ,
        ABANDON,
        CUT,
        RELEASE,
        CANCEL,
        CANCEL_INSIDE,
        NEVER_READ
    }

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    @DisplayName("A8 E7 E8 whatever ends an exchange in parts, and whenever, nothing is left of it")
    void nothingIsLeft() throws Exception {
        try (ScriptedServer server = ScriptedServer.start();
                World world = World.of(NettyTransport.builder().maxConnectionsPerEndpoint(8))) {
            server.otherwise().step(connection -> {
                while (true) {
                    int size = connection.readHead().target().length() * 1000;
                    StringBuilder body = new StringBuilder();
                    while (!body.toString().endsWith("0\r\n\r\n")) {
                        body.append(connection.readBytes(1));
                        if (body.length() > 64) {
                            body.delete(0, 32);
                        }
                    }
                    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                    for (int left = size; left > 0; left -= 1000) {
                        connection.send("3e8\r\n" + "x".repeat(1000) + "\r\n");
                    }
                    connection.send("0\r\n\r\n");
                }
            });
            List<World.Sent> all = new ArrayList<>();
            for (int i = 0; i < EXCHANGES; i++) {
                all.add(exchange(server, world, Ending.values()[i % Ending.values().length]));
            }
            for (World.Sent sent : all) {
                sent.exchange().await(Fact.CLEAN);
                assertThat(sent.exchange().violations()).isEmpty();
            }
        }
    }

    private World.Sent exchange(ScriptedServer server, World world, Ending ending) throws InterruptedException {
        int uploadParts = random.nextInt(4);
        PartsPublisher<ByteBuf> upload = new PartsPublisher<>(
                uploadParts, i -> PooledByteBufAllocator.DEFAULT.directBuffer().writeZero(1 + 700 * i));
        Request request = Request.of(
                Method.POST,
                server.uri("/" + "p".repeat(random.nextInt(200))),
                Headers.empty(),
                ByteBufBody.once(upload, Body.UNKNOWN_LENGTH));
        World.Sent sent = world.stream(request);
        if (ending == Ending.ABANDON) {
            spin();
            if (world.abandon(sent)) {
                return sent;
            }
        }
        sent.exchange().awaitResult();
        Body body = sent.exchange().response().body();
        BodyReader reader = new BodyReader(random.nextInt(4)) {
            @Override
            public void onNext(Object part) {
                super.onNext(part);
                if (ending == Ending.CANCEL_INSIDE && count() == 2) {
                    try {
                        subscription().cancel();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        };
        if (ending != Ending.NEVER_READ) {
            body.parts().subscribe(reader);
        }
        spin();
        switch (ending) {
            case READ, ABANDON, CANCEL_INSIDE -> {
                reader.subscription().request(Long.MAX_VALUE);
                if (ending == Ending.READ) {
                    reader.whole();
                }
            }
            case CUT -> world.cut(sent, BodyException.Kind.DEADLINE);
            case RELEASE -> body.release();
            case CANCEL -> reader.subscription().cancel();
            case NEVER_READ -> {
                sent.exchange().await("the end, or a full window", exchange -> true);
                world.cut(sent, BodyException.Kind.IDLE);
            }
        }
        return sent;
    }

    /** Lets the other threads come to another point each time. */
    private void spin() {
        for (int i = random.nextInt(20_000); i > 0; i--) {
            Thread.onSpinWait();
        }
    }
}
