package io.penstock.broker.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        directory = new JwtDirectory(folder.resolve("jwt"), 0, JwtDirectoryTest::stamp);
    }

    // Test tokens read "id.issuedAt".
    private static JwtDirectory.Stamp stamp(String jwt) {
        String[] parts = jwt.split("\\.");
        return new JwtDirectory.Stamp(parts[0], Long.parseLong(parts[1]), 0);
    }

    @Test
    void keepsAndLoads() throws IOException {
        assertThat(directory.save(ONE, "a.10")).isTrue();

        assertThat(directory.load(ONE)).contains("a.10");
        assertThat(directory.load(TWO)).isEmpty();
        assertThat(new JwtDirectory(folder.resolve("jwt"), 0, JwtDirectoryTest::stamp).load(ONE))
                .contains("a.10");
    }

    @Test
    void newerIssueWins() throws IOException {
        directory.save(ONE, "a.10");

        assertThat(directory.save(ONE, "b.9")).isFalse();
        assertThat(directory.load(ONE)).contains("a.10");
        assertThat(directory.save(ONE, "c.11")).isTrue();
        assertThat(directory.load(ONE)).contains("c.11");
        assertThat(directory.save(ONE, "c.11")).isFalse();
    }

    @Test
    void listsOnlyAccountsAndLeavesOtherFilesAlone() throws IOException {
        Path stranger = folder.resolve("jwt").resolve("README.jwt");
        Files.writeString(stranger, "mine");
        directory.save(TWO, "a.1");
        directory.save(ONE, "a.1");

        assertThat(directory.accounts()).containsExactly(ONE, TWO);
        assertThat(stranger).hasContent("mine");
    }

    @Test
    void namesThatAreNoAccountKeysReachNoFile() {
        assertThatThrownBy(() -> directory.save("../" + ONE, "a.1")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> directory.save("A..", "a.1")).isInstanceOf(IOException.class);
    }

    @Test
    void softDeleteKeepsTheFileUnderAnotherName() throws IOException {
        directory.save(ONE, "a.1");

        assertThat(directory.delete(ONE, false)).isTrue();
        assertThat(directory.load(ONE)).isEmpty();
        assertThat(folder.resolve("jwt").resolve(ONE + ".jwt.deleted")).hasContent("a.1");
        assertThat(directory.delete(ONE, false)).isFalse();
    }

    @Test
    void aWriteCutShortDoesNotHideTheOldJwt() throws IOException {
        directory.save(ONE, "a.1");
        Files.writeString(folder.resolve("jwt").resolve("." + ONE + ".tmp"), "half");

        assertThat(directory.load(ONE)).contains("a.1");
        assertThat(directory.save(ONE, "b.2")).isTrue();
        assertThat(directory.load(ONE)).contains("b.2");
    }

    @Test
    void limitRefusesNewAccountsOnly() throws IOException {
        JwtDirectory small = new JwtDirectory(folder.resolve("small"), 1, JwtDirectoryTest::stamp);
        small.save(ONE, "a.1");

        assertThat(small.save(ONE, "b.2")).isTrue();
        assertThatThrownBy(() -> small.save(TWO, "a.1")).hasMessageContaining("limit");
    }
}
