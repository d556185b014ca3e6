package dev.escapement.checker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether the program's standard streams are terminals, found out without native code: by the name of the device behind each,
 * where the system shows a process's descriptors as files ({@code /proc/self/fd}). Elsewhere they are taken for none.
 *
 * <p>{@link System#console()} does not answer that: it speaks of standard input and output together, never of standard error,
 * and from Java 22 on it is there without any terminal.
 */
final class Terminal {

    private Terminal() {}

    /** Whether what is written to standard output is seen by someone. */
    static boolean isStandardOutput() {
        return isTerminal(1);
    }

    /** Whether what is written to standard error is. */
    static boolean isStandardError() {
        return isTerminal(2);
    }

    private static boolean isTerminal(int descriptor) {
        try {
            return isTerminal(Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)));
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a device of this name is one. */
    static boolean isTerminal(Path device) {
        return device.startsWith("/dev/pts")
                || device.toString().startsWith("/dev/tty")
                || device.equals(Path.of("/dev/console"));
    }
}
