package dev.escapement.report;

import dev.escapement.http.Method;
import dev.escapement.transport.Progress;

/** What a request may have done on the other side, as far as this side can tell (E2, E4). */
public enum Effect {
    /** Nothing: no byte left, the method asks for no effect (RFC 9110 §9.2.1), or an answer proves it. */
    ABSENT,
    /** Something may have been done, and no answer tells: ambiguous. */
    POSSIBLE,
    /** An answer confirms that it was done. */
    KNOWN;

    /** The effect of an attempt that brought no response. */
    public static Effect withoutResponse(Method method, Progress progress) {
        return method.isSafe() || !progress.mayHaveArrived() ? ABSENT : POSSIBLE;
    }
}
