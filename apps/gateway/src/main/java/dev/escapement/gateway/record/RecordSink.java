package dev.escapement.gateway.record;

/** Takes each request once it has ended, and long ones while they run. Called on event loops: it never blocks. */
public interface RecordSink {

    /** A request has arrived. */
    void began(RequestRecord record);

    /** The request has ended; nobody writes to the record any more. */
    void ended(RequestRecord record);

    /** It has been running for another minute: its figures so far. On its loop; nothing of the record is kept. */
    void goesOn(RequestRecord record);
}
