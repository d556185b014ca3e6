package dev.escapement.gateway.record;

/** Decimals with exactly three digits behind the point, without a detour by floating point. */
final class Thousandths {

    private static final int THOUSAND = 1_000;

    private Thousandths() {}

    /** That many thousandths as a decimal: 1234 is {@code 1.234}. */
    static String text(long thousandths) {
        StringBuilder text = new StringBuilder(12);
        if (thousandths < 0) {
            text.append('-');
        }
        text.append(Math.abs(thousandths / THOUSAND));
        return append(text, (int) Math.abs(thousandths % THOUSAND)).toString();
    }

    /** The point and three digits, of 0 to 999. */
    static StringBuilder append(StringBuilder to, int digits) {
        return to.append('.')
                .append((char) ('0' + digits / 100))
                .append((char) ('0' + digits / 10 % 10))
                .append((char) ('0' + digits % 10));
    }
}
