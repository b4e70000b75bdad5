package io.penstock.accountservice.custody;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files that only their owner may read, whole or not there after a crash. */
final class PrivateFiles {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNER_FOLDER = PosixFilePermissions.fromString("rwx------");

    private PrivateFiles() {}

    static void createFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        if (folder.getParent() != null) {
            Files.createDirectories(folder.getParent());
        }
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_FOLDER));
        syncFolder(folder.toAbsolutePath().getParent());
    }

    /** Writes a new file, forced to disk before it gets its name. Fails when the name is taken. */
    static void writeNew(Path file, byte[] content) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        try (FileChannel channel = FileChannel.open(
                temporary,
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
            ByteBuffer buffer = ByteBuffer.wrap(content);
            while (buffer.hasRemaining()) {
                int _ = channel.write(buffer);
            }
            channel.force(true);
        }
        if (Files.exists(file)) {
            Files.delete(temporary);
            throw new IOException(file + " exists already");
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        syncFolder(file.toAbsolutePath().getParent());
    }

    static void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            syncFolder(file.toAbsolutePath().getParent());
        }
    }

    /** Refuses a file that others may read. */
    static void requireOwnerOnly(Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (!OWNER_ONLY.containsAll(permissions)) {
            throw new IOException(file + " may be read by others (" + PosixFilePermissions.toString(permissions)
                    + "): set its mode to 0600");
        }
    }

    private static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
