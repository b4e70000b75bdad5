package io.penstock.broker.resolver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Account JWTs in a folder, one file an account:
 *
 * <pre>
 * dir/ACCOUNT.jwt            the newest JWT, by its time of issue
 * dir/ACCOUNT.jwt.deleted    what a soft delete left
 * dir/ACCOUNT.gone           a deletion: the time of issue of what was deleted, for nodes that were away meanwhile
 * dir/.ACCOUNT.tmp           a write that was cut short; overwritten by the next
 * </pre>
 *
 * <p>A JWT is on disk, name and content, before {@link #save} returns. Files of other names are left alone. Methods
 * block on the disk; calls are serialized by the monitor of this object.
 */
final class JwtDirectory {
    private static final String SUFFIX = ".jwt";
    private static final String GONE = ".gone";
    private static final Pattern ACCOUNT_KEY = Pattern.compile("A[A-Z2-7]{55}");

    private final Path directory;
    private final long limit;

    /**
     * Opens the folder, making it when it is not there.
     *
     * @param limit most accounts kept, 0 for no limit
     */
    JwtDirectory(Path directory, long limit) throws IOException {
        this.directory = directory;
        this.limit = limit;
        Files.createDirectories(directory);
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw new IOException("resolver directory " + directory
                    + " cannot be written; name a folder this process may write to in resolver.dir");
        }
    }

    static boolean isAccountKey(String account) {
        return ACCOUNT_KEY.matcher(account).matches();
    }

    /** The JWT of an account, or empty. */
    synchronized Optional<String> load(String account) throws IOException {
        if (!isAccountKey(account)) {
            return Optional.empty();
        }
        try {
            String jwt =
                    Files.readString(file(account), StandardCharsets.US_ASCII).strip();
            return jwt.isEmpty() ? Optional.empty() : Optional.of(jwt);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * Keeps a JWT unless the folder has it or a newer one.
     *
     * @return whether the folder changed
     */
    synchronized boolean save(String account, String jwt) throws IOException {
        if (!isAccountKey(account)) {
            throw new IOException("\"" + account + "\" is not an account's public key");
        }
        Optional<String> old = load(account);
        if (old.isPresent() && !JwtStamps.replaces(jwt, old.get())) {
            return false;
        }
        if (old.isEmpty() && limit > 0 && accounts().size() >= limit) {
            throw new IOException("jwt limit of " + limit + " accounts reached; raise resolver.limit");
        }
        write(account, file(account), jwt);
        Files.deleteIfExists(directory.resolve(account + GONE));
        return true;
    }

    /** Removes an account's JWT, keeping it under another name unless {@code hard}. */
    synchronized boolean delete(String account, boolean hard) throws IOException {
        if (!isAccountKey(account) || !Files.exists(file(account))) {
            return false;
        }
        write(
                account,
                directory.resolve(account + GONE),
                Long.toString(JwtStamps.issuedAt(load(account).orElse(""))));
        if (hard) {
            Files.delete(file(account));
        } else {
            Files.move(
                    file(account),
                    directory.resolve(account + SUFFIX + ".deleted"),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        }
        forceDirectory();
        return true;
    }

    /** Public keys of the accounts in the folder, sorted. */
    synchronized List<String> accounts() throws IOException {
        List<String> accounts = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                String account = name.substring(0, name.length() - SUFFIX.length());
                if (isAccountKey(account)) {
                    accounts.add(account);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        Collections.sort(accounts);
        return accounts;
    }

    /** Accounts that were deleted, with the time of issue of what was deleted. */
    synchronized Map<String, Long> deletions() throws IOException {
        Map<String, Long> deletions = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + GONE)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                String account = name.substring(0, name.length() - GONE.length());
                if (isAccountKey(account)) {
                    deletions.put(
                            account,
                            Long.parseLong(Files.readString(file, StandardCharsets.US_ASCII)
                                    .strip()));
                }
            }
        } catch (NumberFormatException e) {
            throw new IOException(
                    "a " + GONE + " file in " + directory + " does not hold a time: " + e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return deletions;
    }

    private void write(String account, Path target, String text) throws IOException {
        Path temporary = directory.resolve("." + account + ".tmp");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceDirectory();
    }

    // The rename is durable only when the folder itself is.
    private void forceDirectory() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private Path file(String account) {
        return directory.resolve(account + SUFFIX);
    }
}
