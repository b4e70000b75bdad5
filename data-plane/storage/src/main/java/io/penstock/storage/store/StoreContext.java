package io.penstock.storage.store;

import io.penstock.storage.StorageListener;
import io.penstock.storage.disk.Disk;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the file stores of one loop share. */
final class StoreContext {
    final Disk disk;
    final StoreOptions options;
    final StorageListener events;
    final FileHandles handles;
    final ReadWindows windows;
    final IndexCache indexes;
    final LongAdder usedBytes = new LongAdder();

    /** Bytes of segments chosen to be compressed since the last round of checkpoints ended. Any thread. */
    final AtomicLong packedInRound = new AtomicLong();

    StoreContext(Disk disk, StoreOptions options, StorageListener events) {
        this.disk = disk;
        this.options = options;
        this.events = events;
        this.handles = new FileHandles(disk, events, options.openFiles());
        this.windows = new ReadWindows(handles);
        this.indexes = new IndexCache(options.indexBytes());
    }
}
