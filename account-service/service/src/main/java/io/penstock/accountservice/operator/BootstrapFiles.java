package io.penstock.accountservice.operator;

import io.penstock.accountservice.store.OperatorEntity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The public files a node starts from. The folder and kind of its resolver are the node's own to configure. */
final class BootstrapFiles {
    private BootstrapFiles() {}

    static void write(Path dir, OperatorEntity operator) {
        try {
            Files.createDirectories(dir);
            replace(dir.resolve("operator.jwt"), operator.jwt + "\n");
            replace(dir.resolve("system-account.jwt"), operator.systemAccountJwt + "\n");
            replace(dir.resolve("operator.conf"), """
                    operator: %s
                    system_account: %s
                    resolver_preload: {
                      %s: %s
                    }
                    """.formatted(
                            operator.jwt,
                            operator.systemAccountPublicKey,
                            operator.systemAccountPublicKey,
                            operator.systemAccountJwt));
        } catch (IOException e) {
            throw new UncheckedIOException("the nodes' files cannot be written to " + dir, e);
        }
    }

    private static void replace(Path file, String content) throws IOException {
        if (Files.exists(file) && Files.readString(file).equals(content)) {
            return;
        }
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(temporary, content, StandardCharsets.US_ASCII);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
