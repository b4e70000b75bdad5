package io.penstock.broker.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JwtDirectoryTest {
    private static final String ONE = "A" + "B".repeat(55);
    private static final String TWO = "A" + "C".repeat(55);

    @TempDir
    Path folder;

    private JwtDirectory directory;

    @BeforeEach
    void open() throws IOException {
        directory = new JwtDirectory(folder.resolve("jwt"), 0);
    }

    // Unsigned, since the folder does not verify what it is given.
    private static String jwt(String id, long issuedAt) {
        String body = "{\"jti\":\"" + id + "\",\"iat\":" + issuedAt + "}";
        return "e30." + Base64.getUrlEncoder().encodeToString(body.getBytes(StandardCharsets.US_ASCII)) + ".sig";
    }

    @Test
    void keepsAndLoads() throws IOException {
        assertThat(directory.save(ONE, jwt("a", 10))).isTrue();

        assertThat(directory.load(ONE)).contains(jwt("a", 10));
        assertThat(directory.load(TWO)).isEmpty();
        assertThat(new JwtDirectory(folder.resolve("jwt"), 0).load(ONE)).contains(jwt("a", 10));
    }

    @Test
    void newerIssueWins() throws IOException {
        directory.save(ONE, jwt("a", 10));

        assertThat(directory.save(ONE, jwt("b", 9))).isFalse();
        assertThat(directory.load(ONE)).contains(jwt("a", 10));
        assertThat(directory.save(ONE, jwt("c", 11))).isTrue();
        assertThat(directory.load(ONE)).contains(jwt("c", 11));
        assertThat(directory.save(ONE, jwt("c", 11))).isFalse();
    }

    @Test
    void secondUpdateWithinASecondWins() throws IOException {
        directory.save(ONE, jwt("a", 10));

        assertThat(directory.save(ONE, jwt("b", 10))).isTrue();
        assertThat(directory.load(ONE)).contains(jwt("b", 10));
    }

    @Test
    void listsOnlyAccountsAndLeavesOtherFilesAlone() throws IOException {
        Path stranger = folder.resolve("jwt").resolve("README.jwt");
        Files.writeString(stranger, "mine");
        directory.save(TWO, jwt("a", 1));
        directory.save(ONE, jwt("a", 1));

        assertThat(directory.accounts()).containsExactly(ONE, TWO);
        assertThat(stranger).hasContent("mine");
    }

    @Test
    void namesThatAreNoAccountKeysReachNoFile() {
        assertThatThrownBy(() -> directory.save("../" + ONE, jwt("a", 1))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> directory.save("A..", jwt("a", 1))).isInstanceOf(IOException.class);
    }

    @Test
    void softDeleteKeepsTheFileUnderAnotherName() throws IOException {
        directory.save(ONE, jwt("a", 1));

        assertThat(directory.delete(ONE, false)).isTrue();
        assertThat(directory.load(ONE)).isEmpty();
        assertThat(folder.resolve("jwt").resolve(ONE + ".jwt.deleted")).hasContent(jwt("a", 1));
        assertThat(directory.delete(ONE, false)).isFalse();
    }

    @Test
    void aWriteCutShortDoesNotHideTheOldJwt() throws IOException {
        directory.save(ONE, jwt("a", 1));
        Files.writeString(folder.resolve("jwt").resolve("." + ONE + ".tmp"), "half");

        assertThat(directory.load(ONE)).contains(jwt("a", 1));
        assertThat(directory.save(ONE, jwt("b", 2))).isTrue();
        assertThat(directory.load(ONE)).contains(jwt("b", 2));
    }

    @Test
    void limitRefusesNewAccountsOnly() throws IOException {
        JwtDirectory small = new JwtDirectory(folder.resolve("small"), 1);
        small.save(ONE, jwt("a", 1));

        assertThat(small.save(ONE, jwt("b", 2))).isTrue();
        assertThatThrownBy(() -> small.save(TWO, jwt("a", 1))).hasMessageContaining("limit");
    }
}
