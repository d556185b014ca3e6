package dev.escapement.checker;

/**
 * Which characters may reach a terminal: those one can see. Control and format characters, line ends, blanks other than the
 * plain one, and code points without a meaning are shown as escapes instead. Pure.
 */
final class Printable {

    private static final int SHOWN = 80;

    private Printable() {}

    /** Whether a text is not empty and can be seen, each character of it; blanks cannot. */
    static boolean isPrintable(String text) {
        return !text.isEmpty() && text.codePoints().allMatch(Printable::isVisible);
    }

    /** The text on one line: what cannot be seen, except plain blanks, is escaped. */
    static String line(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == ' ' || isVisible(c)) {
                out.appendCodePoint(c);
            } else {
                escape(out, c);
            }
        });
        return out.toString();
    }

    /** The text in quotes, on one line and cut to a bearable length. */
    static String shown(String text) {
        boolean cut = text.codePointCount(0, text.length()) > SHOWN;
        String head = cut ? text.substring(0, text.offsetByCodePoints(0, SHOWN)) : text;
        return '"' + line(head) + (cut ? "…" : "") + '"';
    }

    /** Appends a code point as one or two {@code \}{@code uXXXX}, as JSON and Java spell it. */
    static void escape(StringBuilder out, int codePoint) {
        for (char unit : Character.toChars(codePoint)) {
            out.append("\\u");
            for (int shift = 12; shift >= 0; shift -= 4) {
                out.append(Character.forDigit((unit >> shift) & 0xf, 16));
            }
        }
    }

    static boolean isVisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
