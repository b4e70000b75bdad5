package io.penstock.storage.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The real file system. Threads that use it must never be interrupted: that closes their files. */
public final class FileDisk implements Disk {
    public static final FileDisk INSTANCE = new FileDisk();

    private FileDisk() {}

    @Override
    public DiskFile open(Path path) throws IOException {
        return new ChannelFile(
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public DiskFile openRead(Path path) throws IOException {
        return new ChannelFile(FileChannel.open(path, StandardOpenOption.READ));
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            for (Path path : stream) {
                names.add(path.getFileName().toString());
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
        return names;
    }

    @Override
    public boolean exists(Path path) {
        return Files.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return Files.isDirectory(path);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.delete(path);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public long usableSpace(Path path) throws IOException {
        return Files.getFileStore(path).getUsableSpace();
    }

    @Override
    public long totalSpace(Path path) throws IOException {
        return Files.getFileStore(path).getTotalSpace();
    }

    @Override
    public Object identity(Path directory) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(directory, BasicFileAttributes.class);
        // Where a file system numbers nothing, the name is all there is.
        return attributes.fileKey() == null ? directory : attributes.fileKey();
    }

    private static final class ChannelFile implements DiskFile {
        private final FileChannel channel;

        ChannelFile(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            return channel.write(source, position);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return channel.read(target, position);
        }

        @Override
        public void force() throws IOException {
            // fdatasync: the length is flushed with the data, the modification time is not.
            channel.force(false);
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
