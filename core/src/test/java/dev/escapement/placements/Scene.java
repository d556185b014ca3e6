package dev.escapement.placements;

import dev.escapement.fixtures.VirtualTime.Home;
import dev.escapement.fixtures.explorer.Act;
import dev.escapement.fixtures.explorer.Scenario;
import dev.escapement.placements.PolicyKind.Retry;
import dev.escapement.policy.DeadlineOrigin;
import dev.escapement.policy.PermitScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A world of one or two calls and one permit, so short that every placement of a few signals in it can be played.
 *
 * <p>In each, one call is looked at: its signals are placed, and its deadlines are those at which the clock arrives.
 */
enum Scene {
    /** One call that is answered inside {@code send}, for the kinds that do not retry: the shortest life there is. */
    AT_ONCE {
        @Override
        boolean suits(PolicyKind kind) {
            return kind.retry() == Retry.NONE;
        }

        @Override
        String script(PolicyKind kind) {
            return "call 1 at 1ms GET\n  attempt write-all; answer 200\n";
        }

        @Override
        List<Act> otherSignals(PolicyKind kind) {
            return List.of(
                    new Act.Complete(1, 503), new Act.Cancel(1), new Act.WakeAll(), new Act.Clean(1), new Act.Close(0));
        }

        @Override
        List<Long> instantsMs(PolicyKind kind) {
            return List.of(1 + overallMs(kind), 1 + ATTEMPT_MS);
        }
    },

    /** One call: its attempt is answered after a while, a retry inside {@code send}. */
    ALONE {
        @Override
        boolean suits(PolicyKind kind) {
            return true;
        }

        @Override
        String script(PolicyKind kind) {
            return "call 1 at 1ms GET\n  attempt write-all; pause 2ms; " + firstAnswer(kind)
                    + "\n  attempt write-all; answer 200\n";
        }

        @Override
        List<Act> otherSignals(PolicyKind kind) {
            return List.of(
                    new Act.Complete(1, 200), new Act.Cancel(1), new Act.WakeAll(), new Act.Clean(1), new Act.Close(0));
        }

        @Override
        List<Long> instantsMs(PolicyKind kind) {
            return List.of(1 + overallMs(kind), 1 + ATTEMPT_MS);
        }
    },

    /** The second call waits for the permit of the first, and gets it after a while: at the first one's end, or when that is clean. */
    QUEUED {
        @Override
        boolean suits(PolicyKind kind) {
            return true;
        }

        @Override
        String script(PolicyKind kind) {
            return "call 1 at 0s GET\n"
                    + (kind.reserve() ? "  attempt answer 200; hang\n" : "  attempt write-all; pause 4ms; answer 200\n")
                    + "call 2 at 1ms GET deadline=" + (1 + overallMs(kind)) + "ms\n  attempt answer 200\n";
        }

        @Override
        List<Act> otherSignals(PolicyKind kind) {
            Act grant = kind.reserve() ? new Act.Clean(1) : new Act.Complete(1, 200);
            return List.of(grant, new Act.Cancel(2), new Act.WakeAll(), new Act.Close(0));
        }

        @Override
        List<Long> instantsMs(PolicyKind kind) {
            return List.of(1 + overallMs(kind), 1 + QUEUE_WAIT_MS);
        }

        @Override
        long fromMs(PolicyKind kind) {
            return 1;
        }
    },

    /** With a permit for each attempt: the first call's retry waits for the end of the second call's attempt. */
    REQUEUED {
        @Override
        boolean suits(PolicyKind kind) {
            return kind.scope() == PermitScope.ATTEMPT && kind.retry() != Retry.NONE;
        }

        @Override
        String script(PolicyKind kind) {
            return "call 1 at 0s GET\n  attempt write-all; pause 2ms; " + firstAnswer(kind)
                    + "\n  attempt write-all; answer 200\n"
                    + "call 2 at 1ms GET\n  attempt write-all; pause " + (kind.delayMs() + 2) + "ms; answer 200\n";
        }

        @Override
        List<Act> otherSignals(PolicyKind kind) {
            return List.of(new Act.Complete(2, 200), new Act.Cancel(1), new Act.WakeAll(), new Act.Close(0));
        }

        @Override
        List<Long> instantsMs(PolicyKind kind) {
            return List.of(overallMs(kind), 2 + kind.delayMs() + QUEUE_WAIT_MS);
        }

        @Override
        long fromMs(PolicyKind kind) {
            return 2;
        }
    },

    /** One call that takes its response in parts (A8), after a retry where the kind has one: a part, and an end that comes too late or never. */
    IN_PARTS {
        @Override
        boolean suits(PolicyKind kind) {
            return kind.origin() == DeadlineOrigin.ENTRY && kind.retry() != Retry.AT_A_HINT && !kind.guarded();
        }

        @Override
        String script(PolicyKind kind) {
            return "call 1 at 1ms GET streamed=to-end idle=" + IDLE_MS + "ms reader=one-by-one interim=throws\n"
                    + (kind.retry() == Retry.NONE
                            ? ""
                            : "  attempt write-all; answer 503 in-parts; part; hang; clean-after 2ms\n")
                    + "  attempt write-all; pause 1ms; interim; answer 200 in-parts; pause 1ms; part; hang; clean-after 2ms\n";
        }

        @Override
        List<Act> otherSignals(PolicyKind kind) {
            return List.of(
                    new Act.OnBody(1, Act.OnBody.Move.END),
                    new Act.OnBody(1, Act.OnBody.Move.CANCEL),
                    new Act.OnBody(1, Act.OnBody.Move.PART),
                    new Act.Cancel(1),
                    new Act.WakeAll(),
                    new Act.Close(0),
                    new Act.Throw());
        }

        @Override
        List<Long> instantsMs(PolicyKind kind) {
            long headMs = 2 + kind.delayMs();
            return List.of(1 + overallMs(kind), headMs + 1 + IDLE_MS);
        }
    };

    static final long ATTEMPT_MS = 8;
    static final long QUEUE_WAIT_MS = 10;
    static final long RESERVE_MS = 5;
    static final long IDLE_MS = 6;
    static final long PAUSE_MS = 3;
    static final long HINT_MS = 1_000;

    private static final long MILLI = 1_000_000;

    /** Whether there is something to see of that kind which another scene does not show. */
    abstract boolean suits(PolicyKind kind);

    abstract String script(PolicyKind kind);

    /** All but the clock's. */
    abstract List<Act> otherSignals(PolicyKind kind);

    /** At which the call ends, or its attempt, or its wait, when nothing else happens. */
    abstract List<Long> instantsMs(PolicyKind kind);

    /** When what is looked at begins. */
    long fromMs(PolicyKind kind) {
        return 0;
    }

    final long fromNanos(PolicyKind kind) {
        return fromMs(kind) * MILLI;
    }

    /** @param edges the nanoseconds beside each instant at which the clock arrives */
    final List<Act> signals(PolicyKind kind, List<Integer> edges) {
        List<Act> signals = new ArrayList<>();
        instantsMs(kind).forEach(ms -> edges.forEach(edge -> signals.add(new Act.StallTo(ms * MILLI + edge))));
        signals.addAll(otherSignals(kind));
        return signals;
    }

    final Scenario of(PolicyKind kind, Home home) {
        return scenario(home, kind.settings(), script(kind));
    }

    /** One permit, that home, those settings, and the lines of the calls. */
    static Scenario scenario(Home home, Map<String, String> settings, String calls) {
        Scenario bare = Scenario.parse("stage permits=1 home=" + home.name().toLowerCase(Locale.ROOT)
                + "\npolicy overall-timeout=1s\n" + calls);
        return new Scenario(bare.stage(), settings, bare.calls(), bare.acts(), bare.placements());
    }

    static long overallMs(PolicyKind kind) {
        return 20 + (kind.retry() == Retry.AT_A_HINT ? HINT_MS : 0);
    }

    private static String firstAnswer(PolicyKind kind) {
        return switch (kind.retry()) {
            case NONE -> "answer 200";
            case AT_ONCE, AFTER_A_PAUSE -> "answer 503";
            case AT_A_HINT -> "answer 503 retry-after=" + HINT_MS / 1_000;
        };
    }
}
