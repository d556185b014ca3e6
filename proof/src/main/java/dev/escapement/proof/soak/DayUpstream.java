package dev.escapement.proof.soak;

import static dev.escapement.transport.TransportFailure.Kind.REFUSED;
import static dev.escapement.transport.TransportFailure.Kind.RESET;
import static dev.escapement.transport.TransportFailure.Kind.TRUNCATED;

import dev.escapement.fixtures.AttemptScript;
import dev.escapement.fixtures.SimulatedAttempt;
import dev.escapement.fixtures.SimulatedTransport;
import dev.escapement.fixtures.VirtualTime;
import dev.escapement.transport.Endpoint;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The upstream of a simulated day: three endpoints that do with each attempt what the {@link Weather} and a draw say, and a record of
 * every effect that took place, whether or not its answer got back. Confined to the world's thread.
 */
final class DayUpstream {

    static final String HOST = "upstream.test";

    /** The header that says how an attempt's transport behaves when it is abandoned. */
    static final String MANNER = "X-Manner";

    /** The header that names the call. */
    static final String CALL = "X-Call";

    private static final int ENDPOINTS = 3;
    private static final Duration NEVER_MIND = Duration.ofSeconds(2);

    /** How a transport behaves. */
    enum Manner {
        /** Clean as soon as it is abandoned. */
        PROMPT,
        /** Clean some time after. */
        SLOW,
        /** Goes on as if nothing had been, and reports a result that nobody waits for. */
        STUBBORN,
        /** Throws out of {@code send}. */
        THROWING
    }

    private final VirtualTime time;
    private final SplittableRandom random;
    private final InstantSource wallClock;
    private final Map<String, Integer> effects = new HashMap<>();
    private Weather weather;

    DayUpstream(VirtualTime time, SplittableRandom random, InstantSource wallClock, Weather weather) {
        this.time = time;
        this.random = random;
        this.wallClock = wallClock;
        this.weather = weather;
    }

    static List<Endpoint> endpoints() {
        return IntStream.range(0, ENDPOINTS)
                .mapToObj(i -> Endpoint.of("http://" + (char) ('a' + i) + "." + HOST))
                .toList();
    }

    void setWeather(Weather next) {
        weather = next;
    }

    /** Every attempt on that transport comes here. */
    void serve(SimulatedTransport transport) {
        answering(transport, Manner.SLOW).cleanAfterAbandonment(Duration.ofMillis(30));
        answering(transport, Manner.STUBBORN).ignoreAbandonment();
        transport
                .on(request -> is(request.headers().first(MANNER).orElseThrow(), Manner.THROWING))
                .raise(new IllegalStateException("on purpose"));
        transport.otherwise().act(this::receive).hang();
    }

    private AttemptScript answering(SimulatedTransport transport, Manner manner) {
        return transport
                .on(request -> is(request.headers().first(MANNER).orElseThrow(), manner))
                .act(this::receive)
                .hang();
    }

    private static boolean is(String name, Manner manner) {
        return name.equals(manner.name());
    }

    /** How many effects took place in the name of that call. */
    int effects(long call) {
        return effects.getOrDefault(Long.toString(call), 0);
    }

    /** Forgets the effects so far. */
    void forget() {
        effects.clear();
    }

    private void receive(SimulatedAttempt attempt) {
        int endpoint = attempt.endpoint().host().charAt(0) - 'a';
        switch (weather.at(endpoint, time.now())) {
            case FINE -> fine(attempt);
            case DEPLOY -> attempt.failCleanly(REFUSED);
            case BROWNOUT -> answer(attempt, random.nextInt(50, 900), 200);
            case OUTAGE -> lose(attempt);
            case SILENCE -> hang(attempt);
            case OVERLOAD -> shed(attempt);
        }
    }

    private void fine(SimulatedAttempt attempt) {
        switch (random.nextInt(200)) {
            case 0, 1 -> answer(attempt, random.nextInt(2, 10), 503);
            case 2 -> lose(attempt);
            case 3 -> hang(attempt);
            case 4 -> answer(attempt, 5, 404);
            case 5 -> shed(attempt);
            case 6 -> {
                // R10: a stale connection is replaced inside the attempt.
                attempt.connectReused();
                attempt.writeNothing();
                attempt.connect();
                answer(attempt, random.nextInt(3, 40), 200);
            }
            case 7 -> {
                // A4: time passes inside send, and the answer is there when it returns.
                attempt.writeAll();
                time.stall(Duration.ofMillis(2));
                answerNow(attempt, 200);
            }
            case 8 -> {
                // A5: completes twice.
                attempt.writeAll();
                take(attempt, 200);
                attempt.answer(200);
                attempt.answerCleanly(503);
            }
            case 9 -> {
                attempt.writeAll();
                attempt.beginReply();
                later(attempt, 7, () -> attempt.failCleanly(TRUNCATED));
            }
            default -> answer(attempt, random.nextInt(3, 40), 200);
        }
    }

    private void answer(SimulatedAttempt attempt, int millis, int status) {
        attempt.writeAll();
        time.after(Duration.ofMillis(millis), () -> answerNow(attempt, status));
    }

    private void answerNow(SimulatedAttempt attempt, int status) {
        // The server did its work, gone the client or not.
        take(attempt, status);
        if (attempt.cleanings() == 0) {
            attempt.answerCleanly(status);
        }
    }

    private void lose(SimulatedAttempt attempt) {
        if (random.nextBoolean()) {
            attempt.write(20);
            later(attempt, 3, () -> attempt.failCleanly(RESET));
        } else {
            attempt.writeAll();
            if (random.nextBoolean()) {
                take(attempt, 200);
            }
            later(attempt, random.nextInt(1, 60), () -> attempt.failCleanly(RESET));
        }
    }

    private void hang(SimulatedAttempt attempt) {
        attempt.writeAll();
        if (random.nextBoolean()) {
            time.after(Duration.ofMillis(50), () -> take(attempt, 200));
        }
        // Where nobody abandons it: in the end the connection is closed.
        time.after(NEVER_MIND, () -> {
            if (attempt.cleanings() == 0) {
                attempt.failCleanly(RESET);
            }
        });
    }

    private void shed(SimulatedAttempt attempt) {
        attempt.writeAll();
        String hint = switch (random.nextInt(4)) {
            case 0 -> "0";
            case 1 -> "1";
            case 2 -> "100000";
            default ->
                DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        Instant.ofEpochSecond(wallClock.instant().getEpochSecond() + 2)
                                .atOffset(ZoneOffset.UTC));
        };
        later(attempt, 2, () -> attempt.answerCleanly(503, "Retry-After", hint));
    }

    private void later(SimulatedAttempt attempt, int millis, Runnable end) {
        time.after(Duration.ofMillis(millis), () -> {
            if (attempt.cleanings() == 0) {
                end.run();
            }
        });
    }

    /** The effect takes place, with an answer that says so; with a key, once for all its requests. */
    private void take(SimulatedAttempt attempt, int status) {
        if (status == 200) {
            boolean keyed = attempt.request().headers().contains("Idempotency-Key");
            effects.merge(
                    attempt.request().headers().first(CALL).orElseThrow(),
                    1,
                    (before, one) -> keyed ? before : before + one);
        }
    }
}
