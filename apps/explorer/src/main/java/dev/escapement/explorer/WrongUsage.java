package dev.escapement.explorer;

/** What the caller got wrong, as one line that names it. Ends the program with exit code 2, before anything is played. */
final class WrongUsage extends Exception {

    private static final long serialVersionUID = 1L;

    WrongUsage(String message) {
        super(message);
    }
}
