package dev.escapement.gateway.config;

import dev.escapement.gateway.config.HeaderConfig.ProxyStatus;
import dev.escapement.http.Headers;
import dev.escapement.http.Method;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the values of a gateway's settings are written, beyond numbers and words. Pure. */
final class Texts {

    private static final int MOST_PORT = 65_535;

    /** Labels of metrics, parts of log lines: nothing that would have to be quoted anywhere. */
    static final ValueText<String> NAME = matching(
            "a name of letters, digits, '.', '_' and '-', 64 at most",
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"));

    static final ValueText<InetSocketAddress> ADDRESS = new ValueText<>(
            "HOST:PORT, where HOST is an IP address, localhost or * for all of them", Texts::address, Texts::write);

    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(\\*|localhost|[0-9.]+|\\[[0-9A-Fa-f:.]+]):([0-9]{1,5})");
    private static final String LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?";
    private static final Pattern HOST = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*|\\[[0-9A-Fa-f:.]+]");
    private static final Pattern PREFIX_LENGTH = Pattern.compile("[0-9]{1,3}");
    private static final int LONGEST_HOST = 253;

    /** Whom a certificate names. */
    static final ValueText<String> SERVER_NAME = ValueText.text("a host without port", Texts::isHost);

    /** What a route matches: lower case, without port. */
    static final ValueText<String> HOST_PATTERN = new ValueText<>(
            "a host without port, or *. and a domain for every name below it", Texts::hostPattern, host -> host);

    /** What {@code Host} may say. */
    static final ValueText<String> AUTHORITY =
            new ValueText<>("a host, and a port if any", Texts::authority, host -> host);

    /** Segments of RFC 3986 §3.3, in the one spelling that requests are brought to. */
    private static final Pattern PATH = Pattern.compile("/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]++|%[0-9A-F]{2}){0,512}+");

    private static final Pattern SPELLED_OUT =
            Pattern.compile("%(?:4[1-9A-F]|5[0-9A]|6[1-9A-F]|7[0-9A]|3[0-9]|2[DE]|5[CF]|7E|00)");
    private static final Pattern MENDED = Pattern.compile("//|/\\.{1,2}(?:/|$)");

    static final ValueText<String> PATH_TEXT = ValueText.text(
            "a path as it is after normalisation: from / on, without query, empty or dot segments, and with %XX, in upper case, for"
                    + " nothing that can be written as itself",
            path -> PATH.matcher(path).matches()
                    && !SPELLED_OUT.matcher(path).find()
                    && !MENDED.matcher(path).find());

    static final ValueText<String> METHOD = ValueText.text("a method", Method::isName);

    /** In lower case. */
    static final ValueText<String> FIELD = new ValueText<>(
            "the name of a header field",
            text -> Headers.isName(text) ? Optional.of(text.toLowerCase(Locale.ROOT)) : Optional.empty(),
            name -> name);

    /** RFC 9110 §5.5 without what has no business in a configuration. */
    static final ValueText<String> FIELD_VALUE = matching(
            "a field value of visible ASCII characters and blanks between them",
            Pattern.compile("[!-~](?:[ -~]*[!-~])?"));

    /** Whose status, and how much of it, is told (RFC 9209). */
    static final ValueText<ProxyStatus> PROXY_STATUS =
            ValueText.words(Map.of("none", ProxyStatus.OFF, "name", ProxyStatus.ON, "full", ProxyStatus.FULL));

    static final ValueText<Boolean> ENCODED_SLASH = ValueText.words(Map.of("refuse", false, "keep", true));

    /** Networks of proxies; a lone address is a network of one. */
    static final ValueText<String> NETWORK = new ValueText<>(
            "a network in CIDR notation, like 10.0.0.0/8 or fd00::/8", Texts::network, network -> network);

    /** A field whose name CGI-like servers take for another one's. */
    static final ValueText<String> UNDERSCORED = new ValueText<>(
            "the name of a header field with an underscore",
            text -> FIELD.read(text).filter(name -> name.indexOf('_') >= 0),
            name -> name);

    /** RFC 9110 §11 and RFC 6265: what proves who somebody is stays out of logs. */
    private static final Set<String> SECRET_FIELDS =
            Set.of("authorization", "proxy-authorization", "cookie", "cookie2", "set-cookie");

    static final ValueText<String> LOGGED_FIELD = new ValueText<>(
            "the name of a header field, no credentials and no cookies",
            text -> FIELD.read(text).filter(name -> !SECRET_FIELDS.contains(name)),
            name -> name);

    static final ValueText<String> LOG_PATH = matching(
                    "a file, - for standard output, or none", Pattern.compile("[^\\p{Cntrl}]+"))
            .or("none", AccessLogConfig.NOWHERE);

    static final ValueText<AccessLogConfig.Format> LOG_FORMAT = ValueText.words(AccessLogConfig.Format.class);

    private Texts() {}

    private static ValueText<String> matching(String expected, Pattern pattern) {
        return ValueText.text(expected, text -> pattern.matcher(text).matches());
    }

    /** Of literals alone: a configuration is read without asking anybody for a name. */
    private static Optional<InetSocketAddress> address(String text) {
        Matcher matcher = HOST_AND_PORT.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MOST_PORT) {
            return Optional.empty();
        }
        int port = Integer.parseInt(matcher.group(2));
        return switch (matcher.group(1)) {
            case "*" -> Optional.of(new InetSocketAddress(port));
            case "localhost" -> Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            default -> literal(matcher.group(1)).map(address -> new InetSocketAddress(address, port));
        };
    }

    private static Optional<InetAddress> literal(String host) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        if (bytes == null || host.startsWith("[") != (host.indexOf(':') >= 0)) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of " + bytes.length + " bytes", e);
        }
    }

    private static String write(InetSocketAddress address) {
        String host = NetUtil.toAddressString(address.getAddress());
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    static boolean isHost(String text) {
        return text.length() <= LONGEST_HOST
                && HOST.matcher(text).matches()
                && (!text.startsWith("[") || literal(text).isPresent());
    }

    private static Optional<String> hostPattern(String text) {
        String domain = text.startsWith("*.") ? text.substring(2) : text;
        return isHost(domain) && !(text.startsWith("*.") && domain.startsWith("["))
                ? Optional.of(text.toLowerCase(Locale.ROOT))
                : Optional.empty();
    }

    private static Optional<String> authority(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > text.lastIndexOf(']');
        String host = hasPort ? text.substring(0, colon) : text;
        String port = hasPort ? text.substring(colon + 1) : "1";
        boolean allowed = isHost(host) && port.matches("[1-9][0-9]{0,4}") && Integer.parseInt(port) <= MOST_PORT;
        return allowed ? Optional.of(text.toLowerCase(Locale.ROOT)) : Optional.empty();
    }

    private static Optional<String> network(String text) {
        String network = text.indexOf('/') >= 0 ? text : text + (text.indexOf(':') >= 0 ? "/128" : "/32");
        int slash = network.indexOf('/');
        String address = network.substring(0, slash);
        if (!PREFIX_LENGTH.matcher(network.substring(slash + 1)).matches()
                || !(NetUtil.isValidIpV4Address(address) || NetUtil.isValidIpV6Address(address))) {
            return Optional.empty();
        }
        try {
            TrustedProxies.of(List.of(network));
            return Optional.of(network);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
