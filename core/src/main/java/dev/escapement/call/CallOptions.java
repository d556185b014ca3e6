package dev.escapement.call;

import dev.escapement.metadata.Identifiers;
import dev.escapement.metadata.ReceivedMetadata;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one call may ask for beside its request: a deadline of its own, an idempotency key, an operation class, what an outer layer said of
 * it, its response in parts, an attachment. Immutable.
 */
public final class CallOptions {

    /** The longest key: what a structured-field string of a common header line holds without trouble. */
    public static final int MAX_KEY_LENGTH = 255;

    private static final CallOptions NONE = new CallOptions(Long.MAX_VALUE, null, null, null, null, null, null);

    /** An instant of the client's clock; {@link Long#MAX_VALUE} for none. */
    final long deadlineNanos;

    final @Nullable String idempotencyKey;
    final @Nullable String operationClass;
    final @Nullable String operationId;

    /** The token of the outer layer that retries; null: retries are this client's. */
    final @Nullable String retryOwner;

    final @Nullable Object attachment;

    /** How the response is taken in parts; null: whole. */
    final @Nullable Streaming streaming;

    private CallOptions(
            long deadlineNanos,
            @Nullable String idempotencyKey,
            @Nullable String operationClass,
            @Nullable String operationId,
            @Nullable String retryOwner,
            @Nullable Object attachment,
            @Nullable Streaming streaming) {
        this.deadlineNanos = deadlineNanos;
        this.idempotencyKey = idempotencyKey;
        this.operationClass = operationClass;
        this.operationId = operationId;
        this.retryOwner = retryOwner;
        this.attachment = attachment;
        this.streaming = streaming;
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
        return new CallOptions(
                deadlineNanos, idempotencyKey, operationClass, operationId, retryOwner, attachment, streaming);
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
        return new CallOptions(deadlineNanos, key, operationClass, operationId, retryOwner, attachment, streaming);
    }

    /** The operation class, by which the client chooses policy and budget; one that it does not know is refused by the call. */
    public CallOptions withOperationClass(String name) {
        return new CallOptions(deadlineNanos, idempotencyKey, name, operationId, retryOwner, attachment, streaming);
    }

    /**
     * What names the operation, the same in all its attempts, for the layers below (M1).
     *
     * @param id an identifier ({@link Identifiers})
     */
    public CallOptions withOperationId(String id) {
        String checked = Identifiers.checked("operation id", id);
        return new CallOptions(
                deadlineNanos, idempotencyKey, operationClass, checked, retryOwner, attachment, streaming);
    }

    /**
     * An outer layer retries this operation, so it is not retried here (M3); a stale connection is still replaced (R10). The token goes
     * on to the layers below.
     *
     * @param token what that layer is called, an identifier ({@link Identifiers})
     */
    public CallOptions withRetryOwner(String token) {
        String checked = Identifiers.checked("owner token", token);
        return new CallOptions(
                deadlineNanos, idempotencyKey, operationClass, operationId, checked, attachment, streaming);
    }

    /**
     * What an outer layer said (M2): its deadline, if that is earlier than the one set; its operation's id; who retries. What it did not say
     * stays as it is.
     *
     * @param nowNanos when that was received, on the client's clock
     */
    public CallOptions withReceived(ReceivedMetadata received, long nowNanos) {
        return new CallOptions(
                Math.min(deadlineNanos, received.deadlineNanos(nowNanos)),
                idempotencyKey,
                operationClass,
                received.operationId().orElse(operationId),
                received.retryOwner().orElse(retryOwner),
                attachment,
                streaming);
    }

    /** Anything the caller wants back in the report, a trace context for instance. */
    public CallOptions withAttachment(Object attachment) {
        return new CallOptions(
                deadlineNanos, idempotencyKey, operationClass, operationId, retryOwner, attachment, streaming);
    }

    /** The response is wanted at its head, its body in parts (A8). */
    public CallOptions withStreaming(Streaming how) {
        return new CallOptions(
                deadlineNanos,
                idempotencyKey,
                operationClass,
                operationId,
                retryOwner,
                attachment,
                Objects.requireNonNull(how, "how"));
    }

    public Optional<String> idempotencyKey() {
        return Optional.ofNullable(idempotencyKey);
    }

    public Optional<Object> attachment() {
        return Optional.ofNullable(attachment);
    }
}
