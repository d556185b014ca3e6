package dev.escapement.gateway.record;

import java.util.List;

/** Tells each of several sinks, in order. As thread-safe as they are. */
public final class AllSinks implements RecordSink {

    private final RecordSink[] sinks;

    public AllSinks(List<RecordSink> sinks) {
        this.sinks = sinks.toArray(new RecordSink[0]);
    }

    @Override
    public void began(RequestRecord record) {
        for (RecordSink sink : sinks) {
            sink.began(record);
        }
    }

    @Override
    public void ended(RequestRecord record) {
        for (RecordSink sink : sinks) {
            sink.ended(record);
        }
    }

    @Override
    public void goesOn(RequestRecord record) {
        for (RecordSink sink : sinks) {
            sink.goesOn(record);
        }
    }
}
