package io.penstock.storage.store;

import io.penstock.protocol.SubjectFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;

/** Finds sequences in the blocks of a store: by subject, by time, by gaps. Changes nothing but stale firsts. */
final class SequenceSearch {
    /** Records looked at one by one before the subjects are asked how far there is nothing. */
    private static final int CLOSE = 256;

    /** Matching subjects asked at most. */
    private static final int SUBJECTS_ASKED = 64;

    private final BlockStore store;

    SequenceSearch(BlockStore store) {
        this.store = store;
    }

    private List<Block> blocks() {
        return store.blocks;
    }

    /** Place of the last block that begins at or before {@code sequence}, -1 when there is none. */
    int blockAt(long sequence) {
        int low = 0;
        int high = blocks().size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (blocks().get(middle).base <= sequence) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** The first sequence held at or behind this one; 0 when there is none. */
    long nextLive(long from) {
        for (int at = Math.max(0, blockAt(from)); at < blocks().size(); at++) {
            Block block = blocks().get(at);
            if (block.live == 0 || block.last < from) {
                continue;
            }
            int ordinal = block.ceiling(from);
            ordinal = block.nextLive(ordinal);
            if (ordinal < block.count) {
                block.require();
                return block.sequenceAt(ordinal);
            }
        }
        return 0;
    }

    private long previousLive(long upTo) {
        for (int at = blockAt(upTo); at >= 0; at--) {
            Block block = blocks().get(at);
            if (block.live == 0) {
                continue;
            }
            int ordinal = block.previousLive(floor(block, upTo));
            if (ordinal >= 0) {
                block.require();
                return block.sequenceAt(ordinal);
            }
        }
        return 0;
    }

    private static int floor(Block block, long sequence) {
        return sequence >= block.last ? block.count - 1 : block.ceiling(sequence + 1) - 1;
    }

    long next(SubjectFilter filter, long fromSequence) {
        long from = Math.max(fromSequence, store.first);
        if (store.messages == 0 || from > store.last) {
            return 0;
        }
        if (filter.isAll()) {
            return nextLive(from);
        }
        SubjectMatcher matcher = new SubjectMatcher(filter);
        if (matcher.literal != null) {
            Subject subject = store.subjects.get(matcher.literal);
            return subject == null ? 0 : nextOf(subject, from);
        }
        long close = scanForward(matcher, from, store.last, CLOSE);
        if (close != 0) {
            return Math.max(0, close);
        }
        return nextFar(matcher, filter, from);
    }

    private long nextFar(SubjectMatcher matcher, SubjectFilter filter, long from) {
        long[] bounds = {Long.MAX_VALUE, 0, 0};
        boolean all = store.subjects.visit(filter, subject -> {
            if (subject.last >= from) {
                long next = subject.listed() ? subject.listedFrom(from) : Math.max(from, subject.first);
                bounds[0] = Math.min(bounds[0], next);
                bounds[1] = Math.max(bounds[1], subject.last);
            }
            return ++bounds[2] < SUBJECTS_ASKED;
        });
        if (!all) {
            return Math.max(0, scanForward(matcher, from, store.last, Long.MAX_VALUE));
        }
        return bounds[1] == 0 ? 0 : Math.max(0, scanForward(matcher, bounds[0], bounds[1], Long.MAX_VALUE));
    }

    private long nextOf(Subject subject, long from) {
        if (subject.last < from) {
            return 0;
        }
        if (subject.listed()) {
            return subject.listedFrom(from);
        }
        if (subject.last == from || subject.messages == 1) {
            return subject.last;
        }
        if (from <= subject.first) {
            resolveFirst(subject);
            return subject.first;
        }
        return scanForward(new SubjectMatcher(subject), from, subject.last, Long.MAX_VALUE);
    }

    /** Looks for the true first message of a subject whose known first is gone. */
    void resolveFirst(Subject subject) {
        if (subject.firstStale) {
            subject.first = scanForward(new SubjectMatcher(subject), subject.first + 1, subject.last, Long.MAX_VALUE);
            subject.firstStale = false;
        }
    }

    /** The last message of the subject at or before a sequence; there must be one. */
    long lastOf(Subject subject, long upTo) {
        return scanBackward(new SubjectMatcher(subject), upTo, subject.first);
    }

    /**
     * The first match in [from, upTo]; -1 when there is none, 0 when {@code most} records were looked at without finding
     * one.
     */
    private long scanForward(SubjectMatcher matcher, long from, long upTo, long most) {
        long left = most;
        for (int at = Math.max(0, blockAt(from)); at < blocks().size(); at++) {
            Block block = blocks().get(at);
            if (block.live == 0 || block.last < from) {
                continue;
            }
            if (block.base > upTo) {
                return -1;
            }
            block.require();
            Subject[] subjects = block.subjects;
            for (int i = block.nextLive(block.ceiling(from)); i < block.count; i = block.nextLive(i + 1)) {
                if (matcher.matches(subjects[i])) {
                    long found = block.sequenceAt(i);
                    return found > upTo ? -1 : found;
                }
                if (--left == 0) {
                    return 0;
                }
            }
        }
        return -1;
    }

    /** The last match in [downTo, upTo], 0 when there is none. */
    private long scanBackward(SubjectMatcher matcher, long upTo, long downTo) {
        for (int at = blockAt(upTo); at >= 0; at--) {
            Block block = blocks().get(at);
            if (block.live == 0) {
                continue;
            }
            if (block.last < downTo) {
                return 0;
            }
            block.require();
            for (int i = block.previousLive(floor(block, upTo)); i >= 0; i = block.previousLive(i - 1)) {
                if (matcher.matches(block.subjects[i])) {
                    long found = block.sequenceAt(i);
                    return found < downTo ? 0 : found;
                }
            }
        }
        return 0;
    }

    long last(SubjectFilter filter, long upToSequence) {
        long upTo = Math.min(upToSequence, store.last);
        if (store.messages == 0 || upTo < store.first) {
            return 0;
        }
        if (filter.isAll()) {
            return previousLive(upTo);
        }
        // The best of the subjects that end before the bound; the least first of those that reach beyond it.
        long[] bounds = {0, Long.MAX_VALUE, 0};
        boolean all = store.subjects.visit(filter, subject -> {
            if (subject.last <= upTo) {
                bounds[0] = Math.max(bounds[0], subject.last);
            } else if (subject.listed()) {
                bounds[0] = Math.max(bounds[0], subject.listedUpTo(upTo));
            } else {
                bounds[1] = Math.min(bounds[1], subject.first);
            }
            return filter.isLiteral() || ++bounds[2] < SUBJECTS_ASKED;
        });
        if (!all) {
            return scanBackward(new SubjectMatcher(filter), upTo, store.first);
        }
        if (bounds[1] > upTo) {
            return bounds[0];
        }
        return Math.max(bounds[0], scanBackward(new SubjectMatcher(filter), upTo, Math.max(bounds[0], bounds[1])));
    }

    long[] lastPerSubject(SubjectFilter filter, long upToSequence) {
        LongList found = new LongList();
        Set<Subject> beyond = new HashSet<>();
        store.subjects.visit(filter, subject -> {
            if (subject.last <= upToSequence) {
                found.add(subject.last);
            } else if (subject.listed()) {
                long last = subject.listedUpTo(upToSequence);
                if (last > 0) {
                    found.add(last);
                }
            } else if (subject.first <= upToSequence) {
                beyond.add(subject);
            }
            return true;
        });
        for (int at = blockAt(upToSequence); at >= 0 && !beyond.isEmpty(); at--) {
            Block block = blocks().get(at);
            block.require();
            int from = block.previousLive(floor(block, upToSequence));
            for (int i = from; i >= 0 && !beyond.isEmpty(); i = block.previousLive(i - 1)) {
                if (beyond.remove(block.subjects[i])) {
                    found.add(block.sequenceAt(i));
                }
            }
        }
        return found.sorted();
    }

    long pending(SubjectFilter filter, long fromSequence, boolean lastOnly) {
        long from = Math.max(fromSequence, store.first);
        if (store.messages == 0 || from > store.last) {
            return 0;
        }
        if (filter.isAll() && !lastOnly) {
            return from == store.first ? store.messages : liveFrom(from);
        }
        long[] sums = {0, 0, 0};
        store.subjects.visit(filter, subject -> {
            if (subject.last >= from) {
                if (lastOnly) {
                    sums[0]++;
                } else if (subject.first >= from) {
                    sums[0] += subject.messages;
                } else if (subject.listed()) {
                    sums[0] += subject.listedCountFrom(from);
                } else {
                    sums[1]++;
                }
            }
            return true;
        });
        return sums[1] == 0 ? sums[0] : countFrom(new SubjectMatcher(filter), from);
    }

    private long liveFrom(long from) {
        int at = Math.max(0, blockAt(from));
        long sum = 0;
        for (int i = at + 1; i < blocks().size(); i++) {
            sum += blocks().get(i).live;
        }
        Block block = blocks().get(at);
        return sum + block.live - block.liveBefore(block.ceiling(from));
    }

    private long countFrom(SubjectMatcher matcher, long from) {
        long sum = 0;
        for (int at = Math.max(0, blockAt(from)); at < blocks().size(); at++) {
            Block block = blocks().get(at);
            if (block.live == 0 || block.last < from) {
                continue;
            }
            block.require();
            for (int i = block.nextLive(block.ceiling(from)); i < block.count; i = block.nextLive(i + 1)) {
                if (matcher.matches(block.subjects[i])) {
                    sum++;
                }
            }
        }
        return sum;
    }

    /** The first {@code most} matches up to a sequence. */
    long[] matching(SubjectFilter filter, long upTo, long most) {
        LongList found = new LongList();
        SubjectMatcher matcher = new SubjectMatcher(filter);
        for (Block block : blocks()) {
            if (block.base > upTo) {
                break;
            }
            if (block.live == 0) {
                continue;
            }
            block.require();
            for (int i = block.nextLive(0); i < block.count && found.size() < most; i = block.nextLive(i + 1)) {
                if (block.sequenceAt(i) > upTo) {
                    break;
                }
                if (matcher.matches(block.subjects[i])) {
                    found.add(block.sequenceAt(i));
                }
            }
        }
        return found.toArray();
    }

    long atTime(long timestampNanos) {
        List<Block> blocks = blocks();
        int low = 0;
        int high = blocks.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (blocks.get(middle).lastTimestamp < timestampNanos) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        if (low == blocks.size()) {
            return store.last + 1;
        }
        Block block = blocks.get(low);
        block.require();
        int first = block.firstTimestamp >= timestampNanos ? 0 : firstAt(block, timestampNanos);
        long found = first == block.count ? nextLive(block.last + 1) : nextLive(block.sequenceAt(first));
        return found == 0 ? store.last + 1 : found;
    }

    private static int firstAt(Block block, long timestampNanos) {
        int low = 0;
        int high = block.count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (block.timestampAt(middle) < timestampNanos) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    void deleted(LongPredicate visitor) {
        if (store.messages == 0) {
            return;
        }
        long expected = store.first;
        for (Block block : blocks()) {
            if (block.live == 0) {
                continue;
            }
            block.require();
            for (int i = block.nextLive(0); i < block.count; i = block.nextLive(i + 1)) {
                long sequence = block.sequenceAt(i);
                for (; expected < sequence; expected++) {
                    if (!visitor.test(expected)) {
                        return;
                    }
                }
                expected = sequence + 1;
            }
        }
        for (; expected <= store.last; expected++) {
            if (!visitor.test(expected)) {
                return;
            }
        }
    }
}
