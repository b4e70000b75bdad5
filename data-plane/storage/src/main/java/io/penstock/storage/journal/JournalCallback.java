package io.penstock.storage.journal;

import io.penstock.storage.StorageException;

/** Hears of the outcome of one append, on the journal's thread. */
@FunctionalInterface
interface JournalCallback {
    /** @param failure null when it is done */
    void outcome(StorageException failure);
}
