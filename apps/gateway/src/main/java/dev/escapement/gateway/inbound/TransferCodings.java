package dev.escapement.gateway.inbound;

/**
 * What is wrong with a {@code Transfer-Encoding} that is not {@code chunked} alone (RFC 9112 §6.1, §6.3): a well-formed list of codings that
 * nobody here knows is one thing, anything that hides {@code chunked} from one of two readers another. A pure function.
 */
final class TransferCodings {

    private TransferCodings() {}

    static Refusal refusal(String value) {
        String[] codings = value.split(",", -1);
        for (int i = 0; i < codings.length; i++) {
            String coding = trimmed(codings[i]);
            boolean last = i == codings.length - 1;
            if (!Syntax.isToken(coding) || (coding.equalsIgnoreCase("chunked") && !last)) {
                return Refusal.TRANSFER_ENCODING;
            }
        }
        return Refusal.CODING_UNKNOWN;
    }

    /** Blanks and tabs alone: {@code String.trim} takes more for blank. */
    private static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && Syntax.isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && Syntax.isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }
}
