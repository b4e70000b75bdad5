package io.penstock.storage.journal;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageListener;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskFile;
import io.penstock.storage.journal.Frame.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the segments of a journal when it is opened, cuts a torn tail and refuses damage. */
final class JournalRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(JournalRecovery.class);

    private final Disk disk;
    private final Path directory;
    private final StorageListener events;
    private final Map<Integer, GroupState> groups = new HashMap<>();
    private final ArrayDeque<Path> spares = new ArrayDeque<>();

    /** Highest byte of the segment at hand known to have been on disk. */
    private long synced;

    JournalRecovery(Disk disk, Path directory, StorageListener events) {
        this.disk = disk;
        this.directory = directory;
        this.events = events;
    }

    /** What a journal starts from. */
    record Recovered(
            Path directory, Map<Integer, GroupState> groups, List<Segment> segments, ArrayDeque<Path> spares) {}

    Recovered recover() throws IOException {
        NavigableMap<Long, Segment> segments = find();
        List<Segment> opened = new ArrayList<>(segments.values());
        try {
            scanAll(opened);
            checkComplete(opened);
        } catch (IOException | RuntimeException e) {
            for (Segment segment : segments.values()) {
                segment.file.close();
            }
            throw e;
        }
        return new Recovered(directory, groups, opened, spares);
    }

    private NavigableMap<Long, Segment> find() throws IOException {
        TreeMap<Long, Segment> segments = new TreeMap<>();
        for (String name : disk.list(directory)) {
            Path path = directory.resolve(name);
            long number = Segment.number(name, Segment.SUFFIX);
            if (number > 0) {
                segments.put(number, new Segment(number, path, open(path)));
            } else if (Segment.number(name, Segment.SPARE_SUFFIX) > 0) {
                spares.add(path);
            } else if (Segment.number(name, Segment.OPENING_SUFFIX) > 0) {
                LOG.info("{} was just being begun and holds nothing that was acknowledged", path);
                disk.delete(path);
            } else if (Segment.number(name, Segment.PREPARED_SUFFIX) > 0) {
                // Whether it was finished is not known.
                disk.delete(path);
            } else {
                events.unknown(path.toString(), "not a file of the journal; left alone");
            }
        }
        return segments;
    }

    private DiskFile open(Path path) throws IOException {
        try {
            return disk.open(path);
        } catch (EOFException e) {
            throw damaged(path, 0, e.getMessage());
        }
    }

    private void scanAll(List<Segment> segments) throws IOException {
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            if (i + 1 < segments.size()) {
                Segment next = segments.get(i + 1);
                segment.end = endSaidBy(next, segment);
                scanSealed(segment);
            } else {
                scanNewest(segment);
            }
        }
    }

    private long endSaidBy(Segment next, Segment segment) throws IOException {
        SegmentScan scan = new SegmentScan(next.file, next.number);
        int at = scan.frame(0);
        if (at < 0 || Frame.kind(scan.buffer(), at) != Kind.OPEN) {
            throw damaged(next, 0, "the first frame of the segment is damaged");
        }
        if (Frame.index(scan.buffer(), at) != segment.number) {
            throw damaged(next, 0, "the segment before it is missing: " + Segment.name(Frame.index(scan.buffer(), at)));
        }
        return Frame.term(scan.buffer(), at);
    }

    private void scanSealed(Segment segment) throws IOException {
        SegmentScan scan = new SegmentScan(segment.file, segment.number);
        long offset = scanFrames(segment, scan, segment.end);
        if (offset != segment.end) {
            throw damaged(segment, offset, "checksum does not match, in a sealed segment");
        }
    }

    private void scanNewest(Segment segment) throws IOException {
        SegmentScan scan = new SegmentScan(segment.file, segment.number);
        synced = 0;
        long offset = scanFrames(segment, scan, Long.MAX_VALUE);
        if (offset == 0) {
            throw damaged(
                    segment, 0, "the first frame of the segment, which has it before it has its name, is damaged");
        }
        segment.end = offset;
        if (offset < scan.size()) {
            long later = scan.findSyncedBeyond(offset, offset);
            if (later >= 0) {
                throw damaged(
                        segment, offset, "checksum does not match; the frame at " + later + " says it was on disk");
            }
            if (scan.begun(offset) || scan.size() - offset < Frame.HEADER) {
                LOG.warn(
                        "cut torn tail of {} at offset {}: {} bytes that were never acknowledged",
                        segment.path,
                        offset,
                        scan.size() - offset);
            }
            // Whole frames behind a torn one must not come back to life when the gap is filled.
            segment.file.truncate(offset);
        }
        rewrite(segment, synced, offset);
        segment.file.force();
    }

    private long scanFrames(Segment segment, SegmentScan scan, long end) throws IOException {
        long offset = 0;
        while (offset < end) {
            int at = scan.frame(offset);
            if (at < 0) {
                break;
            }
            ByteBuffer buffer = scan.buffer();
            if (offset == 0) {
                checkFormat(segment, buffer, at);
            }
            synced = Math.max(synced, Frame.synced(buffer, at));
            replay(segment, offset, buffer, at);
            offset += Frame.HEADER + Frame.length(buffer, at);
        }
        return offset;
    }

    private static void checkFormat(Segment segment, ByteBuffer buffer, int at) {
        String format = new String(Frame.payload(buffer, at), StandardCharsets.US_ASCII);
        if (!format.equals(new String(SegmentWriter.FORMAT, StandardCharsets.US_ASCII))) {
            throw new CorruptRecordException(
                    segment.path.toString(), 0, "format '" + format + "' is not one this version reads");
        }
    }

    private void replay(Segment segment, long offset, ByteBuffer buffer, int at) {
        int id = Frame.group(buffer, at);
        if (id == Frame.NO_GROUP) {
            return;
        }
        GroupState group = groups.computeIfAbsent(id, GroupState::new);
        long index = Frame.index(buffer, at);
        switch (Frame.kind(buffer, at)) {
            case STATE -> group.fromFrame(index, Frame.term(buffer, at), Frame.payload(buffer, at));
            case ENTRY -> {
                if (!group.entry(index, Frame.term(buffer, at), segment.number << 32 | offset)) {
                    throw damaged(
                            segment, offset, "entry " + index + " of group " + id + " does not follow " + group.last());
                }
            }
            case SUFFIX -> group.cutSuffix(index);
            case PREFIX -> group.cutPrefix(index);
            case RESET -> group.reset(index);
            case VOTE ->
                group.vote(Frame.term(buffer, at), new String(Frame.payload(buffer, at), StandardCharsets.UTF_8));
            case OPEN, MARK -> {}
        }
    }

    /** Writes the bytes again whose way to the disk is not certain: after a failed force only that brings them there. */
    private static void rewrite(Segment segment, long from, long to) throws IOException {
        ByteBuffer buffer = Frame.buffer(1 << 20);
        for (long at = from; at < to; at += buffer.limit()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), to - at));
            segment.file.readFully(buffer, at);
            segment.file.writeFully(buffer.flip(), at);
        }
    }

    private void checkComplete(List<Segment> segments) {
        for (GroupState group : groups.values()) {
            long missing = group.firstMissing();
            if (missing > 0) {
                throw damaged(
                        segments.getFirst(),
                        0,
                        "entry " + missing + " of group " + group.group() + " was in an older segment that is missing");
            }
        }
    }

    private DamagedJournalException damaged(Segment segment, long offset, String detail) {
        return damaged(segment.path, offset, detail);
    }

    private DamagedJournalException damaged(Path path, long offset, String detail) {
        events.damaged(path.toString(), offset, detail);
        return new DamagedJournalException(
                path.toString(),
                offset,
                detail
                        + ". Nothing was changed; restore the file from a copy, or move the journal's folder away to start"
                        + " from the last checkpoints without it");
    }
}
