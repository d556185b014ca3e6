package dev.escapement.call;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one call may ask for beside its request: a deadline of its own, an idempotency key, an operation class, that nobody retries here,
 * an attachment. Immutable.
 */
public final class CallOptions {

    /** The longest key: what a structured-field string of a common header line holds without trouble. */
    public static final int MAX_KEY_LENGTH = 255;

    private static final CallOptions NONE = new CallOptions(Long.MAX_VALUE, null, null, false, null);

    /** An instant of the client's clock; {@link Long#MAX_VALUE} for none. */
    final long deadlineNanos;

    final @Nullable String idempotencyKey;
    final @Nullable String operationClass;
    final boolean retriesOwnedAbove;
    final @Nullable Object attachment;

    private CallOptions(
            long deadlineNanos,
            @Nullable String idempotencyKey,
            @Nullable String operationClass,
            boolean retriesOwnedAbove,
            @Nullable Object attachment) {
        this.deadlineNanos = deadlineNanos;
        this.idempotencyKey = idempotencyKey;
        this.operationClass = operationClass;
        this.retriesOwnedAbove = retriesOwnedAbove;
        this.attachment = attachment;
    }

    /** No wishes. */
    public static CallOptions none() {
        return NONE;
    }

    /**
     * An absolute deadline of the caller's own (T3); the policy's still caps it.
     *
     * @param deadlineNanos an instant of the client's clock, not negative; one in the past is a budget already spent
     */
    public CallOptions withDeadlineNanos(long deadlineNanos) {
        if (deadlineNanos < 0) {
            throw new IllegalArgumentException("deadlineNanos = " + deadlineNanos + ": expected 0 or more");
        }
        return new CallOptions(deadlineNanos, idempotencyKey, operationClass, retriesOwnedAbove, attachment);
    }

    /**
     * A key that makes repeating the request safe, because the server knows the operation by it (R1, I5). It is sent with every
     * attempt as {@code Idempotency-Key}, a structured-field string. A header of that name in the request is none:
     * only the application can say that repeating is safe.
     *
     * @param key 1 to {@link #MAX_KEY_LENGTH} characters of visible ASCII, without quote and backslash
     */
    public CallOptions withIdempotencyKey(String key) {
        boolean allowed = !key.isEmpty() && key.length() <= MAX_KEY_LENGTH;
        for (int i = 0; allowed && i < key.length(); i++) {
            char c = key.charAt(i);
            allowed = c > 0x20 && c < 0x7f && c != '"' && c != '\\';
        }
        if (!allowed) {
            throw new IllegalArgumentException("idempotency key of " + key.length() + " characters: expected 1 to "
                    + MAX_KEY_LENGTH + " of visible ASCII without quote and backslash");
        }
        return new CallOptions(deadlineNanos, key, operationClass, retriesOwnedAbove, attachment);
    }

    /** The operation class, by which the client chooses policy and budget; one that it does not know is refused by the call. */
    public CallOptions withOperationClass(String name) {
        return new CallOptions(deadlineNanos, idempotencyKey, name, retriesOwnedAbove, attachment);
    }

    /** An outer layer retries this request, so it is not retried here (M3); a stale connection is still replaced (R10). */
    public CallOptions withRetriesOwnedAbove() {
        return new CallOptions(deadlineNanos, idempotencyKey, operationClass, true, attachment);
    }

    /** Anything the caller wants back in the report, a trace context for instance. */
    public CallOptions withAttachment(Object attachment) {
        return new CallOptions(deadlineNanos, idempotencyKey, operationClass, retriesOwnedAbove, attachment);
    }

    public Optional<String> idempotencyKey() {
        return Optional.ofNullable(idempotencyKey);
    }

    public Optional<Object> attachment() {
        return Optional.ofNullable(attachment);
    }
}
