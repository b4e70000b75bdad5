package io.penstock.storage.journal;

import io.penstock.storage.CorruptRecordException;
import java.io.Serial;

/**
 * Bytes of the journal that were on disk once are wrong or gone, so that it does not open. Nothing was changed. What it
 * held is known from nowhere else on this disk: entries behind the checkpoints, terms and votes.
 */
public final class DamagedJournalException extends CorruptRecordException {
    @Serial
    private static final long serialVersionUID = 1L;

    DamagedJournalException(String file, long offset, String detail) {
        super(file, offset, detail);
    }
}
