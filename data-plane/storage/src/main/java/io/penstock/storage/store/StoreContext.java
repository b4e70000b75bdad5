package io.penstock.storage.store;

import io.penstock.storage.StorageListener;
import io.penstock.storage.disk.Disk;
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

    StoreContext(Disk disk, StoreOptions options, StorageListener events) {
        this.disk = disk;
        this.options = options;
        this.events = events;
        this.handles = new FileHandles(disk, options.openFiles());
        this.windows = new ReadWindows(handles);
        this.indexes = new IndexCache(options.indexBytes());
    }
}
