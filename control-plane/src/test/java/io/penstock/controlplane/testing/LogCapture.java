package io.penstock.controlplane.testing;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;

/** Everything that is logged at any level until it is closed, stack traces included. Thread-safe. */
public final class LogCapture extends Handler implements AutoCloseable {
    private static final Logger ROOT = Logger.getLogger("");

    private final PatternFormatter format = new PatternFormatter("%p [%c] %s%e%n");
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Level before = ROOT.getLevel();

    public static LogCapture everything() {
        LogCapture capture = new LogCapture();
        capture.setLevel(Level.ALL);
        ROOT.addHandler(capture);
        ROOT.setLevel(Level.FINE);
        return capture;
    }

    public String text() {
        return String.join("", lines);
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(format.format(org.jboss.logmanager.ExtLogRecord.wrap(line)));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        ROOT.removeHandler(this);
        ROOT.setLevel(before);
    }
}
