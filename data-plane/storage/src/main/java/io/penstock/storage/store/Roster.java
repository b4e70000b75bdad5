package io.penstock.storage.store;

import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * The directories of streams that have a checkpoint, written down: a directory that is gone with all it held is told from
 * a stream that never was. It is durable before the log lets go of the entries that made the streams. Thread-safe.
 */
final class Roster {
    static final String NAME = ".roster";
    private static final int VERSION = 1;

    private final StoreContext context;
    private final Path root;
    private final Path file;

    /** Guarded by this, as all below: paths below the root, with slashes. */
    private final Set<String> names = new TreeSet<>();

    /** Whether the file says something else, or nothing. */
    private boolean changed = true;

    Roster(StoreContext context, Path root) {
        this.context = context;
        this.root = root;
        this.file = root.resolve(NAME);
    }

    /** Reads what an earlier life of the node wrote; a file that cannot be read says nothing. */
    synchronized void read() throws IOException {
        byte[] bytes = FileStreamStore.readFile(context, file);
        if (bytes == null) {
            return;
        }
        if (!Decoder.sound(bytes)) {
            context.events.damaged(file.toString(), 0, "the list of streams is written anew");
            return;
        }
        Decoder in = new Decoder(bytes);
        if (in.getInt() != VERSION) {
            context.events.unknown(file.toString(), "a list of streams of another version, written anew");
            return;
        }
        for (int left = in.getInt(); left > 0; left--) {
            names.add(in.getText());
        }
        changed = false;
    }

    private String name(Path directory) {
        return root.relativize(directory).toString().replace('\\', '/');
    }

    /** Takes a directory in, unless it is about to be removed by now. */
    synchronized void add(Path directory, BooleanSupplier stays) {
        if (stays.getAsBoolean()) {
            changed |= names.add(name(directory));
        }
    }

    synchronized void remove(Path directory) {
        changed |= names.remove(name(directory));
    }

    /** A stream of this incarnation was deleted, and the file does not say so yet. */
    synchronized void remove(long incarnation) {
        changed |= names.removeIf(name -> StoreNames.incarnation(root.resolve(name)) == incarnation);
    }

    synchronized List<Path> directories() {
        return names.stream().map(root::resolve).toList();
    }

    /** Makes the file say what is so now; durable when it returns. */
    void write() throws IOException {
        Encoder out = new Encoder().putInt(VERSION);
        synchronized (this) {
            if (!changed) {
                return;
            }
            out.putInt(names.size());
            names.forEach(out::putText);
            changed = false;
        }
        try {
            Path temporary = root.resolve(NAME + Manifest.TEMPORARY);
            try (DiskFile target = context.disk.open(temporary)) {
                target.truncate(0);
                target.writeFully(ByteBuffer.wrap(out.sealed()), 0);
                target.force();
            }
            context.disk.rename(temporary, file);
            context.disk.forceDirectory(root);
        } catch (IOException e) {
            synchronized (this) {
                changed = true;
            }
            throw e;
        }
    }
}
