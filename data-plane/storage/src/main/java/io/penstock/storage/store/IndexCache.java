package io.penstock.storage.store;

import java.util.ArrayDeque;

/**
 * Bounds the memory of the indexes of sealed segments: above the bound those go that were not asked for since they were
 * last looked at. Owned by the loop.
 */
final class IndexCache {
    private final long mostBytes;
    private final ArrayDeque<FileBlock> loaded = new ArrayDeque<>();
    private long bytes;

    IndexCache(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Takes in a block whose index is in memory and in a file too. */
    void add(FileBlock block) {
        if (block.cached) {
            return;
        }
        block.cached = true;
        block.indexUsed = true;
        loaded.add(block);
        bytes += block.indexBytes();
        int looks = loaded.size() * 2;
        while (bytes > mostBytes && looks-- > 0 && loaded.size() > 1) {
            FileBlock eldest = loaded.poll();
            if (eldest == block || eldest.indexUsed) {
                eldest.indexUsed = false;
                loaded.add(eldest);
            } else {
                release(eldest);
                eldest.dropIndex();
            }
        }
    }

    /** Forgets a block that goes. */
    void remove(FileBlock block) {
        if (block.cached) {
            loaded.remove(block);
            release(block);
        }
    }

    private void release(FileBlock block) {
        bytes -= block.indexBytes();
        block.cached = false;
    }

    long bytes() {
        return bytes;
    }
}
