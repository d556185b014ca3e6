package dev.escapement.netty;

import dev.escapement.fixtures.RecordingExchange;
import dev.escapement.http.Headers;
import dev.escapement.http.Response;
import dev.escapement.time.Scheduler;
import dev.escapement.transport.ConnectionFate;
import dev.escapement.transport.Endpoint;
import dev.escapement.transport.Exchange;
import dev.escapement.transport.TransportFailure;

/** An exchange during which something happens in the last moment before the first write, on another thread as it were. */
record LastMomentExchange(RecordingExchange notes, Runnable action) implements Exchange {

    @Override
    public Endpoint endpoint() {
        return notes.endpoint();
    }

    @Override
    public long deadlineNanos() {
        return notes.deadlineNanos();
    }

    @Override
    public Scheduler scheduler() {
        return notes.scheduler();
    }

    @Override
    public boolean abandoned() {
        return notes.abandoned();
    }

    @Override
    public boolean tryWrite() {
        if (!notes.saw(RecordingExchange.Fact.MAY_WRITE)) {
            action.run();
        }
        return notes.tryWrite();
    }

    @Override
    public void connected(boolean reused) {
        notes.connected(reused);
    }

    @Override
    public void written(long totalBytes) {
        notes.written(totalBytes);
    }

    @Override
    public void writtenUnknown() {
        notes.writtenUnknown();
    }

    @Override
    public void requestSent() {
        notes.requestSent();
    }

    @Override
    public void replyStarted() {
        notes.replyStarted();
    }

    @Override
    public boolean takesParts() {
        return notes.takesParts();
    }

    @Override
    public boolean takesInterim() {
        return notes.takesInterim();
    }

    @Override
    public void interim(int status, Headers headers) {
        notes.interim(status, headers);
    }

    @Override
    public void bodyMoved() {
        notes.bodyMoved();
    }

    @Override
    public boolean succeed(Response response) {
        return notes.succeed(response);
    }

    @Override
    public boolean fail(TransportFailure failure) {
        return notes.fail(failure);
    }

    @Override
    public void clean(ConnectionFate fate, long discardedBytes) {
        notes.clean(fate, discardedBytes);
    }
}
