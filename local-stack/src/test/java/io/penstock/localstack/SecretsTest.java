package io.penstock.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {
    @TempDir
    Path folder;

    @Test
    void areMadeOnceAndReadableByTheirOwnerAlone() throws IOException {
        Path file = folder.resolve("secrets.json");

        Secrets made = Secrets.loadOrCreate(file);

        assertThat(Secrets.loadOrCreate(file)).isEqualTo(made);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Base64.getDecoder().decode(made.statement())).hasSize(32);
    }

    @Test
    void differBetweenStacks() {
        assertThat(Secrets.loadOrCreate(folder.resolve("a/secrets.json")))
                .isNotEqualTo(Secrets.loadOrCreate(folder.resolve("b/secrets.json")));
    }
}
