package io.penstock.storage.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Another disk but for what a subclass does otherwise. */
abstract class ForwardingDisk implements Disk {
    final Disk disk;

    ForwardingDisk(Disk disk) {
        this.disk = disk;
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return disk.list(directory);
    }

    @Override
    public boolean exists(Path path) {
        return disk.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return disk.isDirectory(path);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        disk.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        disk.delete(path);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        disk.forceDirectory(directory);
    }

    @Override
    public boolean reusesSpace() {
        return disk.reusesSpace();
    }

    @Override
    public long usableSpace(Path path) throws IOException {
        return disk.usableSpace(path);
    }

    @Override
    public long totalSpace(Path path) throws IOException {
        return disk.totalSpace(path);
    }

    @Override
    public Object identity(Path directory) throws IOException {
        return disk.identity(directory);
    }
}
