package io.penstock.storage.store;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of accounts and streams as names of directories, safe on any file system. */
final class StoreNames {
    private static final String SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    private static final int MOST = 150;
    private static final int KEPT = 100;

    private StoreNames() {}

    static String encode(String name) {
        StringBuilder safe = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (SAFE.indexOf(c) >= 0) {
                safe.append(c);
            } else {
                safe.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        if (safe.length() <= MOST) {
            return safe.toString();
        }
        return safe.substring(0, KEPT) + "%" + digest(name);
    }

    private static String digest(String name) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static String suffix(long incarnation) {
        return String.format("%016x", incarnation);
    }

    static String account(Path streamDirectory) {
        return streamDirectory.getParent().getParent().getFileName().toString();
    }

    static String stream(Path streamDirectory) {
        String name = streamDirectory.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    /** The incarnation in a directory's name, -1 when there is none. */
    static long incarnation(Path streamDirectory) {
        String name = streamDirectory.getFileName().toString();
        int dot = name.lastIndexOf('.');
        if (dot < 0 || name.length() - dot != 17) {
            return -1;
        }
        try {
            return Long.parseLong(name, dot + 1, name.length(), 16);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
