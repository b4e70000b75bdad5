package io.penstock.storage;

import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link StorageListener} that writes to the log and counts. Thread-safe. */
public final class StorageMetrics implements StorageListener {
    private static final Logger LOG = LoggerFactory.getLogger(StorageMetrics.class);

    private final LongAdder damaged = new LongAdder();
    private final LongAdder writeFailures = new LongAdder();
    private final LongAdder unknown = new LongAdder();

    @Override
    public void damaged(String file, long offset, String detail) {
        damaged.increment();
        LOG.error("damage in {} at offset {}: {}", file, offset, detail);
    }

    @Override
    public void writeFailed(String file, Exception cause) {
        writeFailures.increment();
        LOG.error("cannot write {}: {}", file, cause.toString());
    }

    @Override
    public void unknown(String file, String detail) {
        unknown.increment();
        LOG.warn("unknown file {}: {}", file, detail);
    }

    /** Damaged records and files met since the start; a record read twice counts twice. */
    public long damagedCount() {
        return damaged.sum();
    }

    public long writeFailureCount() {
        return writeFailures.sum();
    }

    public long unknownCount() {
        return unknown.sum();
    }
}
