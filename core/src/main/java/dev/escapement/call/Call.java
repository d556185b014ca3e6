package dev.escapement.call;

/** The caller's handle on a running call. Any thread. */
public interface Call {

    /**
     * Asks for the call's end. The machine decides: a result that was looked at first stands, otherwise the outcome is
     * {@code CANCELLED}. Harmless when repeated and after the end.
     */
    void cancel();
}
