package dev.escapement.proof.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What is wrong with which endpoint of an upstream, and when: one hour's incidents, drawn from a seed. Immutable. */
final class Weather {

    /** How an endpoint is. */
    enum State {
        /** Well; a little goes wrong all the same. */
        FINE,
        /** Being restarted: refuses connections. */
        DEPLOY,
        /** Answers, many times slower. */
        BROWNOUT,
        /** Resets connections after requests were sent. */
        OUTAGE,
        /** Takes requests and is never heard of again. */
        SILENCE,
        /** Sheds with 503, and says when to come back. */
        OVERLOAD
    }

    private record Incident(State state, int endpoint, long fromNanos, long toNanos) {}

    private final List<Incident> incidents;

    private Weather(List<Incident> incidents) {
        this.incidents = List.copyOf(incidents);
    }

    /** An hour that begins at that reading: some incidents at any endpoint, and now and then a deploy that goes through all of them. */
    static Weather draw(SplittableRandom random, long startNanos, int endpoints) {
        List<Incident> drawn = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            State state = State.values()[2 + random.nextInt(State.values().length - 2)];
            long from = startNanos + minutes(random.nextInt(50));
            // A tenth of them strike everywhere.
            boolean everywhere = random.nextInt(10) == 0;
            int struck = random.nextInt(endpoints);
            for (int endpoint = 0; endpoint < endpoints; endpoint++) {
                if (everywhere || endpoint == struck) {
                    drawn.add(new Incident(state, endpoint, from, from + minutes(1 + random.nextInt(4))));
                }
            }
        }
        if (random.nextInt(5) == 0) {
            long from = startNanos + minutes(random.nextInt(50));
            for (int endpoint = 0; endpoint < endpoints; endpoint++) {
                drawn.add(new Incident(State.DEPLOY, endpoint, from, from + minutes(1) / 2));
                from += minutes(1);
            }
        }
        return new Weather(drawn);
    }

    private static long minutes(int minutes) {
        return Duration.ofMinutes(minutes).toNanos();
    }

    /** How that endpoint is at that reading. */
    State at(int endpoint, long nowNanos) {
        for (Incident incident : incidents) {
            if (incident.endpoint == endpoint && nowNanos >= incident.fromNanos && nowNanos < incident.toNanos) {
                return incident.state;
            }
        }
        return State.FINE;
    }
}
