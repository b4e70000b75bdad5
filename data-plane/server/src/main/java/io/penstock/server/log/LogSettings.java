package io.penstock.server.log;

import java.nio.file.Path;

/**
 * How the log is written.
 *
 * @param file log file, or null for standard error
 * @param sizeLimit bytes at which the file is rotated; 0 never
 * @param maxFiles most log files kept, the current one included; 0 keeps all
 * @param timestamps whether lines carry the time
 * @param utc time in UTC instead of local time
 */
public record LogSettings(
        Path file, long sizeLimit, int maxFiles, boolean debug, boolean trace, boolean timestamps, boolean utc) {
    /** Standard error with time stamps, no debug or trace lines. */
    public static final LogSettings DEFAULT = new LogSettings(null, 0, 0, false, false, true, false);
}
