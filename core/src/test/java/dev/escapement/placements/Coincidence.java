package dev.escapement.placements;

import dev.escapement.fixtures.explorer.Act;
import dev.escapement.placements.PolicyKind.Retry;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where a call stands while several things come to be true at one instant, its own: in flight, queued, in backoff.
 *
 * <p>What comes by time is part of the policy; what somebody does is put down as acts, in some order.
 */
enum Coincidence {
    IN_FLIGHT(43_200) {
        @Override
        boolean suits(PolicyKind kind) {
            // How long a pause is, is decided after all of it.
            return kind.retry() == Retry.NONE || kind.retry() == Retry.AT_ONCE;
        }

        @Override
        String calls(Set<Event> events) {
            return "call 1 at 0s GET\n  attempt write-all; hang\n";
        }

        @Override
        void adjust(Map<String, String> settings, PolicyKind kind, Set<Event> events) {
            settings.put("overall-timeout", events.contains(Event.DEADLINE) ? "20ms" : "60ms");
            settings.put("attempt-timeout", events.contains(Event.ATTEMPT_DEADLINE) ? "20ms" : "30ms");
        }

        @Override
        List<Act> acts(Event event) {
            return event == Event.COMPLETION ? List.of(new Act.Complete(1, 200)) : super.acts(event);
        }
    },

    QUEUED(14_400) {
        @Override
        boolean suits(PolicyKind kind) {
            return kind.retry() == Retry.NONE;
        }

        @Override
        int call() {
            return 2;
        }

        @Override
        String calls(Set<Event> events) {
            return "call 1 at 0s GET\n  attempt write-all; hang\ncall 2 at 0s GET"
                    + (events.contains(Event.DEADLINE) ? " deadline=20ms" : "") + "\n  attempt answer 200\n";
        }

        @Override
        void adjust(Map<String, String> settings, PolicyKind kind, Set<Event> events) {
            settings.put("overall-timeout", "90ms");
            settings.put("attempt-timeout", "50ms");
            settings.put("max-queue-wait", events.contains(Event.WAIT_OVER) ? "20ms" : "40ms");
        }

        @Override
        List<Act> acts(Event event) {
            return event == Event.GRANT ? List.of(new Act.Complete(1, 200), new Act.Clean(1)) : super.acts(event);
        }
    },

    /** A retry fits before the deadline or is not made: both can be true only where a stall is between (R6). */
    IN_BACKOFF(6_480) {
        @Override
        boolean suits(PolicyKind kind) {
            return kind.retry() == Retry.AFTER_A_PAUSE;
        }

        @Override
        String calls(Set<Event> events) {
            return "call 1 at 0s GET\n  attempt answer 503\n  attempt answer 200\n";
        }

        @Override
        void adjust(Map<String, String> settings, PolicyKind kind, Set<Event> events) {
            settings.put("overall-timeout", events.contains(Event.DEADLINE) ? "20ms" : "60ms");
            settings.put("attempt-timeout", "8ms");
            // The guards let it through: the breaker is open until then, and takes it as a trial.
            String pause =
                    events.contains(Event.DEADLINE) ? "6ms" : events.contains(Event.BACKOFF_DUE) ? "20ms" : "30ms";
            settings.put("initial-backoff", pause);
            if (kind.guarded()) {
                settings.put("breaker-open-period", pause);
            }
        }

        @Override
        boolean isPossible(Set<Event> events) {
            return events.contains(Event.BACKOFF_DUE) || !events.contains(Event.DEADLINE);
        }
    };

    /** What can come to be true, in the order of A2; the last four are nothing to judge by themselves. */
    enum Event {
        DEADLINE,
        CANCEL,
        CLOSE,
        ATTEMPT_DEADLINE,
        WAIT_OVER,
        COMPLETION,
        GRANT,
        BACKOFF_DUE,
        WAKE_UP,
        ANOTHER_CALL;

        boolean comesByTime() {
            return this == DEADLINE || this == ATTEMPT_DEADLINE || this == WAIT_OVER || this == BACKOFF_DUE;
        }
    }

    /** The instant. */
    static final long AT_NANOS = 20_000_000;

    private final int scenarios;

    Coincidence(int scenarios) {
        this.scenarios = scenarios;
    }

    /** How many there are: policy kinds, homes, sets of events and orders. */
    int scenarios() {
        return scenarios;
    }

    abstract boolean suits(PolicyKind kind);

    abstract String calls(Set<Event> events);

    /** The policy in which what comes by time comes at the instant, if it is one of the events, and later if not. */
    abstract void adjust(Map<String, String> settings, PolicyKind kind, Set<Event> events);

    boolean isPossible(Set<Event> events) {
        return true;
    }

    /** Whose events they are. */
    int call() {
        return 1;
    }

    Set<Event> events() {
        Set<Event> events = EnumSet.of(Event.CANCEL, Event.CLOSE, Event.WAKE_UP, Event.ANOTHER_CALL);
        events.addAll(
                switch (this) {
                    case IN_FLIGHT -> Set.of(Event.DEADLINE, Event.ATTEMPT_DEADLINE, Event.COMPLETION);
                    case QUEUED -> Set.of(Event.DEADLINE, Event.WAIT_OVER, Event.GRANT);
                    case IN_BACKOFF -> Set.of(Event.DEADLINE, Event.BACKOFF_DUE);
                });
        return events;
    }

    List<Act> acts(Event event) {
        return switch (event) {
            case CANCEL -> List.of(new Act.Cancel(call()));
            case CLOSE -> List.of(new Act.Close(0));
            case WAKE_UP -> List.of(new Act.WakeAll());
            default -> throw new IllegalArgumentException(event + " is no act at " + this);
        };
    }

    /** A2, where all were seen in one look: how the outcome begins; empty if nothing that ends the call was among them. */
    Optional<String> outcome(PolicyKind kind, Set<Event> events) {
        // An enum set is in the order of its constants.
        for (Event event : events) {
            switch (event) {
                case DEADLINE -> {
                    return Optional.of("OverallDeadline[");
                }
                case CANCEL -> {
                    return Optional.of("Cancelled[");
                }
                case CLOSE -> {
                    return Optional.of(this == QUEUED ? "Rejected[reason=SHUTTING_DOWN" : "Cancelled[");
                }
                case ATTEMPT_DEADLINE -> {
                    return kind.retry() == Retry.NONE ? Optional.of("AttemptTimeout[") : Optional.empty();
                }
                case WAIT_OVER -> {
                    return Optional.of("Rejected[reason=QUEUE_WAIT");
                }
                case COMPLETION, GRANT, BACKOFF_DUE -> {
                    return Optional.of("Response[response=status 200");
                }
                case WAKE_UP, ANOTHER_CALL -> {}
            }
        }
        return Optional.empty();
    }
}
