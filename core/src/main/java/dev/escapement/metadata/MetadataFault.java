package dev.escapement.metadata;

/**
 * A field that was received and is ignored, with the reason (M2). What it held is not kept.
 *
 * @param field the name of the header field
 */
public record MetadataFault(String field, Kind kind) {

    /** The closed list of reasons; the first that holds is told. */
    public enum Kind {
        /** The field came on several lines. */
        REPEATED,
        /** A time without a unit, or with an unknown one. */
        WRONG_UNIT,
        /** A number below zero. */
        NEGATIVE,
        /** Not a number: empty, or something else than ASCII digits. */
        NOT_DIGITS,
        /** More digits than such a number can have. */
        TOO_MANY_DIGITS,
        /** A count that is zero and has to begin at one. */
        ZERO,
        /** A word that is none of the known ones. */
        UNKNOWN_WORD,
        /** Not an identifier: empty, too long, or with a character that has no place there. */
        NOT_AN_IDENTIFIER
    }
}
