package dev.escapement.proof.soak;

import java.util.SplittableRandom;

/** What a request asks {@link UnrulyServer} to do with it, by its path. */
enum Wish {
    // Answered, each with the call's own number.
    OK(600, true),
    CHUNKED(60, true),
    LARGE(20, true),
    INTERIM(40, true),
    CLOSE_ASKED(20, true),
    /** Answered, with bytes behind the answer that nobody asked for. */
    SURPLUS(10, true),
    /** Answered, and a moment later told of a timeout, as idle connections are. */
    UNSOLICITED_LATER(10, true),
    /** Answered after some milliseconds. */
    SLOW(60, true),

    // Not answered as they should be.
    UNAVAILABLE(30, false),
    /** 503, to be tried again at once. */
    COME_BACK(20, false),
    /** Answered after the attempt's timeout. */
    LATE(4, false),
    TRUNCATE(15, false),
    GARBAGE(10, false),
    CLOSE(15, false),
    RESET(15, false),
    /** Reset in the middle of the request's body. */
    RESET_EARLY(15, false),
    HANG(4, false),
    HANG_IN_BODY(4, false);

    private static final int ALL = all();

    private final int share;
    private final boolean answered;

    Wish(int share, boolean answered) {
        this.share = share;
        this.answered = answered;
    }

    private static int all() {
        int sum = 0;
        for (Wish wish : values()) {
            sum += wish.share;
        }
        return sum;
    }

    /** Whether the server does answer with 200, once it is reached. */
    boolean isAnswered() {
        return answered;
    }

    /** One of them, by their shares. */
    static Wish draw(SplittableRandom random) {
        int left = random.nextInt(ALL);
        for (Wish wish : values()) {
            left -= wish.share;
            if (left < 0) {
                return wish;
            }
        }
        throw new AssertionError("shares do not add up");
    }
}
