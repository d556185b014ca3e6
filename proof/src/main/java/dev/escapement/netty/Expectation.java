package dev.escapement.netty;

import dev.escapement.netty.PoolOrders.Event;
import java.util.List;

/**
 * How two attempts end that want one connection, as the rules have it: whoever is lent a connection keeps it, whatever runs
 * out meanwhile; one that has gone is never lent; whoever gives up is given nothing any more, and takes the connection that it
 * wrote to with it (E6, E7).
 */
final class Expectation {

    private enum Holder {
        NOBODY,
        FIRST,
        SECOND,
        /** The connection is closed; there will be others. */
        GONE
    }

    private Holder holder = Holder.NOBODY;
    private boolean firstWants;
    private boolean firstGivesUp;
    private boolean firstLost;
    private boolean secondLost;

    private Expectation() {}

    /** The ends of the first attempt and of the second. */
    static String of(List<Event> order) {
        Expectation expectation = new Expectation();
        order.forEach(expectation::happen);
        String first = expectation.firstGivesUp ? "given up" : expectation.firstLost ? "RESET" : "answered";
        return first + ", " + (expectation.secondLost ? "RESET" : "answered");
    }

    private void happen(Event event) {
        switch (event) {
            case FIRST_WANTS -> {
                firstWants = true;
                lendTo(Holder.FIRST);
            }
            case SECOND_WANTS -> lendTo(Holder.SECOND);
            case LIMIT_RUNS_OUT -> holder = holder == Holder.NOBODY ? Holder.GONE : holder;
            case SOCKET_DIES -> {
                firstLost = holder == Holder.FIRST;
                secondLost = holder == Holder.SECOND;
                holder = Holder.GONE;
            }
            case FIRST_GIVES_UP -> {
                firstGivesUp = firstWants;
                holder = holder == Holder.FIRST ? Holder.GONE : holder;
            }
        }
    }

    private void lendTo(Holder attempt) {
        holder = holder == Holder.NOBODY ? attempt : holder;
    }
}
