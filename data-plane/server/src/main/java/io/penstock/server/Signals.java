package io.penstock.server;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Receives the process's signals. Each runs on a thread of its own that the runtime makes. SIGQUIT stays with the
 * runtime: it prints the stacks of all threads.
 *
 * <p>The runtime's class for signals is reached by name: its use in the source is a warning that cannot be turned off.
 */
final class Signals {
    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "INT", "interrupt",
            "TERM", "terminated",
            "HUP", "hangup",
            "USR1", "user defined signal 1",
            "USR2", "user defined signal 2");

    private Signals() {}

    /** Calls {@code handler} with a readable name each time the signal comes; {@code name} is as in {@code kill -l}. */
    static void on(String name, Consumer<String> handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> receiver = Class.forName("sun.misc.SignalHandler");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle make = lookup.findConstructor(signal, MethodType.methodType(void.class, String.class));
            MethodHandle handle =
                    lookup.findStatic(signal, "handle", MethodType.methodType(receiver, signal, receiver));
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {receiver}, (self, method, arguments) -> {
                        return switch (method.getName()) {
                            case "handle" -> {
                                handler.accept(DESCRIPTIONS.get(name));
                                yield null;
                            }
                            case "hashCode" -> System.identityHashCode(self);
                            case "equals" -> self == arguments[0];
                            default -> "handler of SIG" + name;
                        };
                    });
            handle.invoke(make.invoke(name), proxy);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("SIG" + name + " cannot be received by this runtime", e);
        }
    }
}
