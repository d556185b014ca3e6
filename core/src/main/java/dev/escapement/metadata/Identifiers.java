package dev.escapement.metadata;

/**
 * What may name an operation or a layer in a header: 1 to {@value #MAX_LENGTH} characters of visible ASCII without comma,
 * semicolon, quote and backslash, so that no proxy reads a list or a parameter into it and it cannot end a line. Pure.
 */
public final class Identifiers {

    /** The longest identifier, in characters. */
    public static final int MAX_LENGTH = 128;

    private Identifiers() {}

    public static boolean isAllowed(String text) {
        boolean allowed = !text.isEmpty() && text.length() <= MAX_LENGTH;
        for (int i = 0; allowed && i < text.length(); i++) {
            char c = text.charAt(i);
            allowed = c > 0x20 && c < 0x7f && ",;\"\\".indexOf(c) < 0;
        }
        return allowed;
    }

    /**
     * That text.
     *
     * @param what it is, for the message, which does not show it
     * @throws IllegalArgumentException if it is not allowed
     */
    public static String checked(String what, String text) {
        if (!isAllowed(text)) {
            throw new IllegalArgumentException(what + " of " + text.length() + " characters: expected 1 to "
                    + MAX_LENGTH + " of visible ASCII without comma, semicolon, quote and backslash");
        }
        return text;
    }
}
