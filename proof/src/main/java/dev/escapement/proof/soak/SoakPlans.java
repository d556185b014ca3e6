package dev.escapement.proof.soak;

import dev.escapement.call.CallOptions;
import dev.escapement.call.PlannedCall;
import dev.escapement.http.Body;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import dev.escapement.http.Request;
import dev.escapement.time.MonotonicClock;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Draws one random call after the other: its wish, its method, its body, what it asks of the client. Confined to one thread. */
final class SoakPlans {

    private static final byte[] SMALL = new byte[17];
    private static final byte[] LARGE = new byte[60_000];
    private static final long OWN_DEADLINE_NANOS = 30_000_000;

    private final SplittableRandom random;
    private final UnrulyServer server;
    private final Arrivals arrivals;
    private final Tally tally;
    private final MonotonicClock clock;

    SoakPlans(SplittableRandom random, UnrulyServer server, Arrivals arrivals, Tally tally, MonotonicClock clock) {
        this.random = random;
        this.server = server;
        this.arrivals = arrivals;
        this.tally = tally;
        this.clock = clock;
    }

    /** A call to be made, and who takes its report. */
    record Plan(PlannedCall planned, SoakCall call) {}

    /** The next one; from here on it counts as begun. */
    Plan next() {
        Wish wish = Wish.draw(random);
        Method method = switch (random.nextInt(6)) {
            case 0, 1, 2 -> Method.GET;
            case 3 -> Method.PUT;
            default -> Method.POST;
        };
        boolean keyed = method.equals(Method.POST) && random.nextBoolean();
        boolean onceOnly = method.equals(Method.POST) && !keyed;
        long number = tally.begin();
        if (onceOnly) {
            arrivals.onceOnly(number);
        }
        CallOptions options = CallOptions.none();
        if (keyed) {
            options = options.withIdempotencyKey("call-" + number);
        }
        if (random.nextInt(25) == 0) {
            options = options.withDeadlineNanos(clock.nanos() + OWN_DEADLINE_NANOS);
        }
        Request request =
                Request.of(method, server.uri(wish, number), Headers.of("X-Call", "soak"), body(method, wish));
        return new Plan(new PlannedCall(request, options), new SoakCall(number, wish, onceOnly, tally));
    }

    private Body body(Method method, Wish wish) {
        if (method.equals(Method.GET)) {
            return Body.empty();
        }
        byte[] bytes = wish == Wish.RESET_EARLY || random.nextInt(40) == 0 ? LARGE : SMALL;
        return random.nextInt(8) == 0 ? Body.once(ByteBuffer.wrap(bytes)) : Body.of(bytes);
    }
}
