package io.penstock.server.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;

/**
 * A log file that may be rotated: at its limit it is renamed with the time behind its name and a new one begun. Not safe
 * for several threads: its owner is the log's lock.
 */
final class LogFile {
    private static final DateTimeFormatter SUFFIX = DateTimeFormatter.ofPattern("yyyy.MM.dd.HH.mm.ss.SSSSSSSSS");

    private final Path path;
    private final long limit;
    private final int maxFiles;
    private FileChannel channel;
    private long size;

    LogFile(Path path, long limit, int maxFiles) throws IOException {
        this.path = path.toAbsolutePath();
        this.limit = limit;
        this.maxFiles = maxFiles;
        open();
    }

    private void open() throws IOException {
        channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        size = channel.size();
    }

    void write(byte[] line) throws IOException {
        if (limit > 0 && size > 0 && size + line.length > limit) {
            rotate();
        }
        ByteBuffer buffer = ByteBuffer.wrap(line);
        while (buffer.hasRemaining()) {
            size += channel.write(buffer);
        }
    }

    /** Closes the file and opens the name anew: after somebody moved it away. */
    void reopen() throws IOException {
        channel.close();
        open();
    }

    void close() throws IOException {
        channel.close();
    }

    private void rotate() throws IOException {
        channel.close();
        String suffix = SUFFIX.format(LocalDateTime.now(ZoneOffset.UTC));
        Files.move(path, path.resolveSibling(path.getFileName() + "." + suffix));
        open();
        if (maxFiles > 0) {
            purge();
        }
    }

    private void purge() throws IOException {
        String prefix = path.getFileName() + ".";
        List<Path> old;
        try (Stream<Path> files = Files.list(path.getParent())) {
            old = files.filter(file -> isRotated(file.getFileName().toString(), prefix))
                    .sorted()
                    .toList();
        }
        for (int i = 0; i < old.size() - (maxFiles - 1); i++) {
            Files.deleteIfExists(old.get(i));
        }
    }

    private static boolean isRotated(String name, String prefix) {
        if (!name.startsWith(prefix) || name.length() == prefix.length()) {
            return false;
        }
        return name.substring(prefix.length()).chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }
}
