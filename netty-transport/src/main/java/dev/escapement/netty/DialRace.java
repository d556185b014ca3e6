package dev.escapement.netty;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Happy eyeballs (RFC 8305 §5) over the addresses of one destination: tries them in order, each a stagger after the one before or
 * as soon as that has failed; the first that connects wins, and all others are closed.
 *
 * <p>Whoever is overtaken by a later one is remembered like one that failed, so that a black hole costs its stagger once and not at
 * every connect. Ends once, in {@link Course#won} or {@link Course#lost}, or by {@link #end}, after which nothing of it is left.
 * Confined to its owner's event loop. It owns no deadline: the owner ends it.
 */
final class DialRace {

    /** One address being tried. */
    interface Dial {

        InetSocketAddress address();

        /** Closes it, whatever its state. It may tell its failure afterwards, which changes nothing. */
        void close();
    }

    /** A delayed task that can be called off. */
    interface Delayed {

        void cancel();
    }

    /** What a race runs on, and whom it tells. */
    interface Course {

        /**
         * Starts to connect.
         *
         * @param told hears of the end, later and not inside this call
         * @throws RuntimeException if there is no socket to be had, which counts as a failure of the address
         */
        Dial dial(InetSocketAddress address, DialRace told);

        Delayed afterStagger(Runnable task);

        /** This one has connected; it is the caller's now. */
        void won(Dial dial);

        /** None connects. Told with the last failure, and not inside {@link #start} unless every dial threw. */
        void lost(Throwable last);
    }

    private final Course course;
    private final AddressOrder order;
    private final List<InetSocketAddress> addresses;

    /** Under way, the earliest first. */
    private final List<Dial> running = new ArrayList<>();

    private int next;
    private @Nullable Delayed stagger;
    private boolean over;

    DialRace(Course course, AddressOrder order, List<InetSocketAddress> addresses) {
        this.course = course;
        this.order = order;
        this.addresses = addresses;
    }

    void start() {
        dialNext();
    }

    /** The time is up, or nobody wants a winner any more: all are closed, and remembered as not having connected. */
    void end() {
        if (!over) {
            over = true;
            calm();
            running.forEach(dial -> order.failed(dial.address()));
            closeAll();
        }
    }

    /** That one has connected. */
    void connected(Dial dial) {
        if (over || !running.remove(dial)) {
            dial.close();
            return;
        }
        over = true;
        calm();
        for (Dial slower : running) {
            if (addresses.indexOf(slower.address()) < addresses.indexOf(dial.address())) {
                order.failed(slower.address());
            }
        }
        order.worked(dial.address());
        closeAll();
        course.won(dial);
    }

    /** That one has failed. */
    void failed(Dial dial, Throwable cause) {
        dial.close();
        if (!over && running.remove(dial)) {
            order.failed(dial.address());
            hadNoLuck(cause);
        }
    }

    private void dialNext() {
        InetSocketAddress address = addresses.get(next++);
        try {
            running.add(course.dial(address, this));
        } catch (RuntimeException noSocket) {
            hadNoLuck(noSocket);
            return;
        }
        if (next < addresses.size()) {
            stagger = course.afterStagger(this::staggerOver);
        }
    }

    private void staggerOver() {
        stagger = null;
        if (!over) {
            dialNext();
        }
    }

    private void hadNoLuck(Throwable cause) {
        if (next < addresses.size()) {
            calm();
            dialNext();
        } else if (running.isEmpty()) {
            over = true;
            course.lost(cause);
        }
    }

    private void calm() {
        Delayed waiting = stagger;
        if (waiting != null) {
            stagger = null;
            waiting.cancel();
        }
    }

    private void closeAll() {
        List<Dial> left = List.copyOf(running);
        running.clear();
        left.forEach(Dial::close);
    }
}
