package io.penstock.accountservice.custody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyVerifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalEncryptedKeyVaultTest {
    private static final KeyRef WORKER = new KeyRef("acc_1", "worker", 1);
    private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    @Test
    void signsAfterBeingOpenedAgain() {
        String publicKey = open().generate(WORKER, KeyType.ACCOUNT);
        KeyVault again = open();
        byte[] signature = again.signer(WORKER, publicKey).sign(DATA);
        assertThat(NKeyVerifier.verify(publicKey, DATA, signature)).isTrue();
        assertThat(again.publicKey(WORKER)).isEqualTo(publicKey);
    }

    @Test
    void refusesToOverwriteAKey() {
        KeyVault vault = open();
        String publicKey = vault.generate(WORKER, KeyType.ACCOUNT);
        assertThatThrownBy(() -> vault.generate(WORKER, KeyType.ACCOUNT)).isInstanceOf(VaultException.class);
        assertThat(vault.publicKey(WORKER)).isEqualTo(publicKey);
    }

    @Test
    void aFileOpensAtItsOwnPlaceOnly() throws Exception {
        KeyVault vault = open();
        String mine = vault.generate(WORKER, KeyType.ACCOUNT);
        KeyRef otherVersion = new KeyRef("acc_1", "worker", 2);
        KeyRef otherGroup = new KeyRef("acc_1", "admin", 1);
        KeyRef otherAccount = new KeyRef("acc_2", "worker", 1);
        for (KeyRef ref : List.of(otherVersion, otherGroup, otherAccount)) {
            String expected = vault.generate(ref, KeyType.ACCOUNT);
            Files.copy(file(WORKER), file(ref), StandardCopyOption.REPLACE_EXISTING);
            assertThatThrownBy(() -> vault.signer(ref, expected).sign(DATA)).isInstanceOf(VaultException.class);
            assertThatThrownBy(() -> vault.signer(ref, mine).sign(DATA)).isInstanceOf(VaultException.class);
        }
        // With the other account's DEK moved along too, the owner in the context still differs.
        Files.copy(keys().resolve("acc_1/dek"), keys().resolve("acc_2/dek"), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> vault.signer(otherAccount, mine).sign(DATA)).isInstanceOf(VaultException.class);
    }

    @Test
    void refusesAKeyThatIsNotTheOneExpected() {
        KeyVault vault = open();
        vault.generate(WORKER, KeyType.ACCOUNT);
        String other = vault.generate(new KeyRef("acc_2", "worker", 1), KeyType.ACCOUNT);
        assertThatThrownBy(() -> vault.signer(WORKER, other).sign(DATA))
                .isInstanceOf(VaultException.class)
                .hasMessageContaining("is not");
    }

    @Test
    void noticesEveryChangedByte() throws Exception {
        KeyVault vault = open();
        String publicKey = vault.generate(WORKER, KeyType.ACCOUNT);
        byte[] sealed = Files.readAllBytes(file(WORKER));
        for (int i = 0; i < sealed.length; i++) {
            byte[] damaged = sealed.clone();
            damaged[i] ^= 1;
            Files.write(file(WORKER), damaged);
            assertThatThrownBy(() -> vault.signer(WORKER, publicKey).sign(DATA))
                    .as("byte %d", i)
                    .isInstanceOf(VaultException.class);
        }
        Files.write(file(WORKER), new byte[0]);
        assertThatThrownBy(() -> vault.publicKey(WORKER)).isInstanceOf(VaultException.class);
    }

    @Test
    void anotherKekOpensNothing() throws Exception {
        open().generate(WORKER, KeyType.ACCOUNT);
        Path other = folder.resolve("other-kek");
        KekFile.create(other, new SecureRandom());
        KeyVault vault = LocalEncryptedKeyVault.open(keys(), other, false, new SecureRandom());
        assertThatThrownBy(() -> vault.publicKey(WORKER)).isInstanceOf(VaultException.class);
    }

    @Test
    void aMissingKekIsMadeForAnEmptyStoreOnly() throws Exception {
        assertThatThrownBy(() -> LocalEncryptedKeyVault.open(keys(), kek(), false, new SecureRandom()))
                .hasMessageContaining("create-kek");
        open().generate(WORKER, KeyType.ACCOUNT);
        Files.delete(kek());
        assertThatThrownBy(this::open).isInstanceOf(VaultException.class).hasMessageContaining("restore it");
        assertThat(kek()).doesNotExist();
    }

    @Test
    void refusesAKekThatOthersCanRead() throws Exception {
        open();
        Files.setPosixFilePermissions(kek(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(this::open).isInstanceOf(VaultException.class).hasMessageContaining("0600");
    }

    @Test
    void everyFileIsTheOwnersAlone() throws Exception {
        KeyVault vault = open();
        vault.generate(WORKER, KeyType.ACCOUNT);
        for (Path file : all()) {
            String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
            assertThat(mode).as(file.toString()).isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
        }
    }

    @Test
    void destroyedKeysAreGone() throws Exception {
        KeyVault vault = open();
        KeyRef second = new KeyRef("acc_1", "worker", 2);
        vault.generate(WORKER, KeyType.ACCOUNT);
        vault.generate(second, KeyType.ACCOUNT);
        vault.destroy(WORKER);
        assertThat(vault.contains(WORKER)).isFalse();
        assertThat(vault.contains(second)).isTrue();
        byte[] copy = Files.readAllBytes(file(second));
        vault.destroyOwner("acc_1");
        assertThat(keys().resolve("acc_1")).doesNotExist();
        vault.destroyOwner("acc_1");
        // A copy kept by somebody does not open with what a new owner of the same name gets.
        String fresh = vault.generate(WORKER, KeyType.ACCOUNT);
        Files.write(file(second), copy);
        assertThatThrownBy(() -> vault.signer(second, fresh).sign(DATA)).isInstanceOf(VaultException.class);
    }

    @Test
    void placesCannotLeaveTheFolder() {
        for (String bad : List.of("..", "a/b", "", "a.b", "x".repeat(65))) {
            assertThatThrownBy(() -> new KeyRef(bad, "g", 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new KeyRef("a", bad, 1)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> open().destroyOwner("..")).isInstanceOf(VaultException.class);
    }

    private KeyVault open() {
        return LocalEncryptedKeyVault.open(keys(), kek(), true, new SecureRandom());
    }

    private Path keys() {
        return folder.resolve("keys");
    }

    private Path kek() {
        return folder.resolve("kek");
    }

    private Path file(KeyRef ref) {
        return keys().resolve(ref.owner()).resolve(ref.group() + "." + ref.version());
    }

    private List<Path> all() throws IOException {
        try (Stream<Path> files = Files.walk(keys())) {
            return files.toList();
        }
    }
}
