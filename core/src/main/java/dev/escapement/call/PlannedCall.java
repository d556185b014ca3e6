package dev.escapement.call;

import dev.escapement.http.Request;

/** One input of a streaming fan-out: a request and what its call may ask for. */
public record PlannedCall(Request request, CallOptions options) {}
