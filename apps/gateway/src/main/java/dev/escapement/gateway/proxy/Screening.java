package dev.escapement.gateway.proxy;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.inbound.InboundRequest;
import dev.escapement.gateway.record.Reason;
import dev.escapement.http.Headers;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is answered here whatever the routes say. Pure. */
final class Screening {

    /** What becomes of the request. */
    enum Result {
        ROUTED(null),
        /** OPTIONS of the gateway itself. */
        OWN_OPTIONS(null),
        /** TRACE would show what clients sent, cookies and all (RFC 9110 §9.3.8). */
        METHOD(Reason.METHOD),
        /** There are no tunnels yet; any other upgrade is passed over, as it may be (RFC 9110 §7.8). */
        UPGRADE(Reason.UPGRADE),
        LOOP(Reason.LOOP);

        private final @Nullable Reason reason;

        Result(@Nullable Reason reason) {
            this.reason = reason;
        }

        /** Why it goes no further; null where it does, or is answered well. */
        @Nullable
        Reason reason() {
            return reason;
        }
    }

    private Screening() {}

    static Result of(InboundRequest in, GatewayConfig config) {
        Headers headers = in.headers();
        if (in.method().equals("TRACE")) {
            return Result.METHOD;
        }
        if (in.method().equals("OPTIONS") && (in.path().equals("*") || isLastForward(headers))) {
            return Result.OWN_OPTIONS;
        }
        if (headers.first("Upgrade")
                .filter(to -> to.toLowerCase(Locale.ROOT).contains("websocket"))
                .isPresent()) {
            return Result.UPGRADE;
        }
        return RequestFields.isLoop(headers, config.name()) ? Result.LOOP : Result.ROUTED;
    }

    private static boolean isLastForward(Headers headers) {
        Optional<String> left = headers.first("Max-Forwards");
        return left.isPresent() && left.get().equals("0");
    }
}
