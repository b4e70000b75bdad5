package io.penstock.jetstream;

import io.penstock.jetstream.runtime.Engine;
import io.penstock.storage.StorageListener;
import io.penstock.storage.store.StoreDirectory;
import java.nio.file.Path;

/** Has the streams of a placement group mended whose files are found damaged. Any thread. */
final class DamagedStreams implements StorageListener {
    private final StorageListener events;

    /** Set before any stream is opened. */
    private volatile Engine engine;

    /** @param events hears everything too */
    DamagedStreams(StorageListener events) {
        this.events = events;
    }

    void of(Engine owner) {
        engine = owner;
    }

    @Override
    public void damaged(String file, long offset, String detail) {
        events.damaged(file, offset, detail);
        Engine owner = engine;
        // Indexes and manifests mend themselves, or the stream cannot be opened, which is told otherwise.
        if (owner != null && StoreDirectory.isSegment(Path.of(file))) {
            long id = StoreDirectory.incarnationOf(Path.of(file));
            if (id >= 0) {
                owner.damaged(id, detail + " in " + file);
            }
        }
    }

    @Override
    public void writeFailed(String file, Exception cause) {
        events.writeFailed(file, cause);
    }

    @Override
    public void unknown(String file, String detail) {
        events.unknown(file, detail);
    }
}
