package io.penstock.server.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.slf4j.Marker;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * An slf4j logger that writes to {@link ServerLog}. Loggers of other libraries are one level quieter than ours: their
 * news is a debug line here.
 */
final class LogLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;
    private static final String OURS = "io.penstock.";

    private final boolean ours;

    LogLogger(String name) {
        this.name = name;
        this.ours = name.startsWith(OURS);
    }

    @Override
    public boolean isTraceEnabled() {
        return ours && ServerLog.get().isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return ours && ServerLog.get().isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return ours || ServerLog.get().isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            org.slf4j.event.Level level, Marker marker, String pattern, Object[] arguments, Throwable throwable) {
        long repeated = ours ? 0 : Repetitions.of(name, pattern, System.nanoTime());
        if (repeated < 0) {
            return;
        }
        String text = MessageFormatter.basicArrayFormat(pattern, arguments);
        if (repeated > 0) {
            text += " (and " + repeated + " more like it)";
        }
        ServerLog.get().write(levelOf(level), throwable == null ? text : text + describe(throwable));
    }

    private Level levelOf(org.slf4j.event.Level level) {
        return switch (level) {
            case TRACE -> Level.TRACE;
            case DEBUG -> Level.DEBUG;
            case INFO -> ours ? Level.INFO : Level.DEBUG;
            case WARN -> Level.WARN;
            case ERROR -> Level.ERROR;
        };
    }

    /** The stack is for developers; an operator gets the causes. */
    private static String describe(Throwable throwable) {
        if (ServerLog.get().isEnabled(Level.DEBUG)) {
            StringWriter stack = new StringWriter();
            throwable.printStackTrace(new PrintWriter(stack));
            return "\n" + stack.toString().stripTrailing();
        }
        StringBuilder text = new StringBuilder();
        int depth = 0;
        for (Throwable cause = throwable; cause != null && depth < 8; cause = cause.getCause(), depth++) {
            text.append(": ").append(cause);
        }
        StackTraceElement[] stack = throwable.getStackTrace();
        return stack.length == 0 ? text.toString() : text + " at " + stack[0];
    }
}
