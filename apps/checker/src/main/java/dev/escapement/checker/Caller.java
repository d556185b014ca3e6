package dev.escapement.checker;

import dev.escapement.call.CallOptions;
import dev.escapement.call.Client;
import dev.escapement.policy.Policy;
import java.util.function.Function;

/**
 * Who asks the endpoints.
 *
 * @param policy the client's
 * @param options what the call of an endpoint asks for beside its request
 */
record Caller(Client client, Policy policy, Function<Endpoint, CallOptions> options) {}
