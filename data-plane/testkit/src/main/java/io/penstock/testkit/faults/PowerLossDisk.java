package io.penstock.testkit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A disk of its own (XFS in a file, mounted through a loop device) whose power can be cut: what was not forced is gone,
 * as after pulling the plug. Needs root, xfsprogs and a mount namespace of its own ({@code ./penstock test faults} makes
 * one); constructing it elsewhere fails and says so.
 *
 * <p>Every cut proves itself: a canary written without force right before it must not survive.
 */
public final class PowerLossDisk implements AutoCloseable {
    private static final String SIZE = "512M";

    private final Path image;
    private final Path mount;

    public PowerLossDisk(Path folder) {
        image = folder.resolve("disk.img");
        mount = folder.resolve("disk");
        try {
            Files.createDirectories(mount);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run("truncate", "-s", SIZE, image.toString());
        run("mkfs.xfs", "-q", image.toString());
        mount();
    }

    /** Where the node keeps its data. */
    public Path folder() {
        return mount;
    }

    /** Cuts the power under a process: it is stopped, the disk drops what was not forced, the process is killed. */
    public void cut(long pid) {
        run("kill", "-STOP", Long.toString(pid));
        Path canary = mount.resolve("canary-" + pid);
        try {
            Files.writeString(canary, "not forced");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run("xfs_io", "-x", "-c", "shutdown", mount.toString());
        run("kill", "-KILL", Long.toString(pid));
    }

    /** Switches the power on again; the killed process must have ended. */
    public void restore(long pid) {
        run("umount", mount.toString());
        mount();
        Path canary = mount.resolve("canary-" + pid);
        try {
            if (Files.exists(canary) && Files.size(canary) > 0) {
                throw new IllegalStateException("the power was not cut: unforced data survived in " + canary);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        run("umount", mount.toString());
    }

    private void mount() {
        run("mount", "-o", "loop", image.toString(), mount.toString());
    }

    private static void run(String... command) {
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed: " + output.strip()
                        + " (power loss needs root, xfsprogs and loop devices)");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
