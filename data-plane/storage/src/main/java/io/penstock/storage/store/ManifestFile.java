package io.penstock.storage.store;

import io.penstock.storage.CorruptRecordException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The newest sound manifest of a directory.
 *
 * @param copyDamaged whether one of the two files must be written again
 */
record ManifestFile(Manifest manifest, boolean copyDamaged) {
    /**
     * Reads both copies; null when there is neither.
     *
     * @throws CorruptRecordException when there is one and none can be read
     */
    static ManifestFile read(StoreContext context, Path directory) throws IOException {
        byte[] first = FileStreamStore.readFile(context, directory.resolve(Manifest.NAME));
        byte[] second = FileStreamStore.readFile(context, directory.resolve(Manifest.COPY));
        if (first == null && second == null) {
            return null;
        }
        Manifest main = first == null ? null : Manifest.decode(first);
        Manifest copy = second == null ? null : Manifest.decode(second);
        if (first != null && main == null) {
            context.events.damaged(
                    directory.resolve(Manifest.NAME).toString(), 0, "the manifest's checksum does not match");
        }
        if (second != null && copy == null) {
            context.events.damaged(
                    directory.resolve(Manifest.COPY).toString(), 0, "the manifest's checksum does not match");
        }
        if (main == null && copy == null) {
            throw new CorruptRecordException(
                    directory.resolve(Manifest.NAME).toString(),
                    0,
                    "neither the manifest nor its copy can be read; nothing was changed, restore one of them");
        }
        boolean copyIsNewer = main == null || (copy != null && copy.generation() > main.generation());
        return new ManifestFile(copyIsNewer ? copy : main, main == null || copy == null);
    }
}
