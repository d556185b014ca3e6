package dev.escapement.http;

import java.util.Map;

/**
 * An HTTP request method: a case-sensitive token, and whether repeating it has the same intended effect as sending it
 * once (RFC 9110 §9.2.2).
 *
 * <p>The registered methods are constants; {@link #of} gives any other token, which is never idempotent. Immutable.
 */
public final class Method {

    public static final Method GET = new Method("GET", true, true);
    public static final Method HEAD = new Method("HEAD", true, true);
    public static final Method OPTIONS = new Method("OPTIONS", true, true);
    public static final Method TRACE = new Method("TRACE", true, true);
    public static final Method PUT = new Method("PUT", false, true);
    public static final Method DELETE = new Method("DELETE", false, true);
    public static final Method POST = new Method("POST", false, false);
    public static final Method PATCH = new Method("PATCH", false, false);

    private static final Map<String, Method> KNOWN = Map.of(
            "GET", GET, "HEAD", HEAD, "OPTIONS", OPTIONS, "TRACE", TRACE, "PUT", PUT, "DELETE", DELETE, "POST", POST,
            "PATCH", PATCH);

    private final String name;
    private final boolean safe;
    private final boolean idempotent;

    private Method(String name, boolean safe, boolean idempotent) {
        this.name = name;
        this.safe = safe;
        this.idempotent = idempotent;
    }

    /**
     * The method of that name; {@code CONNECT} is refused, since a tunnel is not an exchange.
     *
     * @throws IllegalArgumentException if the name is not a token (RFC 9110 §5.6.2), or is {@code CONNECT}
     */
    public static Method of(String name) {
        Method known = KNOWN.get(name);
        if (known != null) {
            return known;
        }
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "method " + Tokens.shown(name) + ": expected a token other than CONNECT");
        }
        return new Method(name, false, false);
    }

    /** Whether {@link #of} takes this name. */
    public static boolean isName(String text) {
        return Tokens.isToken(text) && !text.equals("CONNECT");
    }

    /** Whether the name is one of the constants of this class. */
    public static boolean isKnown(String name) {
        return KNOWN.containsKey(name);
    }

    public String name() {
        return name;
    }

    /** Whether the method is safe to repeat (R1): GET, HEAD, OPTIONS, TRACE, PUT, DELETE. */
    public boolean isIdempotent() {
        return idempotent;
    }

    /** Whether the method asks for no effect at all (RFC 9110 §9.2.1): GET, HEAD, OPTIONS, TRACE. */
    public boolean isSafe() {
        return safe;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Method that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
