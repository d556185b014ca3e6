package dev.escapement.gateway.reload;

import dev.escapement.gateway.config.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * When a configuration is read, and when what was read is tried. Time comes in as an argument; confined to one thread.
 *
 * <pre>
 *            ask, or another text is seen          two looks in a row agree, or 5 s have passed
 *   WATCHING ----------------------------> SETTLING ------------------------------------------> tried, WATCHING
 *     look each second                       look every 200 ms
 * </pre>
 *
 * <p>So a file that is being written is not tried half, and a burst of signals is one attempt. No text at all, or one that cannot be read,
 * is no change: the file is being replaced. After 5 s of that it is told, once, and looking goes on. A text that was tried, whatever came of
 * it, is not tried again until it changes or somebody asks.
 */
final class ReloadWatch {

    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long SETTLE_NANOS = Duration.ofMillis(200).toNanos();
    private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

    private enum State {
        WATCHING,
        SETTLING
    }

    private final ConfigStore<?> store;
    private final ConfigSource source;

    private State state = State.WATCHING;
    private long nextLookNanos;
    private long settlingSinceNanos;

    /** What the last look saw; the bytes are nobody else's. */
    private Optional<byte[]> seen = Optional.empty();

    /** What was tried last, or runs since the start. */
    private Optional<byte[]> tried = Optional.empty();

    /** Since when there is no text; only while {@code absent}. */
    private long absentSinceNanos;

    private boolean absent;
    private boolean absenceTold;
    private String absence = "";

    private final List<CompletableFuture<ReloadResult>> asking = new ArrayList<>();

    ReloadWatch(ConfigStore<?> store, ConfigSource source, long nowNanos) {
        this.store = store;
        this.source = source;
        this.nextLookNanos = nowNanos + LOOK_NANOS;
    }

    /** Somebody wants whatever there is to be tried. */
    void ask(CompletableFuture<ReloadResult> answer, long nowNanos) {
        asking.add(answer);
        if (state == State.WATCHING) {
            seen = look(nowNanos);
            settle(nowNanos);
        }
    }

    private void settle(long nowNanos) {
        state = State.SETTLING;
        settlingSinceNanos = nowNanos;
        nextLookNanos = nowNanos + SETTLE_NANOS;
    }

    /** Does what is due, and says how long nothing will be. */
    long turn(long nowNanos) {
        if (nowNanos >= nextLookNanos) {
            switch (state) {
                case WATCHING -> watch(nowNanos);
                case SETTLING -> trySettled(nowNanos);
            }
        }
        return nextLookNanos - nowNanos;
    }

    private void watch(long nowNanos) {
        nextLookNanos = nowNanos + LOOK_NANOS;
        seen = look(nowNanos);
        if (seen.isEmpty()) {
            tellLongAbsence(nowNanos);
        } else if (!wasTried(seen.get())) {
            settle(nowNanos);
        }
    }

    private boolean wasTried(byte[] text) {
        return tried.isPresent() ? Arrays.equals(tried.get(), text) : store.isRunning(text);
    }

    private void trySettled(long nowNanos) {
        Optional<byte[]> before = seen;
        seen = look(nowNanos);
        boolean patient = nowNanos - settlingSinceNanos < PATIENCE_NANOS;
        boolean agree = before.isPresent() && seen.isPresent() && Arrays.equals(before.get(), seen.get());
        if (patient && !agree) {
            nextLookNanos = nowNanos + SETTLE_NANOS;
            return;
        }
        state = State.WATCHING;
        nextLookNanos = nowNanos + LOOK_NANOS;
        if (seen.isPresent()) {
            tried = seen;
            answer(store.load(seen.get()));
        } else {
            absenceTold = true;
            answer(refuseAbsence());
        }
    }

    private void tellLongAbsence(long nowNanos) {
        if (!absenceTold && nowNanos - absentSinceNanos >= PATIENCE_NANOS) {
            absenceTold = true;
            refuseAbsence();
        }
    }

    private ReloadResult refuseAbsence() {
        return store.refuse(List.of(Fault.ofFile(source.name(), absence)));
    }

    private Optional<byte[]> look(long nowNanos) {
        Optional<byte[]> text;
        try {
            text = source.read();
            absence = "missing or empty";
        } catch (IOException e) {
            text = Optional.empty();
            absence = "cannot be read: " + e.getMessage();
        }
        if (text.isPresent()) {
            absenceTold = false;
        } else if (!absent) {
            absentSinceNanos = nowNanos;
        }
        absent = text.isEmpty();
        return text;
    }

    private void answer(ReloadResult result) {
        asking.forEach(answer -> answer.complete(result));
        asking.clear();
    }

    /** Answers whoever still waits. */
    void end(ReloadResult result) {
        answer(result);
    }
}
