package io.penstock.storage.store;

/** Blocks of compressed segments that were unpacked lately. For one thread. */
final class UnpackedBlocks {
    /** A block in memory. */
    static final class Slot {
        private PackedFile owner;
        private int block;
        private long used;
        byte[] bytes = {};
        int length;
    }

    private final Slot[] slots;
    private long clock;

    UnpackedBlocks(int count) {
        slots = new Slot[count];
        for (int i = 0; i < count; i++) {
            slots[i] = new Slot();
        }
    }

    /** The block, null when it is not here. */
    Slot find(PackedFile owner, int block) {
        for (Slot slot : slots) {
            if (slot.owner == owner && slot.block == block) {
                slot.used = ++clock;
                return slot;
            }
        }
        return null;
    }

    /** A slot with room for a block of so many bytes; it holds nothing until {@link #keep}. */
    Slot take(int bytes) {
        Slot oldest = slots[0];
        for (Slot slot : slots) {
            if (slot.used < oldest.used) {
                oldest = slot;
            }
        }
        oldest.owner = null;
        if (oldest.bytes.length < bytes) {
            oldest.bytes = new byte[bytes];
        }
        return oldest;
    }

    void keep(Slot slot, PackedFile owner, int block, int length) {
        slot.owner = owner;
        slot.block = block;
        slot.length = length;
        slot.used = ++clock;
    }

    void forget(PackedFile owner) {
        for (Slot slot : slots) {
            if (slot.owner == owner) {
                slot.owner = null;
                slot.used = 0;
            }
        }
    }
}
