package dev.escapement.checker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Nothing that a terminal acts on gets past. */
class PrintableTest {

    @Test
    void escapesWhatCannotBeSeen() {
        assertThat(Printable.line("a b\tc\n\u001b[0m\u202e\ud83d\ude42\ud800é"))
                .isEqualTo("a b\\u0009c\\u000a\\u001b[0m\\u202e\ud83d\ude42\\ud800é");
    }

    @Test
    void everyControlAndFormatCharacterIsInvisible() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (Character.isISOControl(c)
                    || Character.isWhitespace(c)
                    || Character.getType(c) == Character.FORMAT
                    || !Character.isDefined(c)) {
                assertThat(Printable.isVisible(c)).as("U+%04X", c).isFalse();
            }
        }
        for (int c = 0x21; c < 0x7f; c++) {
            assertThat(Printable.isVisible(c)).as("U+%04X", c).isTrue();
        }
    }

    @Test
    void cutsALongTextBetweenCharacters() {
        String shown = Printable.shown("🙂".repeat(100));

        assertThat(shown).isEqualTo('"' + "🙂".repeat(80) + "…\"");
        assertThat(Printable.shown("🙂".repeat(80))).isEqualTo('"' + "🙂".repeat(80) + '"');
    }

    @Test
    void anEmptyTextIsNotPrintable() {
        assertThat(Printable.isPrintable("")).isFalse();
        assertThat(Printable.isPrintable("a b")).isFalse();
        assertThat(Printable.isPrintable("ab")).isTrue();
    }
}
