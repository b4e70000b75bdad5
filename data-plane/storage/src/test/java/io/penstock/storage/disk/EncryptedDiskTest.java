package io.penstock.storage.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.storage.StorageException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EncryptedDiskTest {
    private static final Path STORE = Path.of("/store");
    private static final Path FILE = STORE.resolve("file");

    private final TestingDisk disk = new TestingDisk();

    private static Disk encrypted(TestingDisk disk, StoreCipher cipher, String key, String previous) {
        return EncryptedDisk.of(disk, STORE, new StoreKeys(cipher, key, previous, new SecureRandom()));
    }

    private static void write(Disk disk, Path path, String text) throws IOException {
        try (DiskFile file = disk.open(path)) {
            file.truncate(0);
            file.writeFully(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            file.force();
        }
    }

    private static String read(Disk disk, Path path) throws IOException {
        try (DiskFile file = disk.openRead(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.readFully(bytes, 0);
            return new String(bytes.array(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @EnumSource(StoreCipher.class)
    void aFileIsWhatAPlainOneWouldBe(StoreCipher cipher) throws IOException {
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            TestingDisk below = new TestingDisk();
            Disk above = encrypted(below, cipher, "secret", "");
            TestingDisk plain = new TestingDisk();
            for (int i = 0; i < 60; i++) {
                try (DiskFile ours = above.open(FILE);
                        DiskFile theirs = plain.open(FILE)) {
                    change(random, ours, theirs);
                    compare(random, ours, theirs, "seed " + seed + ", change " + i);
                }
            }
        }
    }

    private static void change(Random random, DiskFile ours, DiskFile theirs) throws IOException {
        if (random.nextInt(5) == 0) {
            long size = random.nextInt(3) == 0 ? 0 : random.nextLong(theirs.size() + 1);
            ours.truncate(size);
            theirs.truncate(size);
            return;
        }
        byte[] bytes = new byte[1 + random.nextInt(random.nextInt(10) == 0 ? 200_000 : 500)];
        random.nextBytes(bytes);
        long position = random.nextLong(theirs.size() + 1);
        ours.writeFully(ByteBuffer.wrap(bytes), position);
        theirs.writeFully(ByteBuffer.wrap(bytes), position);
    }

    private static void compare(Random random, DiskFile ours, DiskFile theirs, String where) throws IOException {
        assertThat(ours.size()).as(where).isEqualTo(theirs.size());
        long from = random.nextLong(theirs.size() + 1);
        ByteBuffer expected = ByteBuffer.allocate(random.nextInt(300_000) + 1);
        ByteBuffer read = ByteBuffer.allocateDirect(expected.capacity());
        theirs.readUpTo(expected, from);
        ours.readUpTo(read, from);
        assertThat(read.flip()).as(where).isEqualTo(expected.flip());
    }

    @ParameterizedTest
    @EnumSource(StoreCipher.class)
    void nothingOfWhatIsStoredCanBeReadWithoutTheKey(StoreCipher cipher) throws IOException {
        Disk above = encrypted(disk, cipher, "secret", "");
        String text = "attack at dawn ".repeat(100);
        write(above, FILE, text);
        write(above, STORE.resolve("same"), text);
        assertThat(new String(disk.bytes(FILE), StandardCharsets.ISO_8859_1)).doesNotContain("attack", "dawn");
        byte[] first = Arrays.copyOfRange(disk.bytes(FILE), FileHeader.BYTES, FileHeader.BYTES + 64);
        byte[] second = Arrays.copyOfRange(disk.bytes(STORE.resolve("same")), FileHeader.BYTES, FileHeader.BYTES + 64);
        assertThat(second).as("each file has a key of its own").isNotEqualTo(first);
        write(above, FILE, text);
        assertThat(Arrays.copyOfRange(disk.bytes(FILE), FileHeader.BYTES, FileHeader.BYTES + 64))
                .as("and another when it is written anew")
                .isNotEqualTo(first);
        assertThat(read(encrypted(disk.processDeath(), cipher, "secret", ""), FILE))
                .isEqualTo(text);
    }

    @Test
    void aFormerKeyStillReadsWhatWasWrittenWithIt() throws IOException {
        write(encrypted(disk, StoreCipher.AES, "one", ""), FILE, "old");
        Disk second = encrypted(disk, StoreCipher.CHACHA, "two", "one");
        assertThat(read(second, FILE)).isEqualTo("old");
        write(second, STORE.resolve("new"), "new");
        assertThat(read(encrypted(disk, StoreCipher.AES, "two", ""), STORE.resolve("new")))
                .isEqualTo("new");
        assertThatThrownBy(() -> read(encrypted(disk, StoreCipher.AES, "two", ""), FILE))
                .isInstanceOf(IOException.class)
                .hasMessage("/store/file was encrypted with another key than the store's 'key' and 'prev_key'");
    }

    @Test
    void refusesTheWrongKeyNoKeyAndAPlainStore() throws IOException {
        write(encrypted(disk, StoreCipher.AES, "right", ""), FILE, "x");
        byte[] before = disk.bytes(FILE);
        assertThatThrownBy(() -> encrypted(disk, StoreCipher.AES, "wrong", ""))
                .isInstanceOf(StorageException.class)
                .hasMessageStartingWith("the store /store was encrypted with another key: set that");
        assertThatThrownBy(() -> EncryptedDisk.of(disk, STORE, null))
                .isInstanceOf(StorageException.class)
                .hasMessage("the store /store is encrypted and there is no key: set it, jetstream { key: … }");
        assertThat(disk.bytes(FILE)).isEqualTo(before);

        TestingDisk plain = new TestingDisk();
        write(plain, FILE, "x");
        assertThatThrownBy(() -> encrypted(plain, StoreCipher.AES, "any", ""))
                .isInstanceOf(StorageException.class)
                .hasMessageStartingWith("the store /store was made without a key");
        assertThat(plain.files()).containsExactly(FILE);
        assertThat(EncryptedDisk.of(plain, STORE, null)).isSameAs(plain);
    }

    @Test
    void aDamagedHeaderIsToldForItsFileAlone() throws IOException {
        Disk above = encrypted(disk, StoreCipher.AES, "secret", "");
        write(above, FILE, "hit");
        write(above, STORE.resolve("other"), "whole");
        byte[] bytes = disk.bytes(FILE);
        bytes[30] ^= 1;
        disk.overwrite(FILE, bytes);
        assertThatThrownBy(() -> above.open(FILE))
                .isInstanceOf(EOFException.class)
                .hasMessage("the header of the encrypted file /store/file is damaged: nothing in it can be read");
        assertThat(disk.bytes(FILE)).as("nothing is changed").isEqualTo(bytes);
        disk.overwrite(FILE, Arrays.copyOfRange(bytes, 1, bytes.length));
        assertThat(read(above, FILE)).isEmpty();
        assertThat(read(above, STORE.resolve("other"))).isEqualTo("whole");
    }

    @Test
    void aFileWhoseBeginningTheDiskRefusedIsBegunLater() throws IOException {
        Disk above = encrypted(disk, StoreCipher.AES, "secret", "");
        write(above, FILE, "before");
        int[] calls = {0};
        for (int refused = 0; refused < 4; refused++) {
            int number = refused;
            calls[0] = 0;
            try (DiskFile file = above.open(FILE)) {
                disk.failWith((operation, path) -> {
                    if (calls[0]++ == number) {
                        throw new IOException("No space left on device");
                    }
                });
                assertThatThrownBy(() -> file.truncate(0)).hasMessage("No space left on device");
                disk.failWith((operation, path) -> {});
                file.truncate(0);
                file.writeFully(ByteBuffer.wrap(new byte[] {'a'}), 0);
                file.force();
            }
            assertThat(read(above, FILE)).isEqualTo("a");
        }
    }

    @Test
    void aStoreWhoseMarkWasJustBeingMadeIsBegunAnew() throws IOException {
        for (int calls = 1; calls < 8; calls++) {
            TestingDisk below = new TestingDisk();
            below.crashAfter(calls);
            try {
                encrypted(below, StoreCipher.AES, "secret", "");
            } catch (StorageException e) {
                assertThat(e).hasMessageContaining("the power is gone");
            }
            for (long seed = 0; seed < 10; seed++) {
                Disk again = encrypted(below.powerLoss(new Random(seed)), StoreCipher.AES, "secret", "");
                write(again, FILE, "x");
                assertThat(read(again, FILE)).isEqualTo("x");
            }
        }
    }
}
