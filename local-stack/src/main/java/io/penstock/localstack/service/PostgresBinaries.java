package io.penstock.localstack.service;

import io.penstock.localstack.StackException;
import io.penstock.localstack.StackHome;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** Unpacks the PostgreSQL archive of this machine's kind, once. */
final class PostgresBinaries {
    private PostgresBinaries() {}

    static Path unpack(Path cache) {
        String archive = "postgres-linux-" + architecture() + ".txz";
        Path target = cache.resolve("postgres-" + architecture());
        if (Files.exists(target.resolve("bin/postgres"))) {
            return target;
        }
        try (InputStream resource = PostgresBinaries.class.getClassLoader().getResourceAsStream(archive)) {
            if (resource == null) {
                throw new StackException("there is no PostgreSQL for " + System.getProperty("os.name") + " on "
                        + System.getProperty("os.arch") + ": use Linux on x86_64 or arm64");
            }
            Path unfinished = cache.resolve(target.getFileName() + ".part");
            Folders.remove(unfinished);
            extract(resource, StackHome.create(unfinished));
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
            return target;
        } catch (IOException e) {
            throw new StackException("PostgreSQL cannot be unpacked to " + cache + ": " + e.getMessage(), e);
        }
    }

    private static String architecture() {
        return switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> System.getProperty("os.arch");
        };
    }

    private static void extract(InputStream archive, Path target) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = target.resolve(entry.getName()).normalize();
                if (!file.startsWith(target)) {
                    throw new IOException("entry " + entry.getName() + " leads out of the archive");
                }
                write(tar, entry, file);
            }
        }
    }

    private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path file) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(file);
            return;
        }
        Files.createDirectories(file.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, file, StandardCopyOption.REPLACE_EXISTING);
        boolean executable = (entry.getMode() & 0100) != 0;
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }
}
