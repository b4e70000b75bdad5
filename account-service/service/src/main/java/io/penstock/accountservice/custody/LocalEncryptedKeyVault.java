package io.penstock.accountservice.custody;

import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.NKeySigner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keys in files, each seed sealed under a key of its owner (DEK), which is sealed under the key-encryption key (KEK).
 *
 * <pre>
 * dir/OWNER/dek               envelope under the KEK, context dek|OWNER
 * dir/OWNER/GROUP.VERSION     envelope of the seed under the DEK, context key|OWNER|GROUP|VERSION
 * </pre>
 *
 * <p>Nothing decrypted is kept between two signatures: a signature opens both envelopes, signs and wipes. Moving or
 * exchanging files makes them fail to open. Destroying an owner's DEK makes every copy of its keys useless.
 */
public final class LocalEncryptedKeyVault implements KeyVault {
    private static final String DEK = "dek";

    private final Path dir;
    private final byte[] kek;
    private final SecureRandom random;

    private LocalEncryptedKeyVault(Path dir, byte[] kek, SecureRandom random) {
        this.dir = dir;
        this.kek = kek;
        this.random = random;
    }

    /**
     * Opens the store. A missing KEK is made only while the store is empty: with keys in it, a new KEK could open
     * none of them and hide that the old one is lost.
     */
    public static LocalEncryptedKeyVault open(Path dir, Path kekFile, boolean createKek, SecureRandom random) {
        try {
            PrivateFiles.createFolder(dir);
            if (Files.exists(kekFile)) {
                return new LocalEncryptedKeyVault(dir, KekFile.read(kekFile), random);
            }
            if (!createKek) {
                throw new VaultException(kekFile + " is missing, and penstock.keystore.create-kek is off");
            }
            if (!isEmpty(dir)) {
                throw new VaultException(kekFile + " is missing but " + dir
                        + " holds keys that only it can open: restore it, or move the key store away to start anew");
            }
            return new LocalEncryptedKeyVault(dir, KekFile.create(kekFile, random), random);
        } catch (IOException e) {
            throw new VaultException("the key store in " + dir + " cannot be opened: " + e.getMessage(), e);
        }
    }

    @Override
    public String generate(KeyRef ref, KeyType type) {
        byte[] dek = null;
        byte[] seed = null;
        byte[] sealed = null;
        try (NKeyPair pair = NKeyPair.generate(type, random)) {
            dek = dekForWriting(ref.owner());
            seed = pair.seed();
            sealed = Envelope.seal(dek, context(ref), seed, random);
            PrivateFiles.writeNew(file(ref), sealed);
            return pair.publicKey();
        } catch (IOException e) {
            throw new VaultException("the key " + ref + " cannot be stored: " + e.getMessage(), e);
        } finally {
            wipe(dek, seed, sealed);
        }
    }

    @Override
    public boolean contains(KeyRef ref) {
        return Files.exists(file(ref));
    }

    @Override
    public String publicKey(KeyRef ref) {
        try (NKeyPair pair = load(ref)) {
            return pair.publicKey();
        }
    }

    @Override
    public NKeySigner signer(KeyRef ref, String publicKey) {
        return new NKeySigner() {
            @Override
            public String publicKey() {
                return publicKey;
            }

            @Override
            public byte[] sign(byte[] data) {
                try (NKeyPair pair = load(ref)) {
                    if (!pair.publicKey().equals(publicKey)) {
                        throw new VaultException("the key at " + ref + " is not " + publicKey);
                    }
                    return pair.sign(data);
                }
            }
        };
    }

    @Override
    public void destroy(KeyRef ref) {
        try {
            PrivateFiles.delete(file(ref));
        } catch (IOException e) {
            throw new VaultException("the key " + ref + " cannot be destroyed: " + e.getMessage(), e);
        }
    }

    @Override
    public void destroyOwner(String owner) {
        Path folder = folder(owner);
        if (!Files.isDirectory(folder)) {
            return;
        }
        try {
            // The DEK first: from here on every copy of the other files is useless.
            PrivateFiles.delete(folder.resolve(DEK));
            for (Path file : list(folder)) {
                PrivateFiles.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new VaultException("the keys of " + owner + " cannot be destroyed: " + e.getMessage(), e);
        }
    }

    private NKeyPair load(KeyRef ref) {
        byte[] dek = null;
        byte[] seed = null;
        try {
            if (!contains(ref)) {
                throw new VaultException("there is no key at " + ref);
            }
            dek = openDek(ref.owner());
            seed = Envelope.open(dek, context(ref), Files.readAllBytes(file(ref)));
            return NKeyPair.fromSeed(seed);
        } catch (IOException e) {
            throw new VaultException("the key " + ref + " cannot be read: " + e.getMessage(), e);
        } finally {
            wipe(dek, seed);
        }
    }

    private synchronized byte[] dekForWriting(String owner) throws IOException {
        Path file = folder(owner).resolve(DEK);
        if (Files.exists(file)) {
            return openDek(owner);
        }
        PrivateFiles.createFolder(folder(owner));
        byte[] dek = new byte[Envelope.KEY_LENGTH];
        random.nextBytes(dek);
        PrivateFiles.writeNew(file, Envelope.seal(kek, dekContext(owner), dek, random));
        return dek;
    }

    private byte[] openDek(String owner) throws IOException {
        return Envelope.open(
                kek, dekContext(owner), Files.readAllBytes(folder(owner).resolve(DEK)));
    }

    private Path folder(String owner) {
        if (!KeyRef.isId(owner)) {
            throw new VaultException("not an owner of keys: " + owner);
        }
        return dir.resolve(owner);
    }

    private Path file(KeyRef ref) {
        return folder(ref.owner()).resolve(ref.group() + "." + ref.version());
    }

    private static String context(KeyRef ref) {
        return "key|" + ref.owner() + "|" + ref.group() + "|" + ref.version();
    }

    private static String dekContext(String owner) {
        return "dek|" + owner;
    }

    private static boolean isEmpty(Path dir) throws IOException {
        return list(dir).isEmpty();
    }

    private static List<Path> list(Path dir) throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.toList();
        }
    }

    private static void wipe(byte[]... secrets) {
        for (byte[] secret : secrets) {
            if (secret != null) {
                Arrays.fill(secret, (byte) 0);
            }
        }
    }
}
