package io.penstock.server.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/**
 * The server's log: {@code [pid] 2006/01/02 15:04:05.000000 [INF] text}, one line an event, to standard error or a file.
 * Safe for several threads; a line is written whole before the call returns.
 */
public final class ServerLog {
    private static final ServerLog INSTANCE =
            new ServerLog(new FileOutputStream(FileDescriptor.err), pid(), Clock.systemUTC());

    private final OutputStream standardError;
    private final String prefix;
    private final Clock clock;

    /** Guarded by this. */
    private LogFile file;

    /** Guarded by this. */
    private LineTime time = new LineTime(false);

    /** Guarded by this. */
    private boolean writeFailed;

    private volatile LogSettings settings = LogSettings.DEFAULT;

    ServerLog(OutputStream standardError, long pid, Clock clock) {
        this.standardError = standardError;
        this.prefix = "[" + pid + "] ";
        this.clock = clock;
    }

    /** As the launcher says: to find it out takes longer. */
    private static long pid() {
        Long told = Long.getLong("penstock.pid");
        return told == null ? ProcessHandle.current().pid() : told;
    }

    /** The log of this process. */
    public static ServerLog get() {
        return INSTANCE;
    }

    /** Changes how the log is written; on failure it stays as it was. */
    public synchronized void configure(LogSettings newSettings) throws IOException {
        LogFile opened = newSettings.file() == null
                ? null
                : new LogFile(newSettings.file(), newSettings.sizeLimit(), newSettings.maxFiles());
        if (file != null) {
            file.close();
        }
        file = opened;
        if (newSettings.utc() != settings.utc()) {
            time = new LineTime(newSettings.utc());
        }
        settings = newSettings;
    }

    /** Opens the log file anew. Returns false when the log goes to standard error. */
    public synchronized boolean reopen() throws IOException {
        if (file == null) {
            return false;
        }
        file.reopen();
        return true;
    }

    public boolean isEnabled(Level level) {
        return switch (level) {
            case TRACE -> settings.trace();
            case DEBUG -> settings.debug();
            default -> true;
        };
    }

    public void info(String text) {
        write(Level.INFO, text);
    }

    public void warn(String text) {
        write(Level.WARN, text);
    }

    public void error(String text) {
        write(Level.ERROR, text);
    }

    public void fatal(String text) {
        write(Level.FATAL, text);
    }

    public void debug(String text) {
        if (settings.debug()) {
            write(Level.DEBUG, text);
        }
    }

    /** Writes one line whatever the settings say of its level. */
    public synchronized void write(Level level, String text) {
        StringBuilder line = new StringBuilder(64 + text.length()).append(prefix);
        if (settings.timestamps()) {
            time.append(line, clock.instant());
            line.append(' ');
        }
        line.append('[').append(level.label()).append("] ").append(text).append('\n');
        byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
        try {
            if (file != null) {
                file.write(bytes);
            } else {
                standardError.write(bytes);
            }
            writeFailed = false;
        } catch (IOException e) {
            complain(e);
        }
    }

    /** A log that cannot be written must not stop the server; standard error gets one line about it. */
    private void complain(IOException cause) {
        if (file == null || writeFailed) {
            return;
        }
        writeFailed = true;
        String line = prefix + "[ERR] the log file cannot be written: " + cause.getMessage() + "\n";
        try {
            standardError.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
