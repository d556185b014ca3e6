package dev.escapement.proof.lincheck;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jetbrains.lincheck.LincheckAssertionError;

/**
 * A program that runs Lincheck tests of the library, in the world that its class path makes: arguments are
 * {@code class#method}, and for each a line says whether Lincheck found something. A process of its own, since Lincheck loads
 * what it checks from the class path and nowhere else.
 */
final class LincheckRuns {

    /** What a line begins with whose test failed. */
    static final String CAUGHT = "caught ";

    /** What a line begins with whose test passed. */
    static final String PASSED = "passed ";

    private LincheckRuns() {}

    public static void main(String[] tests) throws ReflectiveOperationException {
        for (String test : tests) {
            System.out.println((isCaught(test) ? CAUGHT : PASSED) + test);
        }
        // Lincheck leaves threads behind that a weakened structure holds up.
        System.exit(0);
    }

    private static boolean isCaught(String test) throws ReflectiveOperationException {
        String[] parts = test.split("#", 2);
        Class<?> type = Class.forName(parts[0]);
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Method method = type.getDeclaredMethod(parts[1]);
        method.setAccessible(true);
        try {
            method.invoke(constructor.newInstance());
            return false;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof LincheckAssertionError) {
                return true;
            }
            throw e;
        }
    }
}
