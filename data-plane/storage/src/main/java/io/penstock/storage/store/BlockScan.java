package io.penstock.storage.store;

import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Makes the index of a segment anew from its records.
 *
 * <p>Only when index and records are both damaged does this guess: as many records as the manifest counts and the file
 * does not show are put where sequences are missing beside the damage. Reading one of them reports the damage.
 */
final class BlockScan {
    private final FileBlock block;
    private final byte[] bytes;
    private final CRC32C crc = new CRC32C();
    private final List<Long> sequences = new ArrayList<>();
    private final List<Integer> positions = new ArrayList<>();
    private final List<Integer> subjectOf = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private int missing;

    private BlockScan(FileBlock block, byte[] bytes) {
        this.block = block;
        this.bytes = bytes;
    }

    static BlockIndex scan(FileStreamStore store, FileBlock block) throws IOException {
        byte[] bytes = new byte[block.length];
        try (DiskFile file = SegmentFiles.openRead(store.context, block.path)) {
            file.readUpTo(ByteBuffer.wrap(bytes), 0);
        } catch (NoSuchFileException e) {
            Arrays.fill(bytes, (byte) 0);
        }
        return new BlockScan(block, bytes).run();
    }

    private BlockIndex run() {
        missing = block.count - countSound();
        int at = RecordFormat.FILE_HEADER;
        while (at < bytes.length) {
            int next = nextSound(at);
            if (next > at) {
                fill(at, next < bytes.length ? RecordFormat.sequence(bytes, next) : block.last + 1);
            }
            if (next < bytes.length) {
                add(next);
                at = next + RecordFormat.length(bytes, next);
            } else {
                at = next;
            }
        }
        while (sequences.size() < block.count) {
            addUnknown(sequences.isEmpty() ? block.base : sequences.getLast() + 1, bytes.length);
        }
        return result();
    }

    private int countSound() {
        int count = 0;
        int at = nextSound(RecordFormat.FILE_HEADER);
        while (at < bytes.length) {
            count++;
            at = nextSound(at + RecordFormat.length(bytes, at));
        }
        return count;
    }

    /** Where the first undamaged record at or behind {@code from} begins; the end when there is none. */
    private int nextSound(int from) {
        for (int at = from; at + RecordFormat.HEADER <= bytes.length; at++) {
            int length = RecordFormat.length(bytes, at);
            if (length >= RecordFormat.HEADER
                    && length <= bytes.length - at
                    && RecordFormat.sequence(bytes, at) >= block.base
                    && RecordFormat.sequence(bytes, at) <= block.last
                    && RecordFormat.sound(bytes, at, length, crc)) {
                return at;
            }
        }
        return bytes.length;
    }

    /** Puts records of unknown content at the damage, where sequences are missing before {@code nextSequence}. */
    private void fill(int at, long nextSequence) {
        long sequence = sequences.isEmpty() ? block.base : sequences.getLast() + 1;
        while (missing > 0 && sequence < nextSequence) {
            addUnknown(sequence++, at);
            missing--;
        }
    }

    private void addUnknown(long sequence, int at) {
        sequences.add(sequence);
        positions.add(at << 1);
        subjectOf.add(-1);
    }

    private void add(int at) {
        sequences.add(RecordFormat.sequence(bytes, at));
        positions.add(at << 1 | (RecordFormat.headersLength(bytes, at) > 0 ? 1 : 0));
        if (RecordFormat.erased(bytes, at)) {
            subjectOf.add(-1);
        } else {
            String name = RecordFormat.subject(bytes, at);
            Integer number = numbers.get(name);
            if (number == null) {
                number = numbers.size();
                numbers.put(name, number);
            }
            subjectOf.add(number);
        }
    }

    private BlockIndex result() {
        String[] names = new String[numbers.size()];
        numbers.forEach((name, number) -> names[number] = name);
        int[] deltas = null;
        for (int i = 0; i < block.count; i++) {
            if (sequences.get(i) - block.base != i) {
                deltas = new int[block.count];
                break;
            }
        }
        for (int i = 0; deltas != null && i < block.count; i++) {
            deltas[i] = (int) (sequences.get(i) - block.base);
        }
        return new BlockIndex(
                block.count,
                names,
                subjectOf.stream().mapToInt(Integer::intValue).toArray(),
                positions.stream().mapToInt(Integer::intValue).toArray(),
                deltas);
    }
}
