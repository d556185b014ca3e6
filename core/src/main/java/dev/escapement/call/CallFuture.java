package dev.escapement.call;

import dev.escapement.report.Report;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future of a call: completed by the call's machine with its report, and by nothing else.
 *
 * <p>Whatever asks it to complete otherwise (cancel, {@code complete*}, the JDK's timeouts) only asks the machine for an
 * end (A5): the future then completes with the report of what the machine decided, so that the two never disagree. It
 * never completes exceptionally.
 */
final class CallFuture extends CompletableFuture<Report> implements Consumer<Report> {

    /**
     * Set before the call starts, dropped at its end, so that whoever keeps the future keeps no call. Plain: who still
     * reads the call asks one that has ended, which does no harm.
     */
    private @Nullable Call call;

    CallFuture() {}

    void cancels(Call target) {
        call = target;
    }

    /** From the machine alone. */
    @Override
    public void accept(Report report) {
        call = null;
        super.complete(report);
    }

    private boolean askForEnd() {
        Call target = call;
        if (target == null || isDone()) {
            return false;
        }
        target.cancel();
        return true;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return askForEnd();
    }

    @Override
    public boolean complete(Report value) {
        return askForEnd();
    }

    @Override
    public boolean completeExceptionally(Throwable ex) {
        return askForEnd();
    }

    @Override
    public CompletableFuture<Report> completeAsync(Supplier<? extends Report> supplier, Executor executor) {
        askForEnd();
        return this;
    }

    @Override
    public CompletableFuture<Report> completeAsync(Supplier<? extends Report> supplier) {
        askForEnd();
        return this;
    }

    @Override
    public void obtrudeValue(Report value) {
        throw new UnsupportedOperationException("a call's report is decided once");
    }

    @Override
    public void obtrudeException(Throwable ex) {
        throw new UnsupportedOperationException("a call's report is decided once");
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
