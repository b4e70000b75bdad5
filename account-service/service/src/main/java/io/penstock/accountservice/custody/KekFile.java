package io.penstock.accountservice.custody;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/** The key-encryption key in a file: 32 bytes in base64, mode 0600. */
final class KekFile {
    private KekFile() {}

    static byte[] read(Path file) throws IOException {
        PrivateFiles.requireOwnerOnly(file);
        byte[] text = Files.readAllBytes(file);
        try {
            byte[] key = Base64.getMimeDecoder().decode(text);
            if (key.length != Envelope.KEY_LENGTH) {
                throw new IOException(file + " must hold 32 bytes in base64, it holds " + key.length);
            }
            return key;
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " must hold 32 bytes in base64", e);
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    static byte[] create(Path file, SecureRandom random) throws IOException {
        byte[] key = new byte[Envelope.KEY_LENGTH];
        random.nextBytes(key);
        byte[] text = Base64.getEncoder().encode(key);
        if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        PrivateFiles.writeNew(file, text);
        Arrays.fill(text, (byte) 0);
        return key;
    }
}
