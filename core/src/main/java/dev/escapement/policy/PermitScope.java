package dev.escapement.policy;

/** What a permit covers (L1). */
public enum PermitScope {
    /** The whole call: all attempts and the backoff between them. */
    CALL,
    /** One attempt; a call in backoff holds none, and each retry waits for its own. */
    ATTEMPT
}
