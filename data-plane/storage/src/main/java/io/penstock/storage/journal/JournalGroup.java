package io.penstock.storage.journal;

import io.penstock.storage.StorageException;
import io.penstock.storage.journal.Frame.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One group's log in the journal, with the group's vote. Appends come from one thread at a time; reads from any.
 *
 * <p>The shape is what a consensus engine asks of its log: append in order, read by index, cut either end, start anew
 * behind a snapshot; and a vote that is on disk before it counts.
 */
public final class JournalGroup {
    private static final Logger LOG = LoggerFactory.getLogger(JournalGroup.class);
    private static final int PROBE_BYTES = 4096;

    /** A caller of {@link #appendHere} is not kept longer than this, as a rule. */
    private static final long QUICK_FORCE_NANOS = 2_000_000;

    private final Journal journal;
    private final GroupState state;

    /** The index the next entry must have; owned by whoever writes the journal. */
    private long nextIndex;

    private volatile JournalListener listener;

    JournalGroup(Journal journal, GroupState state) {
        this.journal = journal;
        this.state = state;
        this.nextIndex = state.last() + 1;
    }

    public int id() {
        return state.group();
    }

    /** Index of the first entry kept; last + 1 when there is none. */
    public long firstIndex() {
        return state.first();
    }

    /** Index of the last entry that is done, 0 for a new group. */
    public long lastIndex() {
        return state.last();
    }

    /** The highest term an entry carried, 0 for a new group. */
    public long lastTerm() {
        return state.lastTerm();
    }

    /** Term of the vote last saved, 0 when there is none. */
    public long voteTerm() {
        return state.voteTerm();
    }

    /** Whom the vote went to; empty for nobody. */
    public String votedFor() {
        return state.votedFor();
    }

    /** Hears of appends from now on. */
    public void listen(JournalListener newListener) {
        listener = newListener;
    }

    /**
     * Appends one entry; the {@link JournalListener} hears of its outcome. Waits only when
     * {@link JournalOptions#maxPendingBytes} is passed.
     *
     * @param async done once written, not forced, if it comes to be written without others that must be
     * @throws StorageException when the journal is closed
     */
    public void append(JournalEntry entry, boolean async) {
        journal.append(List.of(toFrame(entry, !async, null)), false);
    }

    /**
     * As {@link #append}, by a caller with nothing else to do: when nobody is writing it writes and forces itself and
     * the listener hears on this thread, before the call returns. On a disk whose forces are slow it does not.
     */
    public void appendHere(JournalEntry entry, boolean async) {
        journal.append(List.of(toFrame(entry, !async, null)), journal.usualForceNanos() < QUICK_FORCE_NANOS);
    }

    /**
     * Appends entries and waits until they are done.
     *
     * @throws StorageException when they are not in the log
     */
    public void appendAndWait(List<JournalEntry> entries) {
        appendAndWait(entries, false);
    }

    /**
     * As {@link #appendAndWait(List)}.
     *
     * @param async done once written, not forced, if they come to be written without others that must be
     */
    public void appendAndWait(List<JournalEntry> entries, boolean async) {
        if (entries.isEmpty()) {
            return;
        }
        Waiter waiter = new Waiter();
        List<Append> appends = new ArrayList<>(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            appends.add(toFrame(entries.get(i), !async, i == entries.size() - 1 ? waiter : null));
        }
        journal.append(appends, true);
        waiter.await();
    }

    private Append toFrame(JournalEntry entry, boolean durable, JournalCallback callback) {
        if (entry.length() > Frame.MAX_PAYLOAD) {
            throw new IllegalArgumentException(
                    "entry of " + entry.length() + " bytes; the most is " + Frame.MAX_PAYLOAD);
        }
        return new Append(
                Kind.ENTRY,
                id(),
                entry.type(),
                entry.term(),
                entry.index(),
                entry.timestampNanos(),
                entry.payload(),
                0,
                entry.length(),
                durable,
                callback);
    }

    /**
     * The entry at {@code index}, or null outside [first, last].
     *
     * @throws io.penstock.storage.CorruptRecordException when its bytes are damaged
     */
    public JournalEntry read(long index) {
        return journal.read(state, index);
    }

    /** Reads on from an index, many entries with one access to the disk. For one thread. */
    public JournalReader reader() {
        return new JournalReader(journal, state, JournalReader.WINDOW_BYTES);
    }

    /** Entries below {@code firstKept} are no longer needed; returns before that is on disk. */
    public void truncatePrefix(long firstKept) {
        if (firstKept > state.first()) {
            journal.append(List.of(Append.control(Kind.PREFIX, id(), 0, firstKept, Append.EMPTY, null)), false);
        }
    }

    /** Removes the entries above {@code lastKept}; on disk when it returns. */
    public void truncateSuffix(long lastKept) {
        control(Kind.SUFFIX, 0, lastKept, Append.EMPTY);
    }

    /** Empties the log, which goes on at {@code nextEntry}; on disk when it returns. */
    public void reset(long nextEntry) {
        control(Kind.RESET, 0, nextEntry, Append.EMPTY);
    }

    /**
     * Saves term and vote; on disk when it returns, whatever the sync policy.
     *
     * @throws StorageException when that cannot be said; the caller must not act on the vote
     */
    public void saveVote(long term, String candidate) {
        control(Kind.VOTE, term, 0, candidate.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Makes sure that everything that is done is on disk, whatever the sync policy, when it returns.
     *
     * @throws StorageException when that cannot be said
     */
    public void force() {
        if (journal.allForced()) {
            return;
        }
        control(Kind.MARK, 0, 0, Append.EMPTY);
    }

    /**
     * Writes a page and forces it, to learn whether the disk takes appends.
     *
     * @param outcome hears, on a thread of the journal, null or why it does not
     */
    public void probe(Consumer<StorageException> outcome) {
        journal.append(List.of(Append.control(Kind.MARK, id(), 0, 0, new byte[PROBE_BYTES], outcome::accept)), false);
    }

    private void control(Kind kind, long term, long index, byte[] payload) {
        Waiter waiter = new Waiter();
        journal.append(List.of(Append.control(kind, id(), term, index, payload, waiter)), true);
        waiter.await();
    }

    /** Why the whole journal takes no more appends until it is opened again, or null. */
    public StorageException journalFailure() {
        return journal.failure();
    }

    GroupState state() {
        return state;
    }

    /** Whether the frame may be written now. By whoever writes. */
    boolean accepts(Append append) {
        switch (append.kind) {
            case ENTRY -> {
                if (append.index != nextIndex) {
                    return false;
                }
                nextIndex++;
            }
            case SUFFIX -> nextIndex = Math.min(nextIndex, append.index + 1);
            case PREFIX -> nextIndex = Math.max(nextIndex, append.index);
            case RESET -> nextIndex = append.index;
            default -> {}
        }
        return true;
    }

    /** After a failure: entries go on behind the last one that is done. By whoever writes. */
    void resume() {
        nextIndex = state.last() + 1;
    }

    /** Takes a frame that is done into the state. By whoever writes. */
    void take(Append append) {
        switch (append.kind) {
            case ENTRY -> state.entry(append.index, append.term, append.location);
            case SUFFIX -> state.cutSuffix(append.index);
            case PREFIX -> state.cutPrefix(append.index);
            case RESET -> state.reset(append.index);
            case VOTE -> state.vote(append.term, new String(append.payload, StandardCharsets.UTF_8));
            default -> {}
        }
    }

    void done() {
        JournalListener hearer = listener;
        if (hearer != null) {
            try {
                hearer.done(state.last());
            } catch (RuntimeException e) {
                LOG.error("listener of group {} failed", id(), e);
            }
        }
    }

    void failed(long firstIndex, StorageException cause, boolean terminal) {
        JournalListener hearer = listener;
        if (hearer != null) {
            try {
                hearer.failed(firstIndex, cause, terminal);
            } catch (RuntimeException e) {
                LOG.error("listener of group {} failed", id(), e);
            }
        }
    }

    private static final class Waiter implements JournalCallback {
        private final CountDownLatch latch = new CountDownLatch(1);
        private volatile StorageException failure;

        @Override
        public void outcome(StorageException cause) {
            failure = cause;
            latch.countDown();
        }

        void await() {
            boolean interrupted = false;
            while (true) {
                try {
                    latch.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (failure != null) {
                StorageException thrown = new StorageException(failure.getMessage());
                thrown.initCause(failure);
                throw thrown;
            }
        }
    }
}
