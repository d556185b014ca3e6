package dev.escapement.gateway.proxy;

import dev.escapement.gateway.config.GatewayConfig;
import dev.escapement.gateway.config.HeaderConfig;
import dev.escapement.gateway.inbound.InboundRequest;
import dev.escapement.http.Headers;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Which of a client's fields are sent on, and what is added to them. In this order: what is about the connection goes, and all that
 * {@code Connection} names with it; what only a trusted peer may say goes; ours comes last. So no client can have a field of ours
 * removed by naming it (RFC 9110 §7.6.1).
 */
final class RequestFields {

    static final String VIA = "Via";
    static final String KEY = "Idempotency-Key";
    private static final String MAX_FORWARDS = "Max-Forwards";
    private static final String FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED_PROTO = "X-Forwarded-Proto";
    private static final String FORWARDED_HOST = "X-Forwarded-Host";
    private static final String FORWARDED = "Forwarded";

    /** Ours to say, or a trusted peer's. */
    private static final FieldNames ABOUT_THE_CLIENT = FieldNames.of(
            FORWARDED_FOR,
            FORWARDED_PROTO,
            FORWARDED_HOST,
            "X-Forwarded-Port",
            "X-Forwarded-Prefix",
            "X-Real-IP",
            FORWARDED);

    /** Written anew in any case. */
    private static final FieldNames REPLACED = FieldNames.of("Host", "Expect", RequestId.FIELD);

    /** What layers of ours tell each other (M1), believed from trusted peers. */
    private static final String METADATA = "Escapement-";

    private final GatewayConfig config;
    private final InboundRequest in;

    /** Names and values in turn. */
    private String[] lines;

    private int length;

    private RequestFields(GatewayConfig config, InboundRequest in) {
        this.config = config;
        this.in = in;
        this.lines = new String[2 * in.headers().count() + 16];
    }

    /**
     * The fields of the request that is sent on.
     *
     * @param requestId how it is called from here on
     * @param withoutKey whether the call carries the client's key, which is then no field
     */
    static Headers of(GatewayConfig config, InboundRequest in, String requestId, boolean withoutKey) {
        return new RequestFields(config, in).build(requestId, withoutKey);
    }

    /** Whether this request has been here before, or through too many others (RFC 9110 §7.6.3). */
    static boolean isLoop(Headers headers, String name) {
        int members = 0;
        for (int i = 0; i < headers.count(); i++) {
            if (!headers.nameAt(i).equalsIgnoreCase(VIA)) {
                continue;
            }
            for (String member : headers.valueAt(i).split(",", -1)) {
                String[] words = member.strip().split("[ \t]+", 3);
                if (++members > 16 || (words.length > 1 && words[1].equals(name))) {
                    return true;
                }
            }
        }
        return false;
    }

    private Headers build(String requestId, boolean withoutKey) {
        Headers headers = in.headers();
        HeaderConfig rules = config.headers();
        InetAddress peer = in.connection().peer().getAddress();
        boolean trusted = config.trustedProxies().contains(peer);
        boolean twoTraces = headers.all("traceparent").size() > 1;
        List<String> nominated = in.connectionOptions();
        for (int i = 0; i < headers.count(); i++) {
            String name = headers.nameAt(i);
            boolean goes = HopByHop.ALWAYS.contains(name)
                    || REPLACED.contains(name)
                    || HopByHop.isProxys(name)
                    || isNominated(nominated, name)
                    || isUnderscored(name, rules)
                    || (ABOUT_THE_CLIENT.contains(name) && (!trusted || isWrittenAnew(name, rules)))
                    || (rules.via() && name.equalsIgnoreCase(VIA))
                    || (withoutKey && name.equalsIgnoreCase(KEY))
                    || (twoTraces && (name.equalsIgnoreCase("traceparent") || name.equalsIgnoreCase("tracestate")))
                    || (!trusted && name.regionMatches(true, 0, METADATA, 0, METADATA.length()));
            if (!goes) {
                add(name, isCounted(name) ? oneLess(headers.valueAt(i)) : headers.valueAt(i));
            }
        }
        aboutTheClient(headers, peer, trusted, rules);
        if (rules.via()) {
            add(VIA, joined(headers, VIA, "1." + in.minorVersion() + " " + config.name()));
        }
        add(RequestId.FIELD, requestId);
        return Headers.of(Arrays.copyOf(lines, length));
    }

    private void aboutTheClient(Headers headers, InetAddress peer, boolean trusted, HeaderConfig rules) {
        String address = NetUtil.toAddressString(peer);
        String scheme = in.connection().tlsVersion().isPresent() ? "https" : "http";
        if (rules.forwarded()) {
            String node = address.indexOf(':') < 0 ? address : "\"[" + address + "]\"";
            String host = in.authority().isEmpty() ? "" : ";host=" + quoted(in.authority());
            String ours = "for=" + node + host + ";proto=" + scheme;
            add(FORWARDED, trusted ? joined(headers, FORWARDED, ours) : ours);
            return;
        }
        add(FORWARDED_FOR, trusted ? joined(headers, FORWARDED_FOR, address) : address);
        if (!trusted || !headers.contains(FORWARDED_PROTO)) {
            add(FORWARDED_PROTO, scheme);
        }
        if (!in.authority().isEmpty() && (!trusted || !headers.contains(FORWARDED_HOST))) {
            add(FORWARDED_HOST, in.authority());
        }
    }

    /** Of what a trusted peer said, what is joined with ours; with {@code Forwarded}, all of the other kind. */
    private static boolean isWrittenAnew(String name, HeaderConfig rules) {
        return rules.forwarded() || name.equalsIgnoreCase(FORWARDED_FOR);
    }

    private static boolean isNominated(List<String> nominated, String name) {
        for (int i = 0; i < nominated.size(); i++) {
            if (nominated.get(i).equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** CGI-like servers make one of {@code _} and {@code -}: such a name could stand for any that is removed here. */
    private static boolean isUnderscored(String name, HeaderConfig rules) {
        return name.indexOf('_') >= 0 && !rules.underscored().contains(name.toLowerCase(Locale.ROOT));
    }

    private boolean isCounted(String name) {
        return in.method().equals("OPTIONS") && name.equalsIgnoreCase(MAX_FORWARDS);
    }

    private static String oneLess(String count) {
        try {
            return Long.toString(Math.max(0, Long.parseLong(count) - 1));
        } catch (NumberFormatException e) {
            return count;
        }
    }

    /** All lines of that name as one list, and ours behind it (RFC 9110 §5.3). */
    private static String joined(Headers headers, String name, String ours) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < headers.count(); i++) {
            if (headers.nameAt(i).equalsIgnoreCase(name) && !headers.valueAt(i).isEmpty()) {
                list.append(headers.valueAt(i)).append(", ");
            }
        }
        return list.append(ours).toString();
    }

    /** As a quoted string: a port has a colon, which is no token's (RFC 7239 §4). */
    private static String quoted(String authority) {
        return '"' + authority + '"';
    }

    private void add(String name, String value) {
        if (length == lines.length) {
            lines = Arrays.copyOf(lines, 2 * length);
        }
        lines[length++] = name;
        lines[length++] = value;
    }
}
