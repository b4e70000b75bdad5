package io.penstock.storage.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Which sealed segments are written anew by themselves: plain ones of a stream that is compressed, and compressed ones
 * that still hold what was erased. Chosen on the loop.
 *
 * @param more whether there are others, for the next checkpoint
 */
record Packing(List<Compaction> chosen, boolean more) {
    private static final Packing NONE = new Packing(List.of(), false);

    /** Bytes of one round of checkpoints, all streams together: the journal grows until it ends. */
    private static final long MOST_BYTES = 128L << 20;

    /** Segments of one checkpoint that hold what was erased; these are not to wait for the others. */
    private static final int MOST_ERASING = 8;

    /** After so many failures a segment stays as it is until the store is opened again. */
    private static final int TRIES = 3;

    /** @param others copies that are made anyhow */
    static Packing choose(FileStreamStore store, List<Compaction> others) {
        if (!isDue(store)) {
            return NONE;
        }
        List<Compaction> chosen = new ArrayList<>();
        int erasing = 0;
        boolean more = false;
        for (Block block : store.blocks) {
            FileBlock file = (FileBlock) block;
            if ((more && !file.erasing)
                    || !wanted(store, file)
                    || others.stream().anyMatch(other -> other.blocks().contains(file))) {
                continue;
            }
            if (file.erasing ? erasing++ < MOST_ERASING : mayTake(store.context, file.length)) {
                chosen.add(Compaction.of(store, List.of(file)));
            } else {
                more = true;
            }
        }
        return new Packing(chosen, more);
    }

    private static boolean mayTake(StoreContext context, int bytes) {
        long taken = context.packedInRound.get();
        if (taken > 0 && taken + bytes > MOST_BYTES) {
            return false;
        }
        context.packedInRound.addAndGet(bytes);
        return true;
    }

    static boolean isDue(FileStreamStore store) {
        for (Block block : store.blocks) {
            if (wanted(store, (FileBlock) block)) {
                return true;
            }
        }
        return false;
    }

    private static boolean wanted(FileStreamStore store, FileBlock file) {
        boolean plain = store.compresses() && !file.packed;
        return (plain || file.erasing)
                && file.sealed
                && file.unflushed() == 0
                && file.packFailures < TRIES
                && store.context.disk.exists(file.path);
    }
}
