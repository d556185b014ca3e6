package dev.escapement.gateway;

import java.lang.reflect.Proxy;

/**
 * Signals of the operating system. Reached by reflection: the class that has them belongs to every JDK, and no compiler lets it be named
 * without a warning.
 */
final class Signals {

    private Signals() {}

    /**
     * Runs the action, on a thread of its own, at every such signal from now on.
     *
     * @param name without {@code SIG}
     * @return whether that is so; false where the machine was started with {@code -Xrs}, or has no such signal
     */
    static boolean handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object runs = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        return switch (method.getName()) {
                            case "handle" -> {
                                action.run();
                                yield null;
                            }
                            case "hashCode" -> System.identityHashCode(self);
                            case "equals" -> self == arguments[0];
                            default -> "handler of SIG" + name;
                        };
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), runs);
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
