package io.penstock.storage.journal;

import io.penstock.storage.StorageException;

/** Hears how a group's appends fare; called on the journal's thread, must be short. */
public interface JournalListener {
    /** Everything up to {@code index} is done; once per batch, however many entries it held. */
    void done(long index);

    /**
     * Entries at and behind {@code firstIndex} are not in the log: they could not be written and were taken back. The
     * next append must have that index again.
     *
     * @param terminal whether the journal takes no more appends: a force failed, or what was half written could not be
     *     taken back. Then the entries may turn up in the log all the same when it is opened again
     */
    void failed(long firstIndex, StorageException cause, boolean terminal);
}
